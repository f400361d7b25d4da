import { choice, flag, integer, text, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { addWorkingDays, firstWorkingDayFrom } from '#kernel/working-days.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/** Final steps for an invoice that is still unpaid when reminders stop. */
const FINAL_STEPS = [
  { value: 'keep', label: 'The invoice stays overdue; modules stay read-only' },
  { value: 'cancel', label: 'The subscription is cancelled' },
  { value: 'uncollectible', label: 'The invoice is written off' },
] as const
export type FinalDunningStep = (typeof FINAL_STEPS)[number]['value']

/** A client's own wording of one reminder, with placeholders such as `{amount}`. */
export interface ReminderWording {
  /** Days after the due date, as in `reminderDays`. */
  readonly days: number
  readonly subject: string
  readonly message: string
}

/** A client's dunning rules. Each client has one record. */
export const dunningSettings = resource({
  type: 'DunningSettings',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'dunning_settings',
  table: 'dunning_settings',
  tenant: 'own',
  fields: {
    automatic: flag({ default: true, label: 'Charge a subscription’s card on the due date' }),
    retryDays: text({
      default: '3, 5, 7, 14',
      max: 40,
      label: 'Retry a declined payment after (days)',
      help: 'Up to four retries, in days after the first decline, such as 3, 5, 7, 14. Permanently declined cards and ended Direct Debits are not retried.',
    }),
    reminderDays: text({
      default: '-3, 1, 7, 14',
      max: 60,
      label: 'Send reminders to customers without a card (days)',
      help: 'Up to eight reminders, in days after the due date, such as -3, 1, 7, 14. Negative numbers are days before the due date.',
    }),
    remindAll: flag({ default: true, label: 'Send reminders for all invoices, not only for subscriptions' }),
    wording: typedJson<readonly ReminderWording[]>()({ default: [], max: 8, label: 'Wording of reminders' }),
    noticeDays: integer({
      required: true,
      default: 10,
      min: 3,
      max: 30,
      label: 'Give notice of a Direct Debit (working days before)',
      help: 'Bacs asks for ten working days unless the customer has agreed to fewer. The Direct Debit Guarantee on payment pages states this number.',
    }),
    interestInReminders: flag({ label: 'State late payment interest in reminders after the due date' }),
    lapseDays: integer({
      required: true,
      default: 14,
      min: 0,
      max: 365,
      label: 'Make modules read-only after (days overdue)',
      help: 'Until the overdue invoice is paid, the subscription’s data can then only be read and exported.',
    }),
    finalDays: integer({
      required: true,
      default: 30,
      min: 1,
      max: 365,
      label: 'Stop reminders after (days overdue)',
      help: 'Reminders never stop before the last attempt to charge the card.',
    }),
    final: choice(FINAL_STEPS, { required: true, default: 'keep', label: 'Final step' }),
  },
  allow: { read: SELLING_ROLES, create: FINANCE_ROLES, update: FINANCE_ROLES },
})

/** Dunning rules. Days are counted from the due date, except for retries, which are counted from the first failure. */
export interface DunningRules {
  readonly automatic: boolean
  readonly remindAll: boolean
  readonly wording: readonly ReminderWording[]
  readonly interestInReminders: boolean
  readonly retryDays: readonly number[]
  /** Working days between the notice of a Direct Debit and its collection. */
  readonly noticeDays: number
  /** Days after the due date; negative numbers are days before it. */
  readonly reminderDays: readonly number[]
  readonly lapseDays: number
  readonly finalDays: number
  readonly final: FinalDunningStep
}

/** Facts that determine the next steps for an open invoice. Dates are strings such as `2026-02-28`. */
export interface DunningFacts {
  readonly issuedOn: string
  readonly dueOn: string
  readonly ofSubscription: boolean
  /** True if a card can be charged. */
  readonly hasCard: boolean
  /** True if the customer has a Direct Debit Instruction that has not ended. */
  readonly hasMandate: boolean
  /** Day of collection by Direct Debit, as stated in a notice for the amount now due; null before the notice. */
  readonly collectOn: string | null
  readonly failures: number
  readonly firstFailedOn: string | null
  readonly chargedOn: string | null
  readonly reminded: number | null
  readonly pausedUntil: string | null
  /**
   * True if the invoice's own e-mail is still queued or was rejected, so that the customer may not have the invoice.
   */
  readonly mailRefused: boolean
}

export type UpcomingDunningStep =
  | { readonly kind: 'reminder'; readonly on: string; readonly days: number }
  /** Advance notice of a collection by Direct Debit. */
  | { readonly kind: 'notice'; readonly on: string; readonly collectOn: string }
  /** `attempt` 0 is the first charge, on the due date. Later attempts are made only after declines. */
  | { readonly kind: 'charge'; readonly on: string; readonly attempt: number; readonly by: 'card' | 'debit' }
  | { readonly kind: 'lapse' | 'end'; readonly on: string }

const MAX_ATTEMPTS = 5
const attemptsOf = (retryDays: readonly number[]) => Math.min(MAX_ATTEMPTS, retryDays.length + 1)

export const addDaysToDate = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString()
const latest = (...days: readonly (string | null)[]): string =>
  days.reduce<string>((last, day) => (day !== null && day > last ? day : last), '')
const after = (day: string | null): string | null => (day === null ? null : addDaysToDate(day, 1))

/** Parses a list of days such as `3, 5, 7`. Returns the days sorted and without duplicates. */
export const parseDayList = (words: string): number[] =>
  [...new Set(words.split(',').flatMap((word) => (word.trim() ? [Number(word)] : [])))].toSorted((a, b) => a - b)

/** Returns the upcoming steps for an open invoice, by date. Overdue steps are treated as due today. */
export function listUpcomingDunningSteps(rules: DunningRules, s: DunningFacts, today: string): UpcomingDunningStep[] {
  const free = after(s.pausedUntil)
  const on = (...days: readonly (string | null)[]) => latest(today, free, ...days)
  const notice = noticeOf(rules, s, on)
  const charges = chargesOf(rules, s, on, notice?.collectOn ?? s.collectOn)
  const last = charges.at(-1)?.on ?? null
  const steps: UpcomingDunningStep[] = [
    ...(notice ? [notice] : []),
    ...charges,
    ...(charges.length ? [] : remindersOf(rules, s, on)),
  ]
  if (s.ofSubscription)
    steps.push(
      { kind: 'lapse', on: on(addDaysToDate(s.dueOn, rules.lapseDays + 1)) },
      { kind: 'end', on: on(addDaysToDate(s.dueOn, rules.finalDays), after(last), after(s.chargedOn)) },
    )
  return steps.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
}

type On = (...days: readonly (string | null)[]) => string

/** Returns the notice of a Direct Debit, unless it has been sent. Both days are bank working days. */
function noticeOf(
  { noticeDays, retryDays }: DunningRules,
  s: DunningFacts,
  on: On,
): Extract<UpcomingDunningStep, { kind: 'notice' }> | undefined {
  if (!s.hasMandate || s.collectOn !== null || s.failures >= attemptsOf(retryDays)) return undefined
  const due = Temporal.PlainDate.from(s.dueOn)
  const day = on(addWorkingDays(due, -noticeDays).toString(), s.issuedOn)
  const earliest = addWorkingDays(Temporal.PlainDate.from(day), noticeDays)
  return { kind: 'notice', on: day, collectOn: latest(firstWorkingDayFrom(due).toString(), earliest.toString()) }
}

/**
 * Returns the charges of a card or collections by Direct Debit: one on the due date or the day in the notice and, after
 * each decline, one on the next retry day. There are never two charges on one day. Banks collect on working days only.
 */
function chargesOf(
  rules: DunningRules,
  s: DunningFacts,
  on: On,
  collectOn: string | null,
): Extract<UpcomingDunningStep, { kind: 'charge' }>[] {
  if (!s.hasMandate && !(rules.automatic && s.ofSubscription && s.hasCard)) return []
  const charges: Extract<UpcomingDunningStep, { kind: 'charge' }>[] = []
  const attempts = attemptsOf(rules.retryDays)
  let [first, before] = [s.firstFailedOn, s.chargedOn]
  for (let attempt = s.failures; attempt < attempts; attempt++) {
    const wanted = first === null ? (collectOn ?? s.dueOn) : addDaysToDate(first, rules.retryDays[attempt - 1] ?? 0)
    const free = on(wanted, collectOn, after(before))
    const day = s.hasMandate ? firstWorkingDayFrom(Temporal.PlainDate.from(free)).toString() : free
    charges.push({ kind: 'charge', on: day, attempt, by: s.hasMandate ? 'debit' : 'card' })
    first ??= day
    before = day
  }
  return charges
}

/** Days by which a missed reminder may be late. Older ones are not sent, for example after years without reminders. */
const MAX_DAYS_LATE = 14

/** Returns the reminders. Includes only the latest missed reminder, and no reminder dated before the invoice. */
function remindersOf(rules: DunningRules, s: DunningFacts, on: On): UpcomingDunningStep[] {
  if ((!s.ofSubscription && !rules.remindAll) || s.mailRefused) return []
  // After a pause, the days are counted from its end.
  const isRecent = (wanted: string) => addDaysToDate(latest(wanted, after(s.pausedUntil)), MAX_DAYS_LATE) >= on()
  const left = rules.reminderDays.filter(
    (days) =>
      days > (s.reminded ?? Number.NEGATIVE_INFINITY) &&
      addDaysToDate(s.dueOn, days) > s.issuedOn &&
      isRecent(addDaysToDate(s.dueOn, days)),
  )
  const byDay = new Map(left.map((days) => [on(addDaysToDate(s.dueOn, days)), days]))
  return [...byDay].map(([day, days]) => ({ kind: 'reminder', on: day, days }))
}
