import { withoutPlaceholders } from '#kernel/forms/placeholders.ts'
import type { RowOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import type { DocumentContent, DocumentKind, DocumentRow, DocumentValues, RevisionToSave } from '../types/kind.ts'
import { answersToConfirm, stillUnconfirmed } from '../types/origin.ts'

type Values = Readonly<Record<string, unknown>>

/** Months after which the next revision must confirm place, date, people and risk. */
const FRESH_MONTHS = 12

/** True if the previous revision is past its review or a year old. */
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

/**
 * Name of a new document's source; empty if its client can't see it (another client's document copied by the provider).
 */
function originName(source: RowOf<typeof document> | undefined): string {
  if (!source) return ''
  return source.isTemplate ? `the template “${shortened(source.title ?? '')}”` : named(source)
}

const LONGEST_TITLE = 80

const shortened = (title: string) => (title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title)

/**
 * Origin of a new document. A copy, and the next revision of a document past its review, start unconfirmed whatever the
 * request says; template placeholders become empty.
 */
export async function originColumns(
  c: Context,
  kind: DocumentKind,
  given: Values,
  former: DocumentRow | undefined,
): Promise<{ readonly copied: boolean; readonly values: DocumentContent }> {
  const origin = typeof given.origin === 'number' ? given.origin : undefined
  const stale = former !== undefined && isStale(c, former)
  const source = origin === undefined ? undefined : await c.get(document, origin)
  // A document started from a record of another type is about the same job, so its answers need no confirmation.
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
      unconfirmed: copied ? answersToConfirm(kind, answers) : [],
      confirmed: {},
    },
  }
}

export function confirmCopiedAnswers(
  c: Context,
  kind: DocumentKind,
  before: DocumentRow,
  changes: Values,
): DocumentContent {
  const stored: Values = before
  const was = stored.unconfirmed
  if (!Array.isArray(was) || !was.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  const left = stillUnconfirmed(kind, stored, changes)
  const confirmation = { by: author(c.actor).username, at: c.now.toString() }
  const told = was.filter((name) => !left.includes(name)).map((name: string) => [name, confirmation])
  if (!told.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  return { unconfirmed: left, confirmed: { ...(stored.confirmed as Values | null), ...Object.fromEntries(told) } }
}

export const normaliseRows = (
  c: Context,
  kind: DocumentKind,
  revision: Pick<RevisionToSave, 'next' | 'before' | 'copied'>,
): DocumentValues => kind.settle?.({ ...revision, by: author(c.actor).username, at: c.now.toString() }) ?? {}
