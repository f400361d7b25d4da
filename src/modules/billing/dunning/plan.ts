import type { FinalStep } from './settings.ts'

/** Dunning rules. Days are counted from the due date, those of retries from the first failure. */
export interface DunningRuleValues {
  readonly automatic: boolean
  readonly remindAll: boolean
  readonly retryDays: readonly number[]
  /** Negative: before the due date. */
  readonly reminderDays: readonly number[]
  readonly lapseDays: number
  readonly finalDays: number
  readonly final: FinalStep
}

/** Facts that determine the next steps of an open invoice. Dates are `2026-02-28`. */
export interface DunningFacts {
  readonly issuedOn: string
  readonly dueOn: string
  readonly ofSubscription: boolean
  /** True if a card can be charged. */
  readonly hasCard: boolean
  readonly failures: number
  readonly firstFailedOn: string | null
  readonly chargedOn: string | null
  readonly reminded: number | null
  readonly pausedUntil: string | null
}

export type UpcomingDunningStep =
  | { readonly kind: 'reminder'; readonly on: string; readonly days: number }
  /** `attempt` 0 is the first, on the due date. Later attempts only follow declines. */
  | { readonly kind: 'charge'; readonly on: string; readonly attempt: number }
  | { readonly kind: 'lapse' | 'end'; readonly on: string }

const MOST_ATTEMPTS = 5

export const plusDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()
const latest = (...days: readonly (string | null)[]): string =>
  days.reduce<string>((last, day) => (day !== null && day > last ? day : last), '')
const after = (day: string | null): string | null => (day === null ? null : plusDays(day, 1))

/** Parses a list of days, `3, 5, 7`, sorted and without duplicates. */
export const parseDayList = (words: string): number[] =>
  [...new Set(words.split(',').flatMap((word) => (word.trim() ? [Number(word)] : [])))].toSorted((a, b) => a - b)

/** Upcoming steps of an open invoice by date; overdue steps are due today. */
export function upcomingDunningSteps(rules: DunningRuleValues, s: DunningFacts, today: string): UpcomingDunningStep[] {
  const free = after(s.pausedUntil)
  const on = (...days: readonly (string | null)[]) => latest(today, free, ...days)
  const charges = chargesOf(rules, s, on)
  const last = charges.at(-1)?.on ?? null
  const steps: UpcomingDunningStep[] = [...charges, ...(charges.length ? [] : remindersOf(rules, s, on))]
  if (s.ofSubscription)
    steps.push(
      { kind: 'lapse', on: on(plusDays(s.dueOn, rules.lapseDays + 1)) },
      { kind: 'end', on: on(plusDays(s.dueOn, rules.finalDays), after(last), after(s.chargedOn)) },
    )
  return steps.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
}

type On = (...days: readonly (string | null)[]) => string

/** Card charges: on the due date and, after each decline, on the retry days; never twice a day. */
function chargesOf(
  rules: DunningRuleValues,
  s: DunningFacts,
  on: On,
): Extract<UpcomingDunningStep, { kind: 'charge' }>[] {
  if (!rules.automatic || !s.ofSubscription || !s.hasCard) return []
  const charges: Extract<UpcomingDunningStep, { kind: 'charge' }>[] = []
  const attempts = Math.min(MOST_ATTEMPTS, rules.retryDays.length + 1)
  let [first, before] = [s.firstFailedOn, s.chargedOn]
  for (let attempt = s.failures; attempt < attempts; attempt++) {
    const wanted = first === null ? s.dueOn : plusDays(first, rules.retryDays[attempt - 1] ?? 0)
    const day = on(wanted, after(before))
    charges.push({ kind: 'charge', on: day, attempt })
    first ??= day
    before = day
  }
  return charges
}

/** Only the latest missed reminder is sent, and none for a date before the invoice. */
function remindersOf(rules: DunningRuleValues, s: DunningFacts, on: On): UpcomingDunningStep[] {
  if (!s.ofSubscription && !rules.remindAll) return []
  const left = rules.reminderDays.filter(
    (days) => days > (s.reminded ?? Number.NEGATIVE_INFINITY) && plusDays(s.dueOn, days) > s.issuedOn,
  )
  const byDay = new Map(left.map((days) => [on(plusDays(s.dueOn, days)), days]))
  return [...byDay].map(([day, days]) => ({ kind: 'reminder', on: day, days }))
}
