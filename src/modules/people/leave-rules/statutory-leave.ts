import { addDays, formatIsoDateAsUk } from '#kernel/time.ts'
import { dayNumberOf, isoDateOf, weekdayOf } from './days.ts'

const DAYS_PER_WEEK = 7

/** One condition on the day of notice. Days count from the first day of leave, or from the event. */
export interface NoticeRule {
  readonly daysBefore?: number
  /** Notice is this many times as long as the leave, if that is longer. */
  readonly timesLength?: number
  /** Days before leave of two weeks or more. */
  readonly daysBeforeLonger?: number
  /** Last day after the event on which leave may start with notice on its first day. */
  readonly soonUntil?: number
  /** By the end of this week, from Sunday to Saturday, before the week of the event. */
  readonly weeksBeforeEvent?: number
  readonly daysAfterEvent?: number
  /** Day of the event from which the condition applies to everybody. */
  readonly eventFrom?: string
}

/** Conditions of a kind of statutory leave. */
export interface StatutoryRule {
  /** First day of leave to which the conditions apply; null if they are older than any stored leave. */
  readonly from: string | null
  /** Name of the day from which notice or service is counted; null if there is none. */
  readonly event: string | null
  /** Null if leave is a right from the first day of employment. */
  readonly service: { readonly weeks: number; readonly weeksBeforeEvent: number } | 'varies' | null
  /** Empty if the law names no period; null if it varies. */
  readonly notice: readonly NoticeRule[] | null
}

export interface StatutoryFacts {
  readonly employmentStart: string | null
  readonly firstDay: string
  /** Days of the calendar, and days or part days of work, that the leave covers. */
  readonly calendarDays: number
  readonly leaveDays: number
  readonly noticeOn: string
  readonly eventOn: string | null
}

export interface LeaveCondition {
  readonly subject: 'service' | 'notice'
  readonly state: 'met' | 'notMet' | 'unknown'
  readonly text: string
}

/** Sunday of the week of a day. The law counts weeks from Sunday to Saturday. */
const sundayOf = (day: string): string => {
  const number = dayNumberOf(day)
  return isoDateOf(number - ((weekdayOf(number) + 1) % DAYS_PER_WEEK))
}

/** Saturday that ends the week `weeks` before the week of an event. */
const endOfWeekBefore = (event: string, weeks: number): string =>
  addDays(sundayOf(event), DAYS_PER_WEEK - 1 - weeks * DAYS_PER_WEEK)

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns whether service and notice meet the conditions of the law, as far as the stored facts answer it. */
export function checkStatutoryLeave(rule: StatutoryRule, facts: StatutoryFacts): LeaveCondition[] {
  if (rule.from && facts.firstDay < rule.from) {
    const text = `Cannot be computed: the stored rule applies to leave from ${formatIsoDateAsUk(rule.from)}.`
    return [
      { subject: 'service', state: 'unknown', text },
      { subject: 'notice', state: 'unknown', text },
    ]
  }
  return [checkService(rule, facts), ...checkNotice(rule, facts)]
}

const missingEvent = (event: string | null) =>
  `Cannot be computed: the ${lowerFirst(event ?? 'day')} is not stated or not visible to you.`

function checkService({ service, event }: StatutoryRule, facts: StatutoryFacts): LeaveCondition {
  const say = (state: LeaveCondition['state'], text: string) => ({ subject: 'service', state, text }) as const
  if (service === null) return say('met', 'No length of service is needed: a right from the first day of employment.')
  if (service === 'varies') return say('unknown', 'Cannot be computed: it depends on the purpose of the leave.')
  if (!facts.employmentStart) return say('unknown', 'Cannot be computed: the start of employment is not stored.')
  if (!facts.eventOn) return say('unknown', missingEvent(event))
  const latest = latestStart(facts.eventOn, service)
  const isMet = facts.employmentStart <= latest
  return say(
    isMet ? 'met' : 'notMet',
    `${service.weeks} weeks of employment by the end of week ${service.weeksBeforeEvent} before the week of the event: employed since ${formatIsoDateAsUk(facts.employmentStart)}, at the latest ${formatIsoDateAsUk(latest)} is needed.`,
  )
}

/** Latest first day of employment. A week counts if the employment covers any part of it. */
export const latestStart = (
  event: string,
  { weeks, weeksBeforeEvent }: { readonly weeks: number; readonly weeksBeforeEvent: number },
): string => addDays(endOfWeekBefore(event, weeksBeforeEvent), -(weeks - 1) * DAYS_PER_WEEK)

function checkNotice({ notice, event }: StatutoryRule, facts: StatutoryFacts): LeaveCondition[] {
  const say = (state: LeaveCondition['state'], text: string): LeaveCondition => ({ subject: 'notice', state, text })
  if (notice === null) return [say('unknown', 'Cannot be computed: it depends on the purpose of the leave.')]
  if (!notice.length) return [say('met', 'The law names no period of notice.')]
  return notice.map((one) => {
    const found = latestNotice(one, facts)
    if (found === 'transition')
      return say(
        'unknown',
        `Cannot be computed: before ${formatIsoDateAsUk(one.eventFrom ?? '')} some employees need shorter notice.`,
      )
    if (!found) return say('unknown', missingEvent(event))
    const isMet = facts.noticeOn <= found.day
    return say(
      isMet ? 'met' : 'notMet',
      `${found.formula}: notice on ${formatIsoDateAsUk(facts.noticeOn)}, at the latest ${formatIsoDateAsUk(found.day)} is needed.`,
    )
  })
}

interface LatestNotice {
  readonly day: string
  readonly formula: string
}

/** Latest day of notice with its formula; undefined if the event is needed and not known. */
function latestNotice(rule: NoticeRule, facts: StatutoryFacts): LatestNotice | 'transition' | undefined {
  const { eventOn, firstDay } = facts
  if (rule.daysBefore === undefined || rule.soonUntil !== undefined) {
    if (!eventOn) return undefined
    if (rule.eventFrom && eventOn < rule.eventFrom) return 'transition'
    if (rule.weeksBeforeEvent !== undefined)
      return {
        day: endOfWeekBefore(eventOn, rule.weeksBeforeEvent),
        formula: `By the end of week ${rule.weeksBeforeEvent} before the week of the event`,
      }
    if (rule.daysAfterEvent !== undefined)
      return {
        day: addDays(eventOn, rule.daysAfterEvent),
        formula: `Within ${rule.daysAfterEvent} days of the event`,
      }
    if (firstDay <= addDays(eventOn, rule.soonUntil ?? 0))
      return { day: firstDay, formula: 'Soon after the event, on the first day before work would start' }
  }
  const days = daysOfNotice(rule, facts)
  return { day: addDays(firstDay, -days), formula: `${days} days before the first day of leave` }
}

function daysOfNotice(
  { daysBefore = 0, daysBeforeLonger, timesLength = 0 }: NoticeRule,
  { calendarDays, leaveDays }: StatutoryFacts,
): number {
  const least = daysBeforeLonger !== undefined && calendarDays > DAYS_PER_WEEK ? daysBeforeLonger : daysBefore
  return Math.max(least, Math.ceil(timesLength * leaveDays))
}
