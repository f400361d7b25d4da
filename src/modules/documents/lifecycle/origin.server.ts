import { withoutPlaceholders } from '#kernel/forms/placeholders.ts'
import type { RowOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import type { DocumentKind, DocumentRow, DocumentValues, DocumentWords, Settled } from '../types/kind.ts'
import { copiedAnswers, stillUnconfirmed } from '../types/origin.ts'

type Values = Readonly<Record<string, unknown>>

/** After so many months what a revision said of place, day, people and risk is asked about in the next one. */
const FRESH_MONTHS = 12

/** Is the next revision one of something that nobody has looked at for long: past its review, or a year old? */
function isStale({ now }: Context, former: DocumentRow): boolean {
  const today = londonDate(now)
  const decided = former.approvedAt ?? former.completedAt
  const ago = today.subtract({ months: FRESH_MONTHS })
  return (
    (former.reviewDue !== null && Temporal.PlainDate.compare(former.reviewDue, today) <= 0) ||
    (decided !== null && Temporal.PlainDate.compare(londonDate(Temporal.Instant.from(decided)), ago) <= 0)
  )
}

const named = ({ documentNumber, revision }: { readonly documentNumber: string; readonly revision: number }) =>
  `${documentNumber} revision ${revision}`

/** What the origin of a new document is called; nothing where its client doesn't see it: another client's, that the provider has copied. */
function originName(source: RowOf<typeof document> | undefined): string {
  if (!source) return ''
  return source.isTemplate ? `the template “${shortened(source.title ?? '')}”` : named(source)
}

const LONGEST_TITLE = 80

const shortened = (title: string) => (title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title)

/**
 * What a new document says of where its words come from. A copy, and the next revision of one that is past its review, begins
 * unconfirmed, whoever sends it and whatever it says of itself; what only held a place in a template is empty.
 */
export async function originOf(
  c: Context,
  kind: DocumentKind,
  given: Values,
  former: DocumentRow | undefined,
): Promise<{ readonly copied: boolean; readonly values: DocumentWords }> {
  const origin = typeof given.origin === 'number' ? given.origin : undefined
  const stale = former !== undefined && isStale(c, former)
  const source = origin === undefined ? undefined : await c.get(document, origin)
  // What is begun from a record of another kind is about the same job: what it takes from there was said for this one.
  const copied = stale || (origin !== undefined && (source?.kind ?? kind.kind) === kind.kind)
  const answers = given.isTemplate === true ? given : withoutPlaceholders(kind.schema, given)
  const emptied = Object.fromEntries(
    Object.keys(given).flatMap((n) => (answers[n] === given[n] ? [] : [[n, answers[n]]])),
  )
  return {
    copied,
    values: {
      ...emptied,
      copiedFrom: origin !== undefined ? originName(source) : stale ? named(former) : '',
      unconfirmed: copied ? copiedAnswers(kind, answers) : [],
      confirmed: {},
    },
  }
}

/** What a change confirms of the answers that came with a copy: by whom, and when. */
export function confirmAnswers(c: Context, kind: DocumentKind, before: DocumentRow, changes: Values): DocumentWords {
  const stored: Values = before
  const was = stored.unconfirmed
  if (!Array.isArray(was) || !was.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  const left = stillUnconfirmed(kind, stored, changes)
  const confirmation = { by: author(c.actor).username, at: c.now.toString() }
  const told = was.filter((name) => !left.includes(name)).map((name: string) => [name, confirmation])
  if (!told.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  return { unconfirmed: left, confirmed: { ...(stored.confirmed as Values | null), ...Object.fromEntries(told) } }
}

/** The rows of a revision as its kind keeps them. */
export const settleRows = (
  c: Context,
  kind: DocumentKind,
  revision: Pick<Settled, 'next' | 'before' | 'copied'>,
): DocumentValues => kind.settle?.({ ...revision, by: author(c.actor).username, at: c.now.toString() }) ?? {}
