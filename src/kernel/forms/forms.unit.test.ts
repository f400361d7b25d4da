import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { sanitiseAnswer } from './clean.ts'
import { calculateFormCompletion } from './completion.ts'
import { toEngineFields } from './fields.ts'
import { formFieldsIn, initialFormValues, removePlaceholders } from './fields-in.ts'
import { findDataLoss } from './losses.ts'
import { formCompletionProblems } from './problems.ts'
import type { FormCondition, FormField, FormFieldKind, FormSchema } from './schema.ts'
import { type Values, visibleForm } from './visible.ts'

const field = (name: string, kind: FormFieldKind, more: Partial<FormField> = {}): FormField => ({
  name,
  kind,
  label: name,
  ...more,
})
const form = (...fields: FormField[]): FormSchema => ({
  title: 'Form',
  steps: [{ name: 'only', title: 'Limited to', groups: [{ fields }] }],
})
const shown = (schema: FormSchema, values: Values) => formFieldsIn(visibleForm(schema, values)).map((f) => f.name)
const said = (schema: FormSchema, values: Values) =>
  formCompletionProblems(schema, values).map((v) => `${v.propertyPath}: ${v.message}`)

describe('form field visibility', () => {
  const chain = form(
    field('a', 'switch'),
    field('b', 'text', { when: [{ watch: 'a', equals: true }] }),
    field('c', 'text', { when: [{ watch: 'b', equals: 'yes' }] }),
  )

  it('the visibility of a form field depends on the fields in its conditions, and a hidden field counts as empty', () => {
    expect(shown(chain, { a: true, b: 'yes' })).toEqual(['a', 'b', 'c'])
    expect(shown(chain, { a: false, b: 'yes' })).toEqual(['a'])
  })

  it('visibility conditions apply to steps and groups, which are also omitted if all their fields are hidden', () => {
    const schema: FormSchema = {
      title: 'Form',
      steps: [
        { name: 'one', title: 'One', groups: [{ fields: [field('a', 'text')] }] },
        {
          name: 'two',
          title: 'Two',
          when: [{ watch: 'a', equals: 'x' }],
          groups: [
            { fields: [field('b', 'text')] },
            { when: [{ watch: 'b', equals: 'y' }], fields: [field('c', 'text')] },
          ],
        },
        {
          name: 'three',
          title: 'Three',
          groups: [
            { fields: [field('d', 'text', { when: [{ watch: 'c', differs: null }] })] },
            { title: 'Read this', fields: [] },
          ],
        },
      ],
    }
    const steps = (values: Values) => visibleForm(schema, values).steps.map((s) => `${s.step.name} ${s.groups.length}`)
    expect(steps({})).toEqual(['one 1', 'three 1'])
    expect(steps({ a: 'x' })).toEqual(['one 1', 'two 1', 'three 1'])
    expect(steps({ a: 'x', b: 'y', c: 'z' })).toEqual(['one 1', 'two 2', 'three 2'])
    expect(steps({ b: 'y', c: 'z' })).toEqual(['one 1', 'three 1'])
  })

  it('visibility is evaluated without an endless loop if the conditions of fields form a cycle', () => {
    const circle = form(
      field('a', 'text', { when: [{ watch: 'b', equals: 'x' }] }),
      field('b', 'text', { when: [{ watch: 'a', equals: 'x' }] }),
    )
    expect(shown(circle, { a: 'x', b: 'x' })).toEqual([])
  })

  it('the visibility of a form field can depend on values of the record that are not form fields', () => {
    expect(shown(form(field('a', 'text', { when: [{ watch: 'state', equals: 'open' }] })), { state: 'open' })).toEqual([
      'a',
    ])
  })
})

const REQUIRED: readonly (readonly [FormFieldKind, string])[] = [
  ['text', 'Field required, please enter text'],
  ['longText', 'Field required, please enter text'],
  ['richText', 'Field required, please enter text'],
  ['number', 'Field required, please enter number'],
  ['date', 'Date Required, Please select a date'],
  ['dateTime', 'Date Required, Please select a date'],
  ['select', 'Field required, select an option'],
  ['autocomplete', 'Field required, select an option'],
  ['remoteSelect', 'Field required, select an option'],
  ['combobox', 'Field required, select an option'],
  ['imageCards', 'Field required, select an option'],
  ['checkbox', 'Field required'],
  ['switch', 'Field required, please enter text'],
]

describe('form problems', () => {
  test.each(REQUIRED)('form problems include an empty required %s', (kind, message) => {
    for (const empty of [undefined, null, '', '  ', [], {}])
      expect(said(form(field('it', kind, { required: true })), { it: empty })).toEqual([`it: ${message}`])
    expect(said(form(field('it', kind)), { it: null })).toEqual([])
  })

  it('form problems exclude hidden fields', () => {
    const schema = form(field('a', 'text', { required: true, when: [{ watch: 'b', equals: 1 }] }), field('b', 'number'))
    expect(said(schema, {})).toEqual([])
    expect(said(schema, { b: 1 })).toEqual(['a: Field required, please enter text'])
  })

  it('form problems include an unset required switch and an unticked required checkbox, but not a switch set to no', () => {
    expect(said(form(field('a', 'switch', { required: true })), { a: false })).toEqual([])
    expect(said(form(field('a', 'checkbox', { required: true })), { a: false })).toEqual(['a: Field required'])
  })

  it('form problems include a required formatted-text field that contains no words', () => {
    const schema = form(field('a', 'richText', { required: true }))
    expect(said(schema, { a: '<p>&nbsp;</p><p><br></p>' })).toHaveLength(1)
    expect(said(schema, { a: '<p>Dust</p>' })).toEqual([])
  })

  it('form problems include a contact with only a name or only a number', () => {
    const schema = form(field('who', 'emergencyContacts', { required: true }))
    expect(said(schema, { who: [{ name: '', number: '' }] })).toEqual([
      'who[0].name: Field required, please enter text',
      'who[0].number: Field required, please enter number',
    ])
    expect(said(schema, { who: [{ name: 'Ann', number: '1' }, { name: 'Bob' }, { number: '3' }] })).toEqual([
      'who[1].number: Field required, please enter number',
      'who[2].name: Field required, please enter text',
    ])
  })

  it("form problems include a telephone number that can't be dialled", () => {
    const schema = form(field('who', 'emergencyContacts'))
    const dial = (number: string) => said(schema, { who: [{ name: 'Ann', number }] })
    for (const number of ['999', '01632 960101', '+44 (0)1632 960101', '01632-960101 ext 12', '020 7946 0958 x3'])
      expect([number, dial(number)]).toEqual([number, []])
    for (const number of ['abc', '+', 'ring the office', '0800 TAXI'])
      expect(dial(number)).toEqual(['who[0].number: Please enter a telephone number in digits'])
  })

  it("form problems are found in every row, using the row's own values for its conditions", () => {
    const schema = form(
      field('site', 'text'),
      field('steps', 'rows', {
        label: 'Steps',
        min: 1,
        max: 2,
        fields: [
          field('what', 'text', { required: true }),
          field('site', 'text', { when: [{ watch: 'what', equals: 'travel' }] }),
          field('how', 'number', { required: true, when: [{ watch: 'site', equals: 'Leeds' }] }),
        ],
      }),
    )
    expect(said(schema, { site: 'Leeds', steps: [{ what: 'dig' }, { what: 'travel', site: 'Leeds' }, {}] })).toEqual([
      'steps: Steps can have at most 2 rows',
      'steps[1].how: Field required, please enter number',
      'steps[2].what: Field required, please enter text',
    ])
  })

  it("form problems include values that can't be stored", () => {
    const options = [{ value: 1, label: 'One' }]
    expect(said(form(field('a', 'number', { max: 5 })), { a: 6 })).toEqual(['a: a must be at most 5'])
    expect(said(form(field('a', 'number')), { a: '12' })).toEqual([])
    expect(said(form(field('a', 'number')), { a: 'twelve' })).toEqual(['a: Field required, please enter number'])
    expect(said(form(field('a', 'text', { max: 3 })), { a: 'long' })[0]).toContain('at most 3 characters')
    expect(said(form(field('a', 'select', { options })), { a: 2 })).toEqual(['a: Please select one of the options'])
    expect(said(form(field('a', 'select', { options })), { a: 1 })).toEqual([])
    expect(said(form(field('a', 'text', { required: true, message: 'Cannot be left blank' })), {})).toEqual([
      'a: Cannot be left blank',
    ])
  })
})

describe('storing form answers', () => {
  it('a field that still contains its placeholder text is stored as empty', () => {
    const schema = form(field('where', 'text', { placeholder: 'To be said', required: true }))
    expect(removePlaceholders(schema, { where: 'To be said', else: 1 })).toEqual({ where: null, else: 1 })
    expect(removePlaceholders(schema, { where: 'Not forwarded' })).toEqual({ where: 'Not forwarded' })
  })

  it('every form field except a custom one is declared as an engine field that is not required', () => {
    const schema = form(
      field('t', 'text', { required: true, max: 80 }),
      field('n', 'number', { min: 1 }),
      field('c', 'combobox', { max: 5 }),
      field('x', 'custom'),
      field('r', 'rows', { max: 3, fields: [] }),
    )
    expect(toEngineFields(schema)).toEqual({
      t: { kind: 'text', label: 't', max: 80, inJson: 'content' },
      n: { kind: 'decimal', label: 'n', min: 1, inJson: 'content' },
      c: { kind: 'strings', label: 'c', inJson: 'content' },
      r: { kind: 'json', label: 'r', inJson: 'content' },
    })
  })

  it('stored rows contain only fields in the schema, with values of the right types', () => {
    const rows = field('rows', 'rows', {
      fields: [field('a', 'text', { max: 3 }), field('n', 'number'), field('html', 'richText'), field('c', 'combobox')],
    })
    const given = [{ a: 'abcd', n: '5', html: '<p onclick=x>hi<script>y</script>', c: '?', evil: true }, 'x']
    expect(sanitiseAnswer(rows, given, (html) => html.replace(/ onclick=x|<script>.*/g, ''))).toEqual([
      { a: 'abc', n: 5, html: '<p>hi', c: [] },
      { a: null, n: null, html: null, c: [] },
    ])
    expect(sanitiseAnswer(field('ppe', 'imageCards'), '3,1,x,3')).toEqual([3, 1])
    expect(
      sanitiseAnswer(field('who', 'emergencyContacts'), [{ name: 'Ann', number: 1632, x: 1 }, {}, {}, {}]),
    ).toEqual([
      { name: 'Ann', number: '1632' },
      { name: '', number: '' },
      { name: '', number: '' },
    ])
    const files = ['/api/f/1', { '@id': '/api/f/2', label: 'Plan', size: 3 }, { label: 'none' }]
    expect(sanitiseAnswer(field('files', 'uploads'), files)).toEqual(['/api/f/1', { '@id': '/api/f/2', label: 'Plan' }])
    expect(sanitiseAnswer(field('files', 'uploads'), [{ '@id': '/api/f/1', label: ' ' }])).toEqual(['/api/f/1'])
    expect(sanitiseAnswer(field('c', 'combobox'), ['a', 'b', 'c', 'd', 'e', 'f'])).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('a form starts with default values for fields that never had a value', () => {
    const schema = form(field('a', 'text', { default: 'x' }), field('b', 'switch', { default: true }))
    expect(initialFormValues(schema, { a: null, b: false, c: 1 })).toEqual({ a: 'x', b: false, c: 1 })
  })
})

// Field names for generated forms. The forms vary in size, and their answers are random.
const FIELD_NAMES = ['a', 'b', 'c', 'd', 'e']
const KINDS: readonly FormFieldKind[] = [
  'text',
  'number',
  'date',
  'select',
  'combobox',
  'checkbox',
  'switch',
  'richText',
  'emergencyContacts',
]
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    'x',
    'y',
    0,
    1,
    true,
    false,
    null,
    undefined,
    [],
    ['x'],
    {},
    [{ name: 'Ann' }],
    '<p></p>',
  ),
  fc.anything(),
)
const conditions: fc.Arbitrary<FormCondition[]> = fc.array(
  fc.record(
    {
      watch: fc.constantFrom(...FIELD_NAMES),
      equals: anything,
      differs: anything,
      in: fc.array(anything),
      notIn: fc.array(anything),
    },
    { requiredKeys: ['watch'] },
  ),
  { maxLength: 2 },
)
const anyField = (kinds: readonly FormFieldKind[], inside?: fc.Arbitrary<FormField>): fc.Arbitrary<FormField> =>
  fc.record({
    name: fc.constantFrom(...FIELD_NAMES),
    kind: fc.constantFrom(...kinds),
    label: fc.constant('Label'),
    required: fc.boolean(),
    when: conditions,
    fields: inside ? fc.uniqueArray(inside, { selector: (f) => f.name, maxLength: 3 }) : fc.constant([]),
  })
const anyForm: fc.Arbitrary<FormSchema> = fc
  .uniqueArray(anyField([...KINDS, 'rows'], anyField(KINDS)), { selector: (f) => f.name, maxLength: 5 })
  .chain((fields) =>
    fc.record({
      title: fc.constant('Form'),
      steps: fc.tuple(conditions, fc.nat(5)).map(([when, cut]) => [
        { name: 'one', title: 'One', groups: [{ fields: fields.slice(0, cut) }] },
        { name: 'two', title: 'Two', when, groups: [{ fields: fields.slice(cut) }] },
      ]),
    }),
  )
const anyValues: fc.Arbitrary<Values> = fc.dictionary(fc.constantFrom(...FIELD_NAMES), anything)

/** Kinds of fields that are cleaned when stored. The declaration checks the others. */
const KEPT_CLEAN = new Set<FormFieldKind>(['combobox', 'emergencyContacts', 'rows', 'uploads', 'imageCards'])

describe('properties of every form', () => {
  it('a form is complete only if it has no problems', () => {
    fc.assert(
      fc.property(anyForm, anyValues, (schema, values) => {
        const done = calculateFormCompletion(schema, values)
        expect(done.share).toBeGreaterThanOrEqual(0)
        expect(done.share).toBeLessThanOrEqual(1)
        expect(done.percent === 100).toBe(done.share === 1)
        expect(Object.values(done.steps).every((s) => s.complete)).toBe(done.share === 1)
        expect(done.share === 1).toBe(formCompletionProblems(schema, values).length === 0)
      }),
    )
  })

  it('a hidden field has no problems, and remains hidden whatever its value', () => {
    fc.assert(
      fc.property(
        anyForm,
        anyValues,
        fc.dictionary(fc.constantFrom(...FIELD_NAMES), anything),
        (schema, values, other) => {
          const names = shown(schema, values)
          for (const v of formCompletionProblems(schema, values))
            expect(names).toContain(v.propertyPath.split(/[.[]/)[0])
          const hidden = formFieldsIn(schema).filter((f) => !names.includes(f.name))
          const changed = { ...values, ...Object.fromEntries(hidden.map((f) => [f.name, other[f.name]])) }
          expect(formCompletionProblems(schema, changed)).toEqual(formCompletionProblems(schema, values))
          expect(calculateFormCompletion(schema, changed)).toEqual(calculateFormCompletion(schema, values))
        },
      ),
    )
  })

  it('sanitising answers does not change the completion of a form, unless sanitising would lose data', () => {
    fc.assert(
      fc.property(anyForm, anyValues, (schema, values) => {
        const fields = formFieldsIn(schema)
        fc.pre(fields.every((f) => findDataLoss(f, values[f.name]).length === 0))
        const lists = fields.filter((f) => KEPT_CLEAN.has(f.kind))
        const kept = { ...values, ...Object.fromEntries(lists.map((f) => [f.name, sanitiseAnswer(f, values[f.name])])) }
        expect(calculateFormCompletion(schema, kept).steps).toEqual(calculateFormCompletion(schema, values).steps)
      }),
    )
  })

  it('sanitising answers a second time changes nothing', () => {
    fc.assert(
      fc.property(anyForm, anyValues, (schema, values) => {
        for (const f of formFieldsIn(schema)) {
          const once = sanitiseAnswer(f, values[f.name])
          expect(sanitiseAnswer(f, once)).toEqual(once)
        }
      }),
    )
  })
})

test.each([
  ['date', '2026-02-28', '2026-02-28'],
  ['date', '2024-02-29T10:20:30+00:00', '2024-02-29'],
  ['date', '2026-02-31', null],
  ['date', '2026-01-01garbage', null],
  ['date', '2026', null],
  ['date', '0000-01-01', null],
  ['dateTime', '2026-02-28T10:00', '2026-02-28T10:00'],
  ['dateTime', '2026-02-28T10:20:30Z', '2026-02-28T10:20:30Z'],
  ['dateTime', '2026-02-31T10:00', null],
  ['dateTime', '2026-02-28T25:00', null],
  ['dateTime', '2026', null],
] as const)('a form field of kind %s stores %s as %s', (kind, given, kept) => {
  const on = field('On', kind)
  expect(sanitiseAnswer(on, given)).toBe(kept)
  const sentence = `On must be a date ${kind === 'date' ? 'such as 2026-02-28' : 'and time such as 2026-02-28T10:20'}`
  const wrong = kept === null ? [sentence] : []
  expect(findDataLoss(on, given).map((v) => v.message)).toEqual(wrong)
  expect(formCompletionProblems(form(on), { On: given }).map((v) => v.message)).toEqual(wrong)
})

test('a date field stores every valid calendar date unchanged, but no other string', () => {
  const parts = fc.tuple(
    fc.integer({ min: 1900, max: 2999 }),
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 33 }),
  )
  const two = (n: number) => String(n).padStart(2, '0')
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const at = new Date(Date.UTC(year, month - 1, day))
      const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day
      const written = `${year}-${two(month)}-${two(day)}`
      expect(sanitiseAnswer(field('on', 'date'), written)).toBe(isReal ? written : null)
    }),
  )
})
