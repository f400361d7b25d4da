import { fromUnixSeconds, type Instant, londonDate } from '#kernel/time.ts'
import type { UkNation } from '#kernel/working-days.ts'
import { decideOutcome, type OutcomeRule, outcomeSetsDate } from '../outcomes/decide.ts'

/** A past call. The text of its note shows whether the date was entered by hand. */
export interface PastCall {
  readonly at: Instant
  readonly result: number
  readonly notes: string
  readonly nation: UkNation
}

/** Number of leads that are due on a day, before and after the change. */
export interface DailyDueLeadCount {
  readonly day: string
  readonly before: number
  readonly after: number
}

/** Number of past calls used in a simulation. */
export const SIMULATED_CALL_COUNT = 500

export const SIMULATION_EXPLANATION = `Based on the last ${SIMULATED_CALL_COUNT} calls. Each call is counted on the day on which its outcome makes the lead due, once under the current rule and once under the new rule. Dates entered by the caller are used for both.`

/**
 * Returns the date that was entered by hand, read from the outcome's note, in Unix seconds; `undefined` if the rule set
 * the date automatically.
 */
function givenIn({ notes, at, nation }: PastCall, rule: OutcomeRule): number | undefined {
  const usual = decideOutcome(rule, at, undefined, nation)
  const first = notes.split('\n', 1)[0] ?? ''
  if (!rule.asks || first === usual.note) return undefined
  const [before = '', after = ''] = rule.notes.split('{date}')
  if (!rule.notes.includes('{date}') || !first.startsWith(before) || !first.endsWith(after)) return undefined
  const said = first.slice(before.length, first.length - after.length)
  const [, day, month, year, hour = '10', minute = '00'] =
    /^(\d\d)\/(\d\d)\/(\d{4})(?: (\d\d):(\d\d))?$/.exec(said) ?? []
  if (!day) return undefined
  const there = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${minute}`)
  return Math.floor(there.toZonedDateTime('Europe/London').epochMilliseconds / 1000)
}

/**
 * Returns the number of leads due on each day after the past calls, under the current rules and with one rule changed.
 */
export function simulateOutcomeChange(
  calls: readonly PastCall[],
  rules: ReadonlyMap<number, OutcomeRule>,
  changed: OutcomeRule,
): DailyDueLeadCount[] {
  const days = new Map<string, { before: number; after: number }>()
  const count = (rule: OutcomeRule, call: PastCall, given: number | undefined, which: 'before' | 'after') => {
    const { expiry } = decideOutcome(rule, call.at, outcomeSetsDate(rule) ? given : undefined, call.nation)
    if (typeof expiry !== 'number') return
    const day = londonDate(fromUnixSeconds(expiry)).toString()
    const found = days.get(day) ?? { before: 0, after: 0 }
    days.set(day, { ...found, [which]: found[which] + 1 })
  }
  for (const call of calls) {
    const rule = rules.get(call.result)
    if (!rule) continue
    const given = givenIn(call, rule)
    count(rule, call, given, 'before')
    count(rule.id === changed.id ? changed : rule, call, given, 'after')
  }
  return [...days].map(([day, n]) => ({ day, ...n })).toSorted((a, b) => a.day.localeCompare(b.day))
}

export const OUTCOME_SIMULATION_URL = '/api/crm/outcomes/rehearsal'

export interface OutcomeSimulation {
  readonly calls: number
  /** Number of past calls with this outcome. */
  readonly concerned: number
  readonly formula: string
  readonly days: readonly DailyDueLeadCount[]
}
