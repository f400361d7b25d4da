import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problem } from './errors.ts'
import {
  choice,
  columnOf,
  date,
  decimal,
  email,
  flag,
  integer,
  labelOf,
  link,
  longText,
  phone,
  strings,
  text,
  toSnakeCase,
  unixSeconds,
} from './fields.ts'
import { idFromIri, iriOf, resource } from './resource.ts'
import {
  addInLondonTime,
  formatUkDate,
  formatUkDateTime,
  fromUnixSeconds,
  lastMinuteOfDay,
  londonDate,
  toUnixSeconds,
} from './time.ts'
import { fieldViolations, isFilled, requiredMessage } from './validate.ts'

const OPTIONS = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
]

describe('record validation', () => {
  const said = (f: Parameters<typeof fieldViolations>[0][string], value: unknown) =>
    fieldViolations({ it: f }, { it: value })[0]?.message

  test.each([
    [text({ required: true }), 'Field required, please enter text'],
    [longText({ required: true }), 'Field required, please enter text'],
    [integer({ required: true }), 'Field required, please enter number'],
    [choice(['a'], { required: true }), 'Field required, select an option'],
    [date({ required: true }), 'Date Required, Please select a date'],
    [unixSeconds({ required: true }), 'Date Required, Please select a date'],
    [text({ required: 'Please give it a name' }), 'Please give it a name'],
  ])('validation reports the missing value of a required field: case %#', (f, message) => {
    expect(requiredMessage(f)).toBe(message)
    for (const empty of [null, undefined, '', '   ', '\n\t']) expect(said(f, empty)).toBe(message)
  })

  test.each([
    [0, true],
    [false, true],
    ['0', true],
    [' ', false],
    ['', false],
    [null, false],
    [undefined, false],
    [[], false],
    [{}, false],
    [['a'], true],
    [{ a: 1 }, true],
  ])('isFilled(%j) returns %s', (value, expected) => {
    expect(isFilled(value)).toBe(expected)
  })

  test.each([
    [text(), 'x'.repeat(256), 'It can have at most 255 characters; this text has 256'],
    [text({ max: 12 }), 'x'.repeat(13), 'It can have at most 12 characters; this text has 13'],
    [longText(), 'x'.repeat(20_001), 'It can have at most 20,000 characters; this text has 20,001'],
    [text(), 'two\nlines', 'It must be on one line'],
    [email(), 'a@b', 'Please enter an e-mail address such as name@company.co.uk'],
    [email(), 'two words@x.example', 'Please enter an e-mail address such as name@company.co.uk'],
    [choice(['a', 'b']), 'c', 'Please select one of the options'],
    [strings({ options: OPTIONS }), ['a', 'c', 'd'], 'Invalid options: c, d. Choose from the list.'],
    [integer({ min: 1 }), 0, 'It must be at least 1'],
    [integer({ max: 5 }), 6, 'It must be at most 5'],
    [decimal({ min: 0 }), -0.01, 'It must be at least 0'],
    [text({ pattern: { regex: /^\d+$/, message: 'Digits only' } }), 'x', 'Digits only'],
  ])('validation reports an invalid value: case %#', (f, value, message) => {
    expect(said(f, value)).toBe(message)
  })

  test.each([
    [text(), 'x'.repeat(255)],
    [longText(), 'two\nlines'],
    [email(), 'no'],
    [email(), 'NO'],
    [email(), "o'brien+x@a.co.uk"],
    [email(), ''],
    [choice(['a']), 'a'],
    [integer({ min: 0 }), 0],
    [flag({ required: true }), false],
    [text({ required: true, readonly: true }), ''],
    [link(() => other, { required: true }), 7],
    [phone(), '+44 (0)1632 960 123'],
    [strings(), []],
    [strings({ options: OPTIONS }), ['b', 'a']],
    [strings({ options: OPTIONS, required: true }), ['b']],
  ])('validation accepts a valid value: case %#', (f, value) => {
    expect(said(f, value)).toBeUndefined()
  })

  test("validation reports at most one violation per field, in the declaration's order", () => {
    const fields = { a: text({ required: true }), b: integer({ min: 3 }), c: email() }
    fc.assert(
      fc.property(fc.record({ a: fc.string(), b: fc.integer(), c: fc.string() }), (values) => {
        const names = fieldViolations(fields, values).map((v) => v.propertyPath)
        expect(names).toEqual(['a', 'b', 'c'].filter((n) => names.includes(n)))
      }),
    )
  })
})

const other = resource({
  type: 'Other',
  service: 'crm',
  path: 'others',
  table: 'other',
  tenant: 'own',
  allow: {},
  fields: { name: text() },
})

describe('record IRIs', () => {
  test("a record's ID is converted to its IRI and back", () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(), fc.stringMatching(/^[\w.@-]+$/)), (id) => {
        expect(idFromIri(other, iriOf(other, id))).toBe(String(id))
      }),
    )
  })

  test.each([
    ['/api/crm/others/7', '7'],
    ['/api/others/7', '7'],
    ['/others/7', '7'],
    ['/api/crm/others/jane', 'jane'],
    ['/api/crm/others/', undefined],
    ['/api/crm/others', undefined],
    ['/api/crm/things/7', undefined],
    ['/api/safety/others/7', undefined],
    ['/api/crm/others/7/notes', undefined],
    ['/api/crm/others/7?x=1', undefined],
    ['https://evil.example/api/crm/others/7', undefined],
    ['//evil.example/others/7', undefined],
    ['7', undefined],
    ['', undefined],
  ])('the IRI %s belongs to record %s', (iri, id) => {
    expect(idFromIri(other, iri)).toBe(id)
  })
})

describe('resource declarations', () => {
  const spec = { type: 'T', service: 's', path: 'p', table: 't', tenant: 'own', allow: {} } as const

  test('an invalid resource declaration throws at start-up', () => {
    for (const wrong of [{ order: ['-nothing'] }, { state: 'nothing' }, { alias: 'nothing' }, { title: 'nothing' }])
      expect(() => resource({ ...spec, ...wrong, fields: { name: text() } })).toThrow('"nothing" is not a field')
    expect(() => resource({ ...spec, fields: { id: text() } })).toThrow('reserved')
    expect(() => resource({ ...spec, fields: { '@type': text() } })).toThrow('reserved')
  })

  test('column names are the field names in snake case, with _id for relations', () => {
    expect([
      toSnakeCase('companyName'),
      columnOf(
        'owner',
        link(() => other),
      ),
      columnOf('x', text({ column: 'y' })),
    ]).toEqual(['company_name', 'owner_id', 'y'])
    expect([labelOf('companyName', text()), labelOf('x', text({ label: 'Ex' }))]).toEqual(['Company name', 'Ex'])
  })
})

describe('time conversion', () => {
  test('an instant is converted to seconds and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 4e9 }), (s) => {
        expect(toUnixSeconds(fromUnixSeconds(s))).toBe(s)
      }),
    )
  })

  test('days begin and end at midnight in London', () => {
    const at = Temporal.Instant.from('2026-06-30T23:30:00Z')
    expect([londonDate(at).toString(), formatUkDate(at), formatUkDateTime(at)]).toEqual([
      '2026-07-01',
      '01/07/2026',
      '01/07/2026 00:30',
    ])
    expect(formatUkDateTime(Temporal.Instant.from('2026-01-05T09:05:59Z'))).toBe('05/01/2026 09:05')
  })

  test('the last minute of a day is in London time, in summer and in winter', () => {
    expect(lastMinuteOfDay(Temporal.PlainDate.from('2026-06-30')).toString()).toBe('2026-06-30T22:59:00Z')
    expect(lastMinuteOfDay(Temporal.PlainDate.from('2026-12-31')).toString()).toBe('2026-12-31T23:59:00Z')
  })

  test('adding days preserves the time of day across clock changes', () => {
    const before = Temporal.Instant.from('2026-03-28T09:00:00Z')
    expect(addInLondonTime(before, { days: 1 }).toString()).toBe('2026-03-29T08:00:00Z')
    expect(addInLondonTime(Temporal.Instant.from('2026-10-24T08:00:00Z'), { days: 1 }).toString()).toBe(
      '2026-10-25T09:00:00Z',
    )
  })
})

describe('error responses', () => {
  test('an error response states how long to wait, how to authenticate or which methods are allowed', () => {
    expect(problem.tooMany(30).message).toContain('30 seconds')
    expect(problem.tooMany(900)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '900' },
      message: expect.stringContaining('15 minutes'),
    })
    expect(problem.signIn()).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(problem.method(['GET', 'PUT'])).toMatchObject({ status: 405, headers: { allow: 'GET, PUT' } })
  })

  test('an error message repeats only a short part of the input', () => {
    expect(problem.invalidIri('x'.repeat(10_000)).message.length).toBeLessThan(300)
    expect(problem.unknownTarget({ a: 'x'.repeat(10_000) }).message.length).toBeLessThan(300)
  })

  test('an error message lists the violations with their fields, one per line', () => {
    expect(
      problem.invalid([
        { propertyPath: 'a', message: 'A', code: 'invalid' },
        { propertyPath: '', message: 'B', code: 'invalid' },
      ]).message,
    ).toBe('a: A\nB')
  })
})
