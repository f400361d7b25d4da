import type { IncidentFacts } from './facts.ts'
import type { ReportDuty, Screening } from './screening.ts'

/** Clock for a report that the organisation owes. Both days have the form `2026-11-30`. */
export interface RiddorClock {
  readonly startedOn: string
  /** Last day for the report; the start day if the report is due without delay and has no other limit. */
  readonly reportBy: string
}

/** Returns the clock that ends first among the reports that the organisation owes; undefined if it owes none. */
export function clockOf(facts: IncidentFacts, { duties }: Pick<Screening, 'duties'>): RiddorClock | undefined {
  const clocks = duties
    .filter(({ responsible }) => responsible === 'us')
    .map((duty) => {
      const startedOn = startOf(duty, facts)
      return { startedOn, reportBy: duty.reportBy ?? startedOn }
    })
  return clocks.sort((a, b) => (a.reportBy === b.reportBy ? 0 : a.reportBy < b.reportBy ? -1 : 1))[0]
}

/** Returns the day on which a duty to report arose. */
function startOf({ kind, person: id, regulation, incapacitatedOn }: ReportDuty, facts: IncidentFacts): string {
  if (kind === 'disease') return facts.disease?.diagnosedOn ?? facts.day
  if (kind === 'laterDeath') return facts.people.find((person) => person.id === id)?.diedOn ?? facts.day
  if (kind === 'gas' && regulation === '11(2)') return facts.gasLearnedOn ?? facts.day
  return incapacitatedOn ?? facts.day
}

/** Returns true if two screenings propose the same outcome and the same duties. */
export const isSameProposal = (a: Screening, b: Screening): boolean =>
  a.outcome === b.outcome && JSON.stringify(comparableDuties(a)) === JSON.stringify(comparableDuties(b))

/** Returns the duties in a fixed order, without their reasons, which count the days of an absence. */
export const comparableDuties = ({ duties }: Pick<Screening, 'duties'>): (string | number)[][] =>
  duties
    .map(({ kind, person = 0, regulation, responsible, reportBy = '' }) => [
      kind,
      person,
      regulation,
      responsible,
      reportBy,
    ])
    .sort((a, b) => (a.join() < b.join() ? -1 : 1))

/** Fields of a report from which its clock is shown. */
export interface StoredClock {
  readonly clockStartedOn: string | null
  readonly reportBy: string | null
  readonly hseSentOn: string | null
}

/** Returns the days by which a report is late, or was sent late; 0 if it is not late or there is no clock. */
export function countDaysLate({ reportBy, hseSentOn }: Omit<StoredClock, 'clockStartedOn'>, today: string): number {
  if (!reportBy) return 0
  return Math.max(0, Temporal.PlainDate.from(reportBy).until(hseSentOn ?? today, { largestUnit: 'day' }).days)
}

/** Returns the days left until the last day for a report; negative if it has passed. */
export const countDaysLeft = (reportBy: string, today: string): number =>
  Temporal.PlainDate.from(today).until(reportBy, { largestUnit: 'day' }).days

/** Clock of a report in words, with the meaning of its colour. */
export interface ClockText {
  readonly meaning: 'safe' | 'info' | 'attention' | 'stop'
  readonly text: string
}

/** Days before the last day from which a clock is shown as urgent. */
const SHORT_DAYS = 2

const countDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Returns the words for a clock; undefined if none runs and no report was sent. A late report is always shown as late. */
export function describeClock(clock: StoredClock, today: string): ClockText | undefined {
  const { clockStartedOn, reportBy, hseSentOn } = clock
  const late = countDaysLate(clock, today)
  if (hseSentOn)
    return late
      ? { meaning: 'attention', text: `Reported ${countDays(late)} late` }
      : { meaning: 'safe', text: 'Reported in time' }
  if (!reportBy) return undefined
  const left = countDaysLeft(reportBy, today)
  if (left >= 0 && clockStartedOn === reportBy) return { meaning: 'stop', text: 'Report without delay' }
  if (late) return { meaning: 'stop', text: `Report ${countDays(late)} late` }
  if (left === 0) return { meaning: 'stop', text: 'Report today' }
  return { meaning: left <= SHORT_DAYS ? 'attention' : 'info', text: `${countDays(left)} left to report` }
}
