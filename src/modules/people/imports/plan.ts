import { foldEmail } from '#kernel/validate.ts'
import { employeeDateViolations, normalisePrivateDetails } from '../employees/employee-rules.ts'
import { IMPORT_FIELDS } from './columns.ts'
import type { ExistingChoice, ROW_RESULTS } from './import.ts'
import { findManagers, groupByLevel, refuseCircles } from './managers.ts'
import { nameKeyOf, PeopleIndex, type Person } from './match.ts'
import { type CompanyRecords, isKnown, type KnownEmployee, type PlannedRow, personOf } from './planned-row.ts'
import { describeViolations, type EmployeeValues, type ImportedRow, type NamedRecord } from './row.ts'

/** A row of the report. */
export interface ReportLine {
  readonly line: number
  readonly outcome: (typeof ROW_RESULTS)[number]['value']
  readonly name: string
  readonly reason: string
  readonly employee: number | null
}

export interface ImportPlan {
  /** Rows that add employees, in groups: managers are in an earlier group than the people who report to them. */
  readonly added: readonly (readonly PlannedRow[])[]
  readonly updated: readonly PlannedRow[]
  readonly report: readonly ReportLine[]
  readonly refused: number
  readonly unchanged: number
}

const isBlank = (name: string, value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (name === 'sex' && value === 0) ||
  (Array.isArray(value) && value.every((one: { name?: string; number?: string }) => !one.name && !one.number))

const digitsOf = (value: unknown): string => String(value).replace(/[^\d+]/g, '')

/** True if two values mean the same, such as a telephone number with and without spaces. */
function isSameValue(name: string, a: unknown, b: unknown): boolean {
  if (name === 'telephone' || name === 'mobile') return digitsOf(a) === digitsOf(b)
  if (name === 'email') return foldEmail(String(a)) === foldEmail(String(b))
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the values of a row that change a known employee. */
function changesOf(known: KnownEmployee, values: EmployeeValues, existing: ExistingChoice): EmployeeValues {
  if (existing === 'skip') return {}
  const stored = known as Readonly<Record<string, unknown>>
  const given: Readonly<Record<string, unknown>> = values.emergencyContacts
    ? { ...values, emergencyContacts: [...values.emergencyContacts, ...known.emergencyContacts.slice(1)] }
    : values
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        (existing === 'replace' || isBlank(name, stored[name])) && !isSameValue(name, stored[name] ?? '', value),
    ),
  ) as EmployeeValues
}

/** Decides what an import would do with each row. The decisions depend on the arguments alone. */
export function planImport(
  rows: readonly ImportedRow[],
  company: CompanyRecords,
  existing: ExistingChoice,
  today: string,
): ImportPlan {
  const planned = matchRows(rows, company, existing, today)
  refuseRepeatedRows(planned)
  findManagers(planned, company, existing)
  refuseCircles(planned, company)
  for (const one of planned)
    if (one.manager && !isKnown(one.manager) && one.manager.wrong) {
      one.missing = `Without a manager, because row ${one.manager.row.line} is rejected`
      one.manager = undefined
    }
  for (const one of planned)
    if (one.known?.retired && !one.wrong && hasChanges(one))
      one.wrong = `${one.known.name} has left. Restore the record before you import the row`
  const good = planned.filter(({ wrong }) => !wrong)
  const updated = good.filter((one) => one.known && hasChanges(one))
  return {
    added: groupByLevel(good.filter(({ known }) => !known)),
    updated,
    report: planned.flatMap(reportOf),
    refused: planned.length - good.length,
    unchanged: good.filter((one) => one.known && !hasChanges(one)).length,
  }
}

const hasChanges = ({ values, manager }: PlannedRow): boolean => manager !== undefined || Object.keys(values).length > 0

function reportOf(one: PlannedRow): ReportLine[] {
  const { line, name } = one.row
  const of = (outcome: ReportLine['outcome'], reason: string) => [
    { line, outcome, name, reason, employee: one.known?.id ?? null },
  ]
  if (one.wrong) return of('refused', one.wrong)
  if (!one.known) return one.missing ? of('incomplete', one.missing) : []
  if (!hasChanges(one)) return []
  const fields = [...Object.keys(one.values), ...(one.manager ? ['manager'] : [])]
  return of(
    'updated',
    [`${one.same}. Changes: ${fields.map(labelOf).join(', ')}`, one.missing].filter(Boolean).join('. '),
  )
}

const labelOf = (name: string): string =>
  name === 'emergencyContacts'
    ? 'emergency contact'
    : (IMPORT_FIELDS[name as keyof typeof IMPORT_FIELDS] ?? name).replace(/ \(.*/, '')

/** Finds the employee of each row, its department and site, and checks the values that it sets. */
function matchRows(
  rows: readonly ImportedRow[],
  company: CompanyRecords,
  existing: ExistingChoice,
  today: string,
): PlannedRow[] {
  const index = new PeopleIndex(company.employees)
  const named = { department: byName(company.departments), site: byName(company.sites) }
  return rows.map((row) => {
    const found = row.wrong.length ? undefined : index.match(personOf(row))
    const known = found && 'person' in found ? found.person : undefined
    const wrong = [...row.wrong, ...(found && 'wrong' in found ? [found.wrong] : [])]
    const values: { -readonly [N in keyof EmployeeValues]: EmployeeValues[N] } = { ...row.values }
    for (const name of ['department', 'site'] as const) {
      const text = row.named[name]
      if (text === undefined) continue
      const [id, ...others] = named[name].get(text.toLowerCase()) ?? []
      if (id === undefined)
        wrong.push(`${LABELS[name]}: there is no ${name} “${text.slice(0, 60)}”. Add it first, or leave it out`)
      else if (others.length) wrong.push(`${LABELS[name]}: “${text.slice(0, 60)}” fits ${others.length + 1} ${name}s`)
      else values[name] = id
    }
    const changes = known ? changesOf(known, values, existing) : values
    const whole = { changes, values: { ...known, ...changes } as EmployeeValues }
    const details = normalisePrivateDetails(whole)
    wrong.push(...describeViolations([...employeeDateViolations(whole, today), ...details.wrong]))
    return {
      row,
      known,
      values: { ...changes, ...details.set },
      manager: undefined,
      same: found && 'same' in found ? found.same : '',
      wrong: wrong.join('. '),
      missing: '',
    }
  })
}

const LABELS: Readonly<Record<NamedRecord, string>> = { manager: 'Manager', department: 'Department', site: 'Site' }

const byName = (all: readonly { readonly id: number; readonly name: string }[]): ReadonlyMap<string, number[]> =>
  new Map(
    [...Map.groupBy(all, ({ name }) => name.toLowerCase())].map(([name, same]) => [name, same.map(({ id }) => id)]),
  )

/** Rejects rows that describe the same person as an earlier row. */
function refuseRepeatedRows(planned: readonly PlannedRow[]): void {
  const lineOfEmployee = new Map<number, number>()
  const lineOfPayroll = new Map<string, number>()
  const addedByName = new Map<string, PlannedRow[]>()
  for (const one of planned) {
    if (one.wrong) continue
    const { line } = one.row
    if (one.known) {
      const earlier = lineOfEmployee.get(one.known.id)
      if (earlier !== undefined) one.wrong = `The same employee as in row ${earlier}`
      else lineOfEmployee.set(one.known.id, line)
      continue
    }
    const person = personOf(one.row)
    const payroll = person.payroll.toLowerCase()
    const sameName = addedByName.get(nameKeyOf(person)) ?? []
    const twin = sameName.find(({ row }) => !areDifferentPeople(personOf(row), person))
    if (lineOfPayroll.has(payroll)) one.wrong = `The same payroll number as in row ${lineOfPayroll.get(payroll)}`
    else if (twin && person.dob && personOf(twin.row).dob)
      one.wrong = `The same name and date of birth as in row ${twin.row.line}. If these are two people, add the second under “Add employee”`
    else if (twin)
      one.wrong = `The same name as in row ${twin.row.line}. Add a payroll number or a date of birth to both rows if these are two people`
    if (one.wrong) continue
    if (payroll) lineOfPayroll.set(payroll, line)
    addedByName.set(nameKeyOf(person), [...sameName, one])
  }
}

/** True if the details of two people with one name tell them apart: the date of birth or, without it, the payroll number. */
const areDifferentPeople = (a: Person, b: Person): boolean =>
  a.dob && b.dob ? a.dob !== b.dob : Boolean(a.payroll && b.payroll && a.payroll !== b.payroll)
