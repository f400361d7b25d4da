import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { document } from '#modules/documents/types/document.ts'
import type { Context } from '#server/engine/types.ts'
import { toolboxTalk } from './toolbox-talk.ts'

type Talk = RowOf<typeof document>

export const talkOf = (c: Context, id: number): Promise<Talk | undefined> =>
  c.once(`talk ${id}`, () => c.get(document, id))

/** Returns true if the document is a talk in force. */
export const isInForce = (talk: Talk | undefined) => talk?.kind === toolboxTalk.kind && talk.current && !talk.retired

/** Time at which a talk was held: its day and, if known, the minute at which it began. */
interface TalkTime {
  readonly date?: string | null
  readonly startTime?: string | null
}

/**
 * Period in which a revision has been in force. `until` is null while the revision is in force, and `since` is null if
 * unknown.
 */
interface ForcePeriod {
  readonly since: string | null
  readonly until: string | null
  /**
   * True for the first revision: a talk held on the day of its approval can't have been held under another revision.
   */
  readonly isFirst: boolean
}

/** Returns the period in which a revision of a talk has been in force; undefined if it never was, or was deleted. */
async function loadForcePeriod(c: Context, talk: Talk | undefined): Promise<ForcePeriod | undefined> {
  if (talk?.kind !== toolboxTalk.kind) return undefined
  const begun = { since: talk.approvedAt ?? talk.completedAt, isFirst: talk.revision === 1 }
  if (isInForce(talk)) return { ...begun, until: null }
  if (talk.state === 'current') return talk.endedAt ? { ...begun, until: talk.endedAt } : undefined
  if (talk.state !== 'replaced' || talk.retired) return undefined
  const { clientId, documentNumber, revision } = talk
  const later = (await c.find(document, { documentNumber, state: ['current', 'replaced'] }))
    .filter((one) => one.clientId === clientId && one.revision > revision)
    .toSorted((one, other) => one.revision - other.revision)[0]
  const until = later?.approvedAt ?? later?.completedAt
  return until ? { ...begun, until } : undefined
}

/** Returns the day and the minute of an instant in London. */
function londonMinute(at: string): { readonly day: string; readonly minute: string } {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(LONDON_TIME_ZONE)
  return { day: local.toPlainDate().toString(), minute: local.toPlainTime().toString().slice(0, 5) }
}

/** Returns -1 if the talk was held before the instant, 1 if after it, and 0 if it is unknown or in the same minute. */
function compareTalkTime({ date, startTime }: TalkTime, at: string | null): number {
  if (!date || !at) return 0
  const { day, minute } = londonMinute(at)
  return date === day && startTime ? startTime.localeCompare(minute) : date.localeCompare(day)
}

const isTooEarly = ({ since, isFirst }: ForcePeriod, { date, startTime }: TalkTime): boolean =>
  compareTalkTime({ date, ...(isFirst ? {} : { startTime }) }, since) < 0
const isTooLate = ({ until }: ForcePeriod, held: TalkTime): boolean => compareTalkTime(held, until) > 0

const wasInForce = (period: ForcePeriod | undefined, held: TalkTime): boolean =>
  period !== undefined && !isTooEarly(period, held) && !isTooLate(period, held)

/**
 * Returns the title of a talk. Throws 409 if the talk can't be presented: without `held`, now; otherwise, at the time at
 * which it was held.
 */
export async function loadPresentableTalkTitle(c: Context, id: number | undefined, held?: TalkTime): Promise<string> {
  const talk = id === undefined ? undefined : await talkOf(c, id)
  const isPresentable = isInForce(talk) || (held !== undefined && wasInForce(await loadForcePeriod(c, talk), held))
  if (!isPresentable) throw problem.conflict('This talk is not in force. Please choose a talk that is in force.')
  return talk?.title ?? ''
}

/** Returns a violation if the presented revision of a talk was not in force at the time at which the talk was held. */
export async function validateHeldInForce(c: Context, id: number | undefined, held: TalkTime): Promise<Violation[]> {
  const period = await loadForcePeriod(c, id === undefined ? undefined : await talkOf(c, id))
  if (!period) return []
  const { since, until } = period
  const name = (at: string) => {
    const { day, minute } = londonMinute(at)
    return `${formatIsoDateAsUk(day)}${day === held.date ? ` at ${minute}` : ''}`
  }
  if (since && isTooEarly(period, held)) {
    const sentence = `This revision came into force on ${name(since)}. Please choose that date or a later one`
    return [violation('date', sentence, 'too_small')]
  }
  if (until && isTooLate(period, held)) {
    const sentence = `This revision was in force until ${name(until)}. Please choose that date or an earlier one, or present the current revision`
    return [violation('date', sentence, 'too_big')]
  }
  return []
}

/**
 * Throws 409 unless the talk's presented revision is in force or, with `held`, was in force when the talk was held.
 */
export async function assertTalkInForce(c: Context, id: number | undefined, held?: TalkTime): Promise<void> {
  const talk = id === undefined ? undefined : await talkOf(c, id)
  if (isInForce(talk) || (held !== undefined && wasInForce(await loadForcePeriod(c, talk), held))) return
  throw problem.conflict('This revision of the talk is no longer in force. Please present the current one.')
}
