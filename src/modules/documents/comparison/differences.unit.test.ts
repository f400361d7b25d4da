import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { json, rows } from '#kernel/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { riskItem } from '#modules/safety/risk/risk-assessment.ts'
import { compareRevisions, diffWords } from './differences.ts'

const schema: FormSchema = {
  title: 'Assessment',
  steps: [
    {
      name: 'work',
      title: 'The work',
      groups: [
        {
          fields: [
            { name: 'description', kind: 'text', label: 'What is being assessed?' },
            { name: 'note', kind: 'richText', label: 'Note' },
            { name: 'groups', kind: 'combobox', label: 'Who might be harmed' },
            { name: 'controls', kind: 'custom', label: 'Hazards' },
            { name: 'method', kind: 'custom', label: 'Method' },
            { name: 'contacts', kind: 'emergencyContacts', label: 'Emergency contacts' },
          ],
        },
      ],
    },
  ],
}
const kind = {
  schema,
  title: { field: 'description', label: 'Description', required: 'x' },
  fields: { controls: rows(() => riskItem, { by: 'document', label: 'Hazards' }), method: json(), secret: json() },
}

const line = (hazardName: string, more: object = {}) => ({ '@id': `/x/${Math.random()}`, hazardName, ...more })
const called = {
  rowName: (f: string, r: Record<string, unknown>) => (f === 'controls' ? String(r.hazardName) : undefined),
}

describe('differences between two revisions', () => {
  test('changed text shows the words removed and added', () => {
    expect(
      compareRevisions(kind, { description: 'Roof repairs at Unit 4' }, { description: 'Roof repairs at Unit 5' }),
    ).toEqual([
      {
        name: 'description',
        label: 'What is being assessed?',
        pieces: [{ text: 'Roof repairs at Unit ' }, { text: '4', mark: 'removed' }, { text: '5', mark: 'added' }],
      },
    ])
  })

  test('formatted text is compared word by word, and a change of formatting alone is not reported', () => {
    expect(compareRevisions(kind, { note: '<p>Keep <b>clear</b></p>' }, { note: '<p>Keep clear</p>' })).toEqual([])
    const [found] = compareRevisions(
      kind,
      { note: '<p>Keep clear</p>' },
      { note: '<ul><li>Keep clear</li><li>Look up</li></ul>' },
    )
    expect(found).toMatchObject({ label: 'Note' })
    expect(JSON.stringify(found)).toContain('Look up')
  })

  test('rows are matched by name, although each revision has its own copies', () => {
    const before = { controls: [line('Dust', { probability: 5 }), line('Noise'), line('Fire')] }
    const after = { controls: [line('Fire'), line('Dust', { probability: 2 }), line('Asbestos')] }
    expect(compareRevisions(kind, before, after, called)).toMatchObject([
      {
        label: 'Hazards',
        rows: [
          { change: 'changed', title: 'Dust', values: [{ label: 'Probability' }, { label: 'Position' }] },
          { change: 'added', title: 'Asbestos' },
          { change: 'removed', title: 'Noise' },
        ],
      },
    ])
  })

  test('rows in another order are shown as moved, and no others', () => {
    const lines = ['Dig', 'Shore', 'Lay', 'Backfill'].map((name) => line(name))
    const [dig, shore, lay, fill] = lines
    const found = compareRevisions(
      kind,
      { controls: lines },
      { controls: [dig, lay, shore, line('Test'), fill] },
      called,
    )
    expect(found).toMatchObject([
      {
        rows: [
          { title: 'Shore', values: [{ label: 'Position', pieces: [{ text: '2' }, { text: '3' }] }] },
          { change: 'added', title: 'Test' },
        ],
      },
    ])
    expect(compareRevisions(kind, { controls: lines }, { controls: [line('Test'), ...lines] }, called)).toMatchObject([
      { rows: [{ change: 'added' }] },
    ])
  })

  test('a renamed row is matched as the same row', () => {
    const more = { tier: 'ppe', persons: 'All', probability: 3, severity: 4 }
    const found = compareRevisions(
      kind,
      { controls: [line('Dust', more)] },
      { controls: [line('Silica dust', more)] },
      called,
    )
    expect(found).toMatchObject([
      { rows: [{ change: 'changed', title: 'Silica dust', values: [{ name: 'hazardName' }] }] },
    ])
  })

  test('a retired row counts as removed', () => {
    const found = compareRevisions(
      kind,
      { controls: [line('Dust')] },
      { controls: [line('Dust', { retired: true })] },
      called,
    )
    expect(found).toMatchObject([{ rows: [{ change: 'removed', title: 'Dust' }] }])
  })

  test('lists inside a row value are compared item by item', () => {
    const found = compareRevisions(
      kind,
      { method: { defaultStatements: [{ '@id': '/s/1', title: 'Access', text: '<p>By ladder</p>' }] } },
      { method: { defaultStatements: [{ '@id': '/s/1', title: 'Access', text: '<p>By tower</p>' }] } },
    )
    expect(found).toMatchObject([{ label: 'Default statements', rows: [{ change: 'changed', title: 'Access' }] }])
  })

  test('fields that a document type excludes are not compared', () => {
    expect(compareRevisions(kind, { secret: 1 }, { secret: 2 }, { omit: ['secret'] })).toEqual([])
    expect(compareRevisions(kind, { secret: 1 }, { secret: 2 })).toHaveLength(1)
  })
})

const row = fc.record({ hazardName: fc.string(), tier: fc.constantFrom('ppe', 'engineering'), probability: fc.nat(5) })
const revision = fc.record({
  description: fc.string(),
  note: fc.string(),
  groups: fc.array(fc.string()),
  controls: fc.array(row, { maxLength: 6 }),
})

describe('differences between arbitrary revisions', () => {
  test('a revision has no differences from itself', () => {
    fc.assert(
      fc.property(revision, (r) => {
        expect(compareRevisions(kind, r, structuredClone(r), called)).toEqual([])
      }),
    )
  })

  test('text pieces not marked as added form the old text, and those not marked as removed form the new text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const all = diffWords(a, b)
        const without = (mark: string) => all.filter((p) => p.mark !== mark).map((p) => p.text)
        expect(without('added').join('')).toBe(a)
        expect(without('removed').join('')).toBe(b)
      }),
    )
  })

  test('the numbers of added and removed rows match the row counts of both revisions', () => {
    fc.assert(
      fc.property(revision, revision, (a, b) => {
        const rowsOf = compareRevisions(kind, { controls: a.controls }, { controls: b.controls }, called).flatMap(
          (d) => ('rows' in d ? d.rows : []),
        )
        const count = (change: string) => rowsOf.filter((r) => r.change === change).length
        expect(count('added') - count('removed')).toBe(b.controls.length - a.controls.length)
      }),
    )
  })
})
