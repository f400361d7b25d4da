import { expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import coshh from '#modules/safety/coshh/coshh-assessment.web.tsx'
import { SHARED_HAZARD_FIELDS } from '#modules/safety/grid/line.ts'
import method from '#modules/safety/methods/method-statement.web.tsx'
import policy from '#modules/safety/policies/policy.web.tsx'
import pack from '#modules/safety/rams/rams-pack.web.tsx'
import risk from '#modules/safety/risk/risk-assessment.web.tsx'
import talk from '#modules/safety/talks/toolbox-talk.web.tsx'
import type { DocumentTypeScreens } from '../types/kind.web.ts'
import { compareRevisions } from './differences.ts'

/*
 * The decision whether a change is material or minor is made on the comparison of revisions. A change of any one field of
 * any document type must therefore be in it.
 */

type Values = Readonly<Record<string, unknown>>

/** Fields that the comparison leaves out, by reason. */
const UNCOMPARED = [
  ['which record the words were chosen from; the words are compared', 'hazard control substance arrangement function'],
  ['shown by name', 'ppe industry responsibility employee substanceNames riskAssessment'],
  ['calculated from fields that are compared', 'ranking residualRanking highRisk'],
  ['copied lines are confirmed before completion', 'unconfirmed confirmedBy confirmedAt judged'],
  ['shown by the order of the rows', 'position'],
  [
    'set with the document, which every revision shows',
    'document documentNumber client author createdAt field parentDocumentNumber',
  ],
  ['removed from the document', 'retired retiredWith'],
].flatMap(([, names]) => names?.split(' ') ?? [])

const BANDS = [
  { from: 1, to: 12, name: 'Low', level: 'safe', demands: 'accept', rule: 'Accept' },
  { from: 13, to: 25, name: 'High', level: 'danger', demands: 'stop', rule: 'Stop' },
]
const LEVELS = ['One', 'Two', 'Three', 'Four', 'Five']
const MATRIX = { probability: LEVELS, severity: LEVELS, bands: BANDS }
const METHOD = {
  defaultStatements: [{ title: 'Access', text: '<p>By the gate</p>' }],
  nonDefaultStatements: [{ title: 'Waste', text: '<p>In the skip</p>' }],
  taskSelection: [
    { title: 'Cut', text: '<p>With water</p>' },
    { title: 'Lift', text: '<p>With the crane</p>' },
  ],
}

/** Values that a declaration leaves open: one, and several that each differ from it in one place. */
const OPEN: Readonly<Record<string, readonly [unknown, ...unknown[]]>> = {
  methodStatement: [
    METHOD,
    { ...METHOD, defaultStatements: [{ title: 'Access', text: '<p>By the ladder</p>' }] },
    { ...METHOD, nonDefaultStatements: [] },
    { ...METHOD, taskSelection: METHOD.taskSelection.toReversed() },
    { ...METHOD, taskSelection: [{ title: 'Cut', text: '<p>Dry</p>' }, METHOD.taskSelection[1]] },
  ],
  matrix: [
    MATRIX,
    { ...MATRIX, probability: ['Rare', ...LEVELS.slice(1)] },
    { ...MATRIX, severity: ['None', ...LEVELS.slice(1)] },
    ...['name', 'demands', 'rule', 'to'].map((key) => ({
      ...MATRIX,
      bands: [{ ...BANDS[0], [key]: key === 'demands' ? 'reduce' : key === 'to' ? 11 : 'Other' }, BANDS[1]],
    })),
  ],
  ppeItems: [[{ id: 1, label: 'Gloves' }], [{ id: 2, label: 'Gloves of chain' }]],
  worn: [[{ id: 1, label: 'Gloves' }], [{ id: 2, label: 'Gloves of chain' }]],
  image: [null, { '@id': '/api/safety/uploaded_documents/7', name: 'Roof.png' }],
  emergencyContact: [[{ name: 'Ann', number: '1' }], [{ name: 'Bob', number: '1' }], [{ name: 'Ann', number: '2' }]],
  uploadedDocuments: [
    [{ '@id': '/api/safety/uploaded_documents/7', id: 7, name: 'Roof.png', label: 'Roof' }],
    [{ '@id': '/api/safety/uploaded_documents/8', id: 8, name: 'Wall.png', label: 'Wall' }],
    [{ '@id': '/api/safety/uploaded_documents/7', id: 7, name: 'Roof.png', label: 'Seen from the north' }],
  ],
  target: [
    { '@id': '/api/safety/documents/1', id: 1, documentNumber: 'RA-0001', revision: 1, title: 'Roof' },
    { '@id': '/api/safety/documents/2', id: 2, documentNumber: 'RA-0001', revision: 2, title: 'Roof' },
  ],
  file: [null, { '@id': '/api/safety/uploaded_documents/8', id: 8, name: 'Wall.png', label: 'Wall' }],
  implemented: ['yes', 'no'],
  implementedUnknown: [false, true],
  hazardStatements: [['H302'], ['H314']],
}

interface AnyField {
  readonly kind: Field['kind'] | FormField['kind']
  readonly options?: readonly unknown[]
}

/** Returns a value for a kind of field, and others that differ from it. */
function valuesOf(name: string, field: AnyField): readonly [unknown, ...unknown[]] {
  const open = OPEN[name]
  if (open) return open
  switch (field.kind) {
    case 'text':
    case 'person':
    case 'longText':
    case 'autocomplete':
      return [`Said of ${name}`, `Also said of ${name}`]
    case 'richText':
      return [`<p>Said of ${name}</p>`, `<p>Also said of ${name}</p>`]
    case 'date':
      return ['2031-05-06', '2031-05-07']
    case 'number':
    case 'integer':
    case 'decimal':
      return [2, 3]
    case 'flag':
      return [false, true]
    case 'select':
    case 'choice': {
      const [one, two] = (field.options ?? []) as readonly (string | { readonly value: string })[]
      return [one, two].map((option) => (typeof option === 'object' ? option.value : option)) as [unknown, unknown]
    }
    case 'combobox':
    case 'strings':
      return [['One'], ['One', 'Two']]
    case 'uploads':
      return OPEN.uploadedDocuments as [unknown, ...unknown[]]
    case 'link':
      return [null, { '@id': `/api/${name}/1`, id: 1, name: 'Named', title: 'Named' }]
    case 'json':
      return [['One'], ['Two']]
    default:
      throw new Error(`Nobody has stated how to fill in ${name} (${field.kind})`)
  }
}

/** Returns one record with every field, and records that differ from it in one field, by the path of that field. */
function variantsOf({ kind }: DocumentTypeScreens): readonly [Values, readonly (readonly [string, Values])[]] {
  const declared = kind.fields as Readonly<Record<string, Field>> | undefined
  const form = Object.fromEntries(formFieldsIn(kind.schema).map((field) => [field.name, field]))
  const names = [...new Set([...Object.keys(form), ...Object.keys(declared ?? {})])]
  const rowFieldsOf = (name: string): Readonly<Record<string, AnyField>> | undefined => {
    const target = declared?.[name]?.kind === 'rows' ? declared[name].target?.() : undefined
    if (target) return Object.fromEntries(Object.entries<Field>(target.fields).filter(([, field]) => !field.readonly))
    const rows = form[name]?.kind === 'rows' ? form[name].fields : undefined
    return rows && Object.fromEntries(rows.map((field) => [field.name, field]))
  }
  const base: Record<string, unknown> = {}
  const variants: [string, Values][] = []
  for (const name of names) {
    if (UNCOMPARED.includes(name)) continue
    const rowFields = rowFieldsOf(name)
    if (!rowFields) {
      const [value, ...others] = valuesOf(name, declared?.[name] ?? (form[name] as FormField))
      base[name] = value
      for (const [i, other] of others.entries()) variants.push([`${name} ${i + 1}`, { [name]: other }])
      continue
    }
    const told = Object.entries(rowFields).filter(([key]) => !UNCOMPARED.includes(key))
    const row = Object.fromEntries(told.map(([key, field]) => [key, valuesOf(key, field)[0]]))
    const head = { ...row, controlName: '', controlDescription: '', tier: null, judged: true }
    const isHazards = 'controlName' in row
    const listOf = (changed: Values) =>
      isHazards
        ? [
            { ...head, ...onlyShared(changed) },
            { ...row, judged: true, ...changed },
          ]
        : [{ ...row, ...changed }]
    base[name] = listOf({})
    for (const [key, field] of told) {
      const [, ...others] = valuesOf(key, field)
      const beside = key === 'file' && 'target' in row ? { target: null } : {}
      for (const [i, other] of others.entries())
        variants.push([`${name}.${key} ${i + 1}`, { [name]: listOf({ [key]: other, ...beside }) }])
    }
    variants.push([`${name} removed`, { [name]: [] }])
  }
  return [base, variants]
}

/** Values that the lines of a hazard share. */
const onlyShared = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => (SHARED_HAZARD_FIELDS as readonly string[]).includes(name)),
  )

test.each(
  [risk, method, talk, coshh, policy, pack].map(
    (screens: DocumentTypeScreens) => [screens.kind.kind, screens] as const,
  ),
)('the comparison of revisions shows a change of any one field of a %s', (_, screens) => {
  const [base, variants] = variantsOf(screens)
  const differ = (after: Values) => compareRevisions(screens.kind, base, after, screens.compare)
  expect(differ(base)).toEqual([])
  expect(variants.length).toBeGreaterThan(3)
  expect(variants.filter(([, change]) => !differ({ ...base, ...change }).length).map(([path]) => path)).toEqual([])
})
