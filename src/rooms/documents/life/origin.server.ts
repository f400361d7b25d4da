import { problem } from '#kernel/errors.ts'
import { withoutPlaceholders } from '#kernel/forms/placeholders.ts'
import { idByIri } from '#kernel/iri.ts'
import { author, holds } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/context.ts'
import {
  addressOf,
  type DocumentKind,
  type DocumentRow,
  type DocumentValues,
  type DocumentWords,
  type Settled,
  titleIn,
} from '../kinds/kind.ts'
import { copiedAnswers, stillUnconfirmed } from '../kinds/origin.ts'
import { KEEPERS } from '../rights.ts'

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

const named = ({ documentNumber, revision }: Pick<DocumentRow, 'documentNumber' | 'revision'>) =>
  `${documentNumber} revision ${revision}`

/** The document that a new one says to be a copy of: what it is called, if its client sees it. Throws 400 for one that is not there. */
async function sourceOf(c: Context, kind: DocumentKind, copyOf: string): Promise<string> {
  const id = idByIri(kind.resource, copyOf)
  const source = id === undefined ? undefined : await c.get(kind.resource, id)
  // What the provider's people give to a client may be another client's.
  if (!source && !(id !== undefined && holds(c.actor, KEEPERS))) throw problem.unknownTarget(copyOf)
  if (!source) return ''
  return source.isTemplate ? `the template “${shortened(titleIn(kind, source))}”` : named(source)
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
  const copyOf = addressOf(given.copyOf)
  const stale = former !== undefined && isStale(c, former)
  const copied = copyOf !== '' || stale
  const answers = given.isTemplate === true ? given : withoutPlaceholders(kind.schema, given)
  const emptied = Object.fromEntries(Object.keys(given).flatMap((n) => (answers[n] === given[n] ? [] : [[n, null]])))
  return {
    copied,
    values: {
      ...emptied,
      copyOf,
      copiedFrom: copyOf ? await sourceOf(c, kind, copyOf) : stale ? named(former) : '',
      unconfirmed: copied ? copiedAnswers(kind.schema, answers) : [],
      confirmed: {},
    },
  }
}

/** What a change confirms of the answers that came with a copy: by whom, and when. */
export function confirmAnswers(c: Context, kind: DocumentKind, before: DocumentRow, changes: Values): DocumentWords {
  const stored: Values = before
  const was = stored.unconfirmed
  if (!Array.isArray(was) || !was.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  const left = stillUnconfirmed(kind.schema, stored, changes)
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
