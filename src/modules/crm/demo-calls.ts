import { fromUnix, type Instant, LONDON, londonDate } from '#kernel/time.ts'
import { isWorkingDay } from '#kernel/working-days.ts'
import { type Decision, decide, type Rule } from './outcomes/decide.ts'

export type Numbers = (n: number) => number

/** A lead of the demo world that has been spoken to: how its last call left it. */
export interface Spoken {
  /** A result that a call can leave a lead with; 6 that of a quote, which was pitched for. */
  readonly result: number
  /** When it is to be rung again, in unix seconds, where that was agreed. */
  readonly due: number | null
  /** For how many days nobody has rung it. */
  readonly rests: number
}

export interface Called<L> {
  readonly lead: L
  readonly at: Instant
  readonly result: number
  readonly minutes: number
  readonly decision: Decision
}

const NO_ANSWER = 47
const CALLED_WEEKS = 9
/** Calls on a slow day, and how many more there can be. */
const A_DAY = [8, 7] as const
/** From nine to five, in minutes. */
const OPEN = 8 * 60
const LONGEST = 15
/** What a callback is agreed for: no further off. */
const AHEAD_DAYS = 28

/** How the last call ended, by the result that it has left: the same as a rule. */
const LAST: Readonly<Record<number, readonly number[]>> = { 3: [NO_ANSWER, NO_ANSWER, 3, 43], 6: [5] }
/** How calls ended after which there was another. */
const BEFORE: readonly number[] = [NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, NO_ANSWER, 31, 31, 5, 30, 54]

interface Slot {
  readonly at: Instant
  readonly minutes: number
}

/** When a seller was on the telephone: on working days, from nine to five, one call after the other; the latest first. */
function slotsUntil(now: Instant, rnd: Numbers): Slot[] {
  const today = londonDate(now)
  return Array.from({ length: CALLED_WEEKS * 7 }, (_, n) => today.subtract({ days: n }))
    .filter((day) => isWorkingDay(day))
    .flatMap((day) => {
      const count = A_DAY[0] + rnd(A_DAY[1])
      const apart = Math.floor(OPEN / count)
      const nine = day.toZonedDateTime({ timeZone: LONDON, plainTime: '09:00' }).toInstant()
      return Array.from({ length: count }, (_, k) => ({
        at: nine.add({ minutes: k * apart + rnd(apart - LONGEST) }),
        minutes: 1 + rnd(LONGEST - 1),
      })).toReversed()
    })
    .filter(({ at, minutes }) => Temporal.Instant.compare(at.add({ minutes }), now) <= 0)
}

const DAY = 24 * 3600
const secondsOf = (at: Instant) => Math.floor(at.epochMilliseconds / 1000)

/** Can the last call of a lead have been then? What was agreed for is still to come after it. */
const canEnd = ({ due, rests }: Spoken, at: Instant, now: Instant): boolean =>
  due === null
    ? secondsOf(at) <= secondsOf(now) - rests * DAY
    : due > secondsOf(at) + 3600 && due < secondsOf(at) + AHEAD_DAYS * DAY

/**
 * The calls of a seller to leads of their own, told backwards, the latest first: each was promised by the one before, and the last
 * has left the lead as it is.
 */
export function callsTo<L extends Spoken>(
  rnd: Numbers,
  now: Instant,
  leads: readonly L[],
  ruleOf: (result: number) => Rule,
): Called<L>[] {
  const after = new Map<L, Instant>()
  return slotsUntil(now, rnd).flatMap(({ at, minutes }) => {
    const lead = Array.from({ length: 12 }, () => leads[rnd(leads.length)]).find((one) => {
      const next = one && after.get(one)
      return one && (next ? londonDate(next).since(londonDate(at)).days > 0 : canEnd(one, at, now))
    })
    if (!lead) return []
    const next = after.get(lead)
    const ways = next ? BEFORE : (LAST[lead.result] ?? [lead.result])
    const result = ways[rnd(ways.length)] ?? NO_ANSWER
    const promised = next ? Math.floor(secondsOf(next) / 900) * 900 : lead.due
    after.set(lead, at)
    return [
      { lead, at, result, minutes: result === NO_ANSWER ? 0 : minutes, decision: decide(ruleOf(result), at, promised) },
    ]
  })
}

/** A time at which offices are open, at a whole quarter of an hour between nine and five: what is over stays over, what is to come is to come. */
export function openNear(seconds: number, now: Instant): number {
  const there = fromUnix(seconds).toZonedDateTimeISO(LONDON)
  let day = there.toPlainDate()
  while (!isWorkingDay(day)) day = day.add({ days: seconds < secondsOf(now) ? -1 : 1 })
  const minutes = (Math.floor((there.hour * 60 + there.minute) / 15) * 15) % OPEN
  return secondsOf(day.toZonedDateTime({ timeZone: LONDON, plainTime: '09:00' }).add({ minutes }).toInstant())
}
