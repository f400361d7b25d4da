import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHAIN_START,
  CHAIN_START_HASH,
  type ChainLink,
  canonicalJson,
  digestSubject,
  findChainLinkError,
  hashChainLink,
} from './link.ts'

/** Builds a chain from the given subjects, in the same way as `appendToChain`. */
function chained(subjects: readonly unknown[]): ChainLink[] {
  let previous = CHAIN_START_HASH
  return subjects.map((subject, i) => {
    const open = {
      form: i % 2 ? (2 as const) : (1 as const),
      place: i + 1,
      event: 'completed',
      subjectType: 'Document',
      subjectId: i,
      digest: digestSubject(subject),
      previous,
      at: '2026-11-21T09:00:00Z',
      by: 'ada',
    }
    const link = { ...open, subject, hash: hashChainLink(open) }
    previous = link.hash
    return link
  })
}

/** Finds the first broken link. */
function firstBreak(links: readonly ChainLink[]): { link: ChainLink; why: string } | undefined {
  let end = CHAIN_START
  for (const link of links) {
    const why =
      findChainLinkError(link, end) ??
      (digestSubject(link.subject) === link.digest ? undefined : 'what it sealed is another')
    if (why) return { link, why }
    end = link
  }
  return undefined
}

const subjects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 12 })

describe('an audit chain', () => {
  test('an audit chain is valid if nothing was changed', () => {
    fc.assert(
      fc.property(subjects, (s) => {
        expect(firstBreak(chained(s))).toBeUndefined()
      }),
    )
  })

  test('an audit chain is unchanged after a round trip through the database', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (v) => {
        expect(canonicalJson(JSON.parse(JSON.stringify(JSON.parse(canonicalJson(v)))))).toBe(canonicalJson(v))
      }),
    )
  })

  test('an audit chain becomes invalid at the position of any change', () => {
    const change = fc.constantFrom<(l: ChainLink) => Partial<ChainLink>>(
      (l) => ({ subject: { was: l.subject } }),
      () => ({ by: 'eve' }),
      () => ({ at: '2020-01-01T00:00:00Z' }),
      (l) => ({ subjectId: l.subjectId + 1 }),
      (l) => ({ form: l.form === 1 ? 2 : 1 }),
      (l) => (l.form === 1 ? { by: 'eve' } : { subjectType: 'ToolboxTalkPresented' }),
      (l) => ({ digest: digestSubject([l.digest]) }),
      () => ({ event: 'approved' }),
    )
    fc.assert(
      fc.property(subjects, fc.nat(), change, (s, n, how) => {
        const links = chained(s)
        const at = n % links.length
        links[at] = { ...(links[at] as ChainLink), ...how(links[at] as ChainLink) }
        expect(firstBreak(links)?.link.place).toBe(at + 1)
      }),
    )
  })

  test('an audit chain becomes invalid where a link is removed or moved', () => {
    fc.assert(
      fc.property(subjects, fc.nat(), (s, n) => {
        const links = chained([...s, { last: true }])
        const at = n % (links.length - 1)
        expect(firstBreak(links.toSpliced(at, 1))?.why).toBe(`entry ${at + 1} is missing`)
        expect(firstBreak(links.toReversed())).toBeDefined()
      }),
    )
  })

  test('an audit chain becomes invalid at the next link if a changed link has been rehashed', () => {
    fc.assert(
      fc.property(subjects, fc.nat(), (s, n) => {
        const links = chained([...s, { last: true }])
        const at = n % (links.length - 1)
        const forged = {
          ...(links[at] as ChainLink),
          subject: { forged: true },
          digest: digestSubject({ forged: true }),
        }
        links[at] = { ...forged, hash: hashChainLink(forged) }
        expect(firstBreak(links)?.link.place).toBe(at + 2)
      }),
    )
  })
})
