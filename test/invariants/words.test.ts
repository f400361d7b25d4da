import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Field, isPersonField } from '#kernel/fields.ts'
import { registryOf } from '#server/engine/registry.ts'
import { testPortal } from '#test/support/portal.ts'

/*
 * The API's fields use one word per concept. The glossary's table lists these words, and the concepts for which the
 * specification uses another word. The test reads the table to prevent the two from diverging.
 */
interface Idea {
  readonly word: string
  /** Other names, such as `createdBy`, with the types that may use each. */
  readonly others: ReadonlyMap<string, readonly string[]>
}

const glossary = readFileSync(join(import.meta.dirname, '../../docs/guide/glossary.md'), 'utf8')

/** Parses the lines `| idea | `word` | `other` (Type, Type), … |` below the heading. */
const ideas: Idea[] = [
  ...glossary.slice(glossary.indexOf('## Words of the API')).matchAll(/^\| [^|]+ \| `(\w+)` \| ([^|]*) \|$/gm),
].map(([, word = '', others = '']) => ({
  word,
  others: new Map(
    [...others.matchAll(/`(\w+)`(?: \(([^)]*)\))?/g)].map(([, other = '', types = '']) => [
      other,
      types.split(',').flatMap((t) => t.trim() || []),
    ]),
  ),
}))

const { engine } = await testPortal()
const fieldsOf = () =>
  registryOf(engine)
    .modules.flatMap((module) => module.resources)
    .flatMap((r) => Object.entries<Field>(r.fields).map(([name, field]) => ({ type: r.type, name, field })))

describe('names of API fields', () => {
  test('an API field is named as in the glossary, except where the specification uses another name', () => {
    expect(ideas.length).toBeGreaterThan(8)
    const foreign = ideas.flatMap(({ word, others }) =>
      fieldsOf()
        .filter(({ name, type }) => others.has(name) && !others.get(name)?.includes(type))
        .map(({ name, type }) => `${type}.${name} should be ${word}`),
    )
    expect(foreign).toEqual([])
  })

  test('every exception that the glossary lists is an existing API field', () => {
    const there = new Set(fieldsOf().map(({ type, name }) => `${type}.${name}`))
    const named = ideas.flatMap(({ others }) =>
      [...others].flatMap(([name, types]) => types.map((type) => `${type}.${name}`)),
    )
    expect(named.filter((one) => !there.has(one))).toEqual([])
  })

  test('a field that holds a username is declared as a person, so that screens and exports show the name', () => {
    // Names of people without an account, and lines whose usernames are evidence or are shown by their own screens.
    const exceptions = ['Quote.decidedBy', 'Seal.author', 'RiskItem.confirmedBy', 'IncidentReport.reportedBy']
    const undeclared = fieldsOf()
      .filter(({ name, field }) => field.kind === 'text' && /^(?:author|[a-z]+By|lastEditBy)$/.test(name))
      .filter(({ field }) => !isPersonField(field))
      .map(({ type, name }) => `${type}.${name}`)
    expect(undeclared.filter((one) => !exceptions.includes(one))).toEqual([])
  })

  test('the name of a boolean API field is an adjective without "is"', () => {
    const exceptions = [
      'AppStatus.hasLapsed',
      'Client.isReseller',
      'ClientHealth.isReseller',
      'CrmClient.isReseller',
      'Employee.isSubby',
      'EmployeeRecord.isSubby',
      'Ppe.isStandardCoshh',
    ]
    const templates = registryOf(engine)
      .modules.flatMap((module) => module.resources)
      .filter((r) => 'isTemplate' in r.fields)
    const found = fieldsOf()
      .filter(({ name, field }) => field.kind === 'flag' && /^(is|has)[A-Z]/.test(name))
      .map(({ type, name }) => `${type}.${name}`)
      .filter((name) => !/[.]isRetired$/.test(name))
    expect(found.sort()).toEqual([...exceptions, ...templates.map((r) => `${r.type}.isTemplate`)].sort())
  })

  test('the name of an API field with an instant ends in "At", unless the field is a start or an end', () => {
    const exceptions = [
      'IncidentReport.datetime',
      'Letter.timestamp',
      'Note.timestamp',
      'Referral.timestamp',
      'Sale.timestamp',
      'Customer.paymentReceivedDate',
    ]
    const found = fieldsOf()
      .filter(({ name, field }) => field.kind === 'instant' && !/At$|^(from|until|since)$|Until$/.test(name))
      .map(({ type, name }) => `${type}.${name}`)
    expect(found.sort()).toEqual(exceptions.sort())
  })
})
