import { describe, expect, test } from 'vitest'
import { defaultValuesOf } from '#server/data/plan.ts'
import { employee } from '../employees/employee.ts'
import { checkColumnMapping, guessColumnMapping } from './columns.ts'
import type { ExistingChoice } from './import.ts'
import { type ImportPlan, planImport } from './plan.ts'
import { idOfManager, type KnownEmployee } from './planned-row.ts'
import { createRowReader } from './row.ts'

const TODAY = '2026-07-01'

const known = (id: number, name: string, values: Partial<KnownEmployee> = {}): KnownEmployee => {
  const [forename = '', surname = ''] = name.split(' ')
  const defaults = { ...defaultValuesOf(employee.fields), manager: null, dob: null, extCStartDate: null }
  return { ...defaults, id, forename, surname, name, ...values } as KnownEmployee
}

/** Plans the rows of a file: lines of headings and cells, separated by commas. */
function plan(text: string, employees: readonly KnownEmployee[] = [], existing: ExistingChoice = 'fill'): ImportPlan {
  const [columns = [], ...rows] = text.split('\n').map((line) => line.split(','))
  const { mapping, wrong } = checkColumnMapping(guessColumnMapping(columns, true), columns, true)
  expect(wrong).toEqual([])
  const read = createRowReader(columns, mapping, Temporal.PlainDate.from(TODAY))
  const company = { employees, departments: [{ id: 5, name: 'Workshop' }], sites: [{ id: 6, name: 'Leeds' }] }
  return planImport(
    rows.map((cells, at) => read(at + 2, cells)),
    company,
    existing,
    TODAY,
  )
}

const reasons = ({ report }: ImportPlan) => report.map(({ line, outcome, reason }) => `${line} ${outcome}: ${reason}`)
const levels = ({ added }: ImportPlan) => added.map((group) => group.map(({ row }) => row.name))

describe('the mapping of columns', () => {
  test('headings are recognised, and those of private details only with the role for them', () => {
    const columns = ['First Name', 'SURNAME', 'NI number', 'Line manager', 'Start date', 'Shoe size']
    expect(guessColumnMapping(columns, false)).toEqual({
      'First Name': 'forename',
      SURNAME: 'surname',
      'Line manager': 'manager',
      'Start date': 'extCStartDate',
    })
    const given = { ...guessColumnMapping(columns, true) }
    expect(given['NI number']).toBe('nationalInsuranceNumber')
    expect(checkColumnMapping(given, columns, false).wrong).toHaveLength(1)
  })

  test('a mapping needs the names, known columns, and each field once', () => {
    const wrong = (given: object) => checkColumnMapping(given, ['A', 'B'], true).wrong.map(({ message }) => message)
    expect(wrong({ A: 'name' })).toEqual([])
    expect(wrong({ A: 'forename' })).toHaveLength(1)
    expect(wrong({ A: 'name', B: 'name' })).toHaveLength(1)
    expect(wrong({ C: 'name' })).toHaveLength(1)
    expect(wrong({ A: 'constructor' })).toHaveLength(1)
  })
})

describe('a plan of an import', () => {
  test('managers in the same file are added first, in whatever order the rows are', () => {
    const result = plan(`name,manager,payroll,email
Cy Low,Bo Mid,,
Bo Mid,an@x.example,,
An Top,,,an@x.example
Di Low,7,,
Ed Mid,,7,`)
    expect(levels(result)).toEqual([['An Top', 'Ed Mid'], ['Bo Mid', 'Di Low'], ['Cy Low']])
    expect(result.report).toEqual([])
  })

  test('a manager is rejected if the name matches several people, no person or the employee', () => {
    const people = [known(1, 'Ann Carter'), known(2, 'Ann Carter'), known(3, 'Bob Day', { retired: true })]
    expect(
      reasons(
        plan(
          `name,manager
Cy Low,"Ann Carter"
Di Low,Nobody Here
Ed Low,Ed Low
Fi Low,Bob Day`.replaceAll('"', ''),
          people,
        ),
      ),
    ).toEqual([
      '2 refused: Manager: “Ann Carter” fits 2 people. Use an e-mail address or a payroll number',
      '3 refused: Manager: there is no employee “Nobody Here”',
      '4 refused: Manager: employees can’t report to themselves',
      '5 refused: Manager: Bob Day has left',
    ])
  })

  test('circular reporting lines are rejected, including those that an existing employee completes', () => {
    const result = plan('name,manager\nAn A,Cy C\nBo B,An A\nCy C,Bo B\nDi D,An A')
    expect(result.refused).toBe(3)
    expect(reasons(result)[0]).toBe('2 refused: Manager: An A → Cy C → Bo B → An A would report to each other')
    expect(reasons(result)[3]).toBe('5 incomplete: Without a manager, because row 2 is rejected')
    const people = [known(1, 'Ann One'), known(2, 'Bob Two', { manager: 1 })]
    expect(plan('name,manager\nAnn One,New Man\nNew Man,Bob Two', people).refused).toBe(2)
  })

  test('a row whose manager is rejected is added without a manager, and listed', () => {
    const result = plan('name,manager,dob\nAn Top,,30/2/1980\nBo Low,An Top,')
    expect(reasons(result)).toEqual([
      '2 refused: Date of birth: The value is not a date: there is no 30 February 1980',
      '3 incomplete: Without a manager, because row 2 is rejected',
    ])
    expect(levels(result)).toEqual([['Bo Low']])
  })

  test('employees of one name and date of birth are ambiguous, unless a payroll number decides', () => {
    const twins = [1, 2].map((id) => known(id, 'Ann Carter', { dob: '1980-02-01', payroll: `P${id}` }))
    const result = plan('name,dob,payroll\nAnn Carter,1/2/80,\nAnn Carter,1/2/80,p2\nAnn Carter,1/2/80,P3', twins)
    expect(reasons(result)).toEqual([
      '2 refused: 2 employees are named Ann Carter, born on 01/02/1980. Add a payroll number that tells them apart',
      '4 refused: Ann Carter, born on 01/02/1980, is there already with the payroll number P1. If these are two people, add the second under “Add employee”',
    ])
    expect(result.unchanged).toBe(1)
  })

  test('two rows of one person are one employee, and different dates of birth are two', () => {
    const result = plan('name,dob\nAnn Carter,1/2/80\nANN  CARTER,1/2/1980\nAnn Carter,2/2/80\nBob Day,\nBob Day,')
    expect(levels(result).flat()).toHaveLength(3)
    expect(result.report.map(({ line, outcome }) => [line, outcome])).toEqual([
      [3, 'refused'],
      [6, 'refused'],
    ])
  })

  test('existing employees are recognised, and changed as chosen', () => {
    const people = [known(1, 'Ann Carter', { payroll: 'P1', jobtitlename: 'Fitter', telephone: '0113 496 0000' })]
    const file = 'name,payroll,job title,telephone,department\nAnn Smith,P1,Welder,1134960000,workshop'
    expect(plan(file, people).updated[0]?.values).toEqual({ department: 5 })
    const replaced = plan(file, people, 'replace')
    expect(replaced.updated[0]?.values).toEqual({ surname: 'Smith', jobtitlename: 'Welder', department: 5 })
    expect(reasons(replaced)).toEqual(['2 updated: Same payroll number. Changes: Job title, Surname, Department'])
    expect(plan(file, people, 'skip')).toMatchObject({ unchanged: 1, updated: [] })
    const left = [known(1, 'Ann Carter', { payroll: 'P1', retired: true })]
    expect(plan(file, left, 'replace').refused).toBe(1)
    expect(plan('name,payroll\nBob Day,P1', people).refused).toBe(1)
  })

  test('an existing manager is set from the file only if none is stored, or replacing was chosen', () => {
    const people = [known(1, 'Ann Top'), known(2, 'Bob Old'), known(3, 'Cy Low', { manager: 2 }), known(4, 'Di Low')]
    const file = 'name,manager\nCy Low,Ann Top\nDi Low,Ann Top'
    const managers = ({ updated }: ImportPlan) =>
      updated.map(({ row, manager }) => [row.name, manager && idOfManager(manager)])
    expect(managers(plan(file, people))).toEqual([['Di Low', 1]])
    expect(managers(plan(file, people, 'replace'))).toEqual([
      ['Cy Low', 1],
      ['Di Low', 1],
    ])
  })

  test('invalid values are rejected, each with a reason', () => {
    const result = plan(`name,email,start date,last day,sex,sort code,account number,account holder,department,ni number
An A,an@,1/2/2026,,,,,,,
Bo B,,2/2/2026,1/2/2026,,,,,,
Cy C,,,,perhaps,,,,,
Di D,,,,,40004,12345,D D,,
Ed E,,,,,,,,Moon,
Fi F,,,,,,,,,QQ123456C
Solo,,,,,,,,,
Ge G,,,,,,,,,,,more
Hy H,hy@x.example,29/2/2024,,f,08-99-99,66374958,H H,workshop,AB123456C`)
    expect(result.report.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    for (const { outcome, reason } of result.report) {
      expect(outcome).toBe('refused')
      expect(reason).toMatch(/^[A-Z].{20,}/)
    }
  })
})
