import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Values } from '#kernel/forms/visible.ts'
import { toText } from '#kernel/text.ts'
import { hasSameContent } from './lines.ts'
import {
  acceptTemplateChanges,
  splitParagraphs,
  type TemplateComparison,
  type ThreeWayVersions,
  templateChanges,
} from './three-way.ts'

const compares: TemplateComparison = {
  fields: ['intent', 'days', 'people', 'lines', 'method'],
  called: (field) =>
    field === 'lines'
      ? { row: (row) => `${toText(row.hazard)}\n${toText(row.control)}`, of: (row) => toText(row.hazard) }
      : { row: (row) => toText(row.title) },
  says: (_field, name) => name !== 'id',
}
const take = (three: ThreeWayVersions, keys?: readonly string[]): Values => ({
  ...three.mine,
  ...acceptTemplateChanges(three, compares, new Set(keys ?? templateChanges(three, compares).map(({ key }) => key))),
})
const words = (rows: unknown) => (rows as Values[]).map((row) => ({ ...row, id: undefined }))
const keysOf = (three: ThreeWayVersions) => templateChanges(three, compares).map(({ key, own }) => [key, own])

const DUST = { hazard: 'Dust', control: '', probability: 3 }
const MASK = { hazard: 'Dust', control: 'Masks', probability: 3 }
const NOISE = { hazard: 'Noise', control: '', probability: 2 }

describe('merging an updated template', () => {
  test('a template update can change a paragraph next to one that the copy has changed', () => {
    const three = {
      base: { intent: '<p>Safe.</p><p>Every year.</p>' },
      theirs: { intent: '<p>Safe.</p><p>Every six months.</p>' },
      mine: { intent: '<p>Safe at Kelham.</p><p>Every year.</p>' },
    }
    // Adjacent changed paragraphs are treated as one passage, because they can't be told apart without unchanged text
    // between them.
    const apart = {
      base: { intent: '<p>Safe.</p><p>All of us.</p><p>Every year.</p>' },
      theirs: { intent: '<p>Safe.</p><p>All of us.</p><p>Every six months.</p>' },
      mine: { intent: '<p>Safe at Kelham.</p><p>All of us.</p><p>Every year.</p>' },
    }
    expect([keysOf(three), keysOf(apart)]).toEqual([[['intent¶0', true]], [['intent¶0', false]]])
    expect(take(apart).intent).toBe('<p>Safe at Kelham.</p><p>All of us.</p><p>Every six months.</p>')
    expect(templateChanges(apart, compares)[0]).toMatchObject({
      before: '<p>Every year.</p>',
      after: '<p>Every six months.</p>',
    })
  })

  test('a template update adds a control to a hazard that the copy has re-rated, and leaves the rest of the hazard unchanged', () => {
    const mine = [
      { ...DUST, probability: 4, id: 1 },
      { ...MASK, probability: 4, id: 2 },
      { hazard: 'Rats', control: '', id: 3 },
    ]
    const vacuum = { hazard: 'Dust', control: 'Vacuum cleaner', probability: 3 }
    const three = { base: { lines: [DUST, MASK] }, theirs: { lines: [DUST, MASK, vacuum] }, mine: { lines: mine } }
    expect(keysOf(three)).toEqual([['lines#Dust', false]])
    expect(take(three).lines).toEqual([mine[0], mine[1], vacuum, mine[2]])
  })

  test('a new rating in the template is marked as a conflict if the copy has also changed the rating', () => {
    const three = {
      base: { lines: [DUST, NOISE] },
      theirs: { lines: [{ ...DUST, probability: 5 }, NOISE] },
      mine: { lines: [{ ...DUST, probability: 4, persons: 'Two' }, NOISE] },
    }
    expect(keysOf(three)).toEqual([['lines#Dust', true]])
    expect(take(three).lines).toEqual([{ ...DUST, probability: 5, persons: 'Two' }, NOISE])
    expect(keysOf({ ...three, mine: { lines: [{ ...DUST, probability: 5 }] } })).toEqual([])
  })

  test('a template update does not restore what the copy removed, and removes only what the copy left unchanged', () => {
    const changed = {
      base: { lines: [DUST, NOISE] },
      theirs: { lines: [{ ...DUST, probability: 5 }] },
      mine: { lines: [NOISE] },
    }
    expect(keysOf(changed)).toEqual([['lines#Noise', false]])
    expect(take(changed).lines).toEqual([])
  })

  test('a template update adds items to a list of words and to a nested list', () => {
    const three = {
      base: { people: ['All'], method: { tasks: [{ title: 'Access', text: 'Ladder' }], note: 'x' } },
      theirs: { people: ['All', 'Visitors'], method: { tasks: [{ title: 'Access', text: 'Tower' }], note: 'x' } },
      mine: { people: ['Us'], method: { tasks: [{ title: 'Access', text: 'Ladder' }], note: 'y' } },
    }
    expect(keysOf(three)).toEqual([
      ['people', false],
      ['method.tasks#Access', false],
    ])
    expect(take(three)).toEqual({
      people: ['Us', 'Visitors'],
      method: { tasks: [{ title: 'Access', text: 'Tower' }], note: 'y' },
    })
    expect(templateChanges(three, compares)[1]?.after).toEqual({ tasks: [{ title: 'Access', text: 'Tower' }] })
  })
})

const paragraph = fc.constantFrom('<p>a</p>', '<p>b</p>', '<p>c</p>', '<p>d</p>', '<ul><li>e</li><li>f</li></ul>')
const line = fc.record({
  hazard: fc.constantFrom('Dust', 'Noise', 'Fire', 'Falls'),
  control: fc.constantFrom('', 'Masks', 'Nets', 'Alarm'),
  probability: fc.integer({ min: 1, max: 3 }),
  persons: fc.constantFrom('', 'All'),
})
const lines = fc.uniqueArray(line, { maxLength: 8, selector: ({ hazard, control }) => `${hazard} ${control}` })
const values = fc.record({
  intent: fc.array(paragraph, { maxLength: 5 }).map((all) => all.join('')),
  days: fc.option(fc.nat(3)),
  people: fc.uniqueArray(fc.constantFrom('All', 'Us', 'Visitors', 'Drivers')),
  lines,
  method: fc.record({ note: fc.option(fc.constantFrom('x', 'y', 'z')) }),
})
const three = fc.record({ base: values, theirs: values, mine: values })

describe('merging arbitrary versions', () => {
  test('accepting no template changes leaves the copy unchanged, and each change is listed only once', () => {
    fc.assert(
      fc.property(three, (t) => {
        expect(take(t, [])).toEqual(t.mine)
        const keys = templateChanges(t, compares).map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  test('accepting all changes makes an unchanged copy equal to its template', () => {
    fc.assert(
      fc.property(values, values, (base, theirs) => {
        const { lines: rows, people, ...rest } = take({ base, theirs, mine: structuredClone(base) })
        const { lines: now, people: all, ...others } = theirs
        expect(hasSameContent(rest, others)).toBe(true)
        expect(new Set(people as string[])).toEqual(new Set(all))
        const sorted = (list: unknown) =>
          words(list)
            .map((row) => JSON.stringify(row))
            .toSorted()
        expect(sorted(rows)).toEqual(sorted(now))
      }),
    )
  })

  test("the copy's changes are kept if the template has not changed or its change is ignored", () => {
    fc.assert(
      fc.property(three, fc.func(fc.boolean()), (t, choose) => {
        const all = templateChanges(t, compares)
        const kept = new Set(all.filter(({ key, own }) => !own && choose(key)).map(({ key }) => key))
        const after = take(t, [...kept])
        // No accepted change conflicted with the copy's own text, so all of the copy's changes must still be there.
        if (!hasSameContent(t.mine.days, t.base.days)) expect(after.days).toEqual(t.mine.days)
        const added = t.mine.people.filter((p) => !t.base.people.includes(p))
        expect(after.people).toEqual(expect.arrayContaining(added))
        const named = (of: { hazard: string; control: string }) => `${of.hazard} ${of.control}`
        const own = t.mine.lines.filter((l) => !t.base.lines.some((b) => b.hazard === l.hazard))
        for (const l of own.filter((l) => !t.theirs.lines.some((o) => o.hazard === l.hazard)))
          expect((after.lines as { hazard: string; control: string }[]).map(named)).toContain(named(l))
      }),
    )
  })

  test('accepted and ignored template changes are never offered again', () => {
    fc.assert(
      fc.property(three, fc.func(fc.boolean()), (t, choose) => {
        const keys = templateChanges(t, compares)
          .map(({ key }) => key)
          .filter((key) => choose(key))
        expect(templateChanges({ base: t.theirs, theirs: t.theirs, mine: take(t, keys) }, compares)).toEqual([])
        // Skips texts with repeated paragraphs: when compared with the old template again, a repeated paragraph that
        // moved can't be told from its copy.
        const { length } = splitParagraphs(t.mine.intent)
        if (new Set(splitParagraphs(t.mine.intent)).size < length) return
        const whole = take(t)
        expect(templateChanges({ ...t, mine: whole }, compares).filter(({ field }) => field !== 'lines')).toEqual([])
      }),
    )
  })

  test('joining the paragraphs of a split text restores the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(paragraph), (plain, all) => {
        expect(splitParagraphs(plain).join('')).toBe(plain)
        expect(splitParagraphs(all.join(''))).toEqual(all)
        expect(splitParagraphs(`${all.join('')}${plain}`).join('')).toBe(`${all.join('')}${plain}`)
      }),
    )
  })
})
