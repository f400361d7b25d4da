import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BEGINNING, breakOf, canonical, digestOf, type Link, linkHash, START } from './link.ts'

/** Builds a chain of the given subjects, as `appendToChain` does. */
function chained(subjects: readonly unknown[]): Link[] {
  let previous = BEGINNING
  return subjects.map((subject, i) => {
    const open = {
      form: i % 2 ? (2 as const) : (1 as const),
      place: i + 1,
      event: 'completed',
      subjectType: 'Document',
      subjectId: i,
      digest: digestOf(subject),
      previous,
      at: '2026-11-21T09:00:00Z',
      by: 'ada',
    }
    const link = { ...open, subject, hash: linkHash(open) }
    previous = link.hash
    return link
  })
}

/** Finds the first broken link. */
function firstBreak(links: readonly Link[]): { link: Link; why: string } | undefined {
  let end = START
  for (const link of links) {
    const why = breakOf(link, end) ?? (digestOf(link.subject) === link.digest ? undefined : 'what it sealed is another')
    if (why) return { link, why }
    end = link
  }
  return undefined
}

const subjects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 12 })

describe('a chain of links', () => {
  test('is intact if nothing was changed', () => {
    fc.assert(
      fc.property(subjects, (s) => {
        expect(firstBreak(chained(s))).toBeUndefined()
      }),
    )
  })

  test('is unchanged after a round trip through the database', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (v) => {
        expect(canonical(JSON.parse(JSON.stringify(JSON.parse(canonical(v)))))).toBe(canonical(v))
      }),
    )
  })

  test('breaks at the place of any change', () => {
    const change = fc.constantFrom<(l: Link) => Partial<Link>>(
      (l) => ({ subject: { was: l.subject } }),
      () => ({ by: 'eve' }),
      () => ({ at: '2020-01-01T00:00:00Z' }),
      (l) => ({ subjectId: l.subjectId + 1 }),
      (l) => ({ form: l.form === 1 ? 2 : 1 }),
      (l) => (l.form === 1 ? { by: 'eve' } : { subjectType: 'ToolboxTalkPresented' }),
      (l) => ({ digest: digestOf([l.digest]) }),
      () => ({ event: 'approved' }),
    )
    fc.assert(
      fc.property(subjects, fc.nat(), change, (s, n, how) => {
        const links = chained(s)
        const at = n % links.length
        links[at] = { ...(links[at] as Link), ...how(links[at] as Link) }
        expect(firstBreak(links)?.link.place).toBe(at + 1)
      }),
    )
  })

  test('breaks where a link is removed or moved', () => {
    fc.assert(
      fc.property(subjects, fc.nat(), (s, n) => {
        const links = chained([...s, { last: true }])
        const at = n % (links.length - 1)
        expect(firstBreak(links.toSpliced(at, 1))?.why).toBe(`entry ${at + 1} is missing`)
        expect(firstBreak(links.toReversed())).toBeDefined()
      }),
    )
  })

  test('breaks at the next link if a changed link is rehashed', () => {
    fc.assert(
      fc.property(subjects, fc.nat(), (s, n) => {
        const links = chained([...s, { last: true }])
        const at = n % (links.length - 1)
        const forged = { ...(links[at] as Link), subject: { forged: true }, digest: digestOf({ forged: true }) }
        links[at] = { ...forged, hash: linkHash(forged) }
        expect(firstBreak(links)?.link.place).toBe(at + 2)
      }),
    )
  })
})
