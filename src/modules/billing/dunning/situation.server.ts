import { problem, type Violation, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { loadEmailsAbout } from '#modules/portal/mail/claim.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { MIN_CARD_PAYMENT_MINOR_UNITS } from '../cards/payment-gateway.server.ts'
import { invoiceEmail } from '../invoices/emails.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { type Collection, type DunningStepKind, dunning, dunningStep } from './dunning.ts'
import {
  cardDeclinedEmail,
  debitNoticeEmail,
  dunningEndedEmail,
  findUnknownPlaceholders,
  invoiceDueEmail,
  invoiceOverdueEmail,
  paymentConfirmationEmail,
} from './emails.ts'
import {
  addDaysToDate,
  type DunningFacts,
  type DunningRules,
  dunningSettings,
  listUpcomingDunningSteps,
  parseDayList,
  type UpcomingDunningStep,
} from './plan.ts'

const USUAL: DunningRules = {
  automatic: true,
  remindAll: true,
  wording: [],
  interestInReminders: false,
  retryDays: [3, 5, 7, 14],
  noticeDays: 10,
  reminderDays: [-3, 1, 7, 14],
  lapseDays: 14,
  finalDays: 30,
  final: 'keep',
}

/** Returns the dunning rules of this client, or the defaults if none are saved. */
export async function loadDunningRules(c: Pick<Context, 'find'>): Promise<DunningRules> {
  const [row] = await c.find(dunningSettings, {})
  return row
    ? {
        ...row,
        wording: row.wording ?? [],
        retryDays: parseDayList(row.retryDays ?? ''),
        reminderDays: parseDayList(row.reminderDays ?? ''),
      }
    : USUAL
}

/** Normalises a list of days, or returns a violation if the list is invalid. */
function readDays(name: string, words: string, least: number, most: number, count: number): string | Violation {
  if (!/^(\s*-?\d{1,3}\s*(,|$))*$/.test(words))
    return violation(name, 'Please enter whole numbers of days, separated by commas')
  const days = parseDayList(words)
  if (days.some((day) => day < least || day > most)) return violation(name, `Days must be from ${least} to ${most}`)
  if (days.length > count) return violation(name, `Enter at most ${count} days`)
  return days.join(', ')
}

const [MAX_SUBJECT, MAX_MESSAGE] = [200, 4000]

/** Returns the problems with wordings from a request: their shape, lengths and placeholders. */
function wordingProblems(all: unknown): Violation[] {
  if (!Array.isArray(all)) return [violation('wording', 'Please enter a list of wordings')]
  const days = all.map((one) => one?.days)
  if (new Set(days).size !== days.length || !days.every(Number.isInteger))
    return [violation('wording', 'Each wording needs the days of one reminder, such as 7')]
  return all.flatMap((one, n) =>
    (['subject', 'message'] as const).flatMap((name) => {
      const [words, max] = [one[name], name === 'subject' ? MAX_SUBJECT : MAX_MESSAGE]
      const at = `wording[${n}].${name}`
      if (typeof words !== 'string' || !words.trim()) return [violation(at, `Please enter the ${name}`)]
      if (words.length > max) return [violation(at, `Enter at most ${max} characters`)]
      const unknown = findUnknownPlaceholders(words)
      return unknown.length ? [violation(at, `Unknown placeholder: ${unknown.join(', ')}`)] : []
    }),
  )
}

export const dunningSettingsBehaviour = behaviour(dunningSettings, {
  beforeSave: ({ changes }) => {
    const read = {
      retryDays: changes.retryDays == null ? undefined : readDays('retryDays', changes.retryDays, 1, 60, 4),
      reminderDays:
        changes.reminderDays == null ? undefined : readDays('reminderDays', changes.reminderDays, -30, 365, 8),
    }
    const wrong = [
      ...Object.values(read).filter((one) => typeof one === 'object'),
      ...(changes.wording ? wordingProblems(changes.wording) : []),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    return Object.fromEntries(Object.entries(read).filter(([, days]) => typeof days === 'string'))
  },
})

/** The provider's default dunning rules. */
export const dunningReferenceData: ReferenceData = {
  name: 'dunning',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const [settled] = await c.find(dunningSettings, {})
    if (!settled) await c.withoutPermissionCheck('add the default reminder settings').create(dunningSettings, {})
  },
}

export type DunningRow = RowOf<typeof dunning>

/** An open invoice with its dunning record and upcoming steps. */
export interface DunningSituation extends DunningFacts {
  readonly invoice: number
  readonly dunning: number | null
  readonly card: number | null
  readonly mandate: number | null
  /** True until a bank has accepted the Direct Debit Instruction. Nothing is collected until then. */
  readonly isMandatePending: boolean
  /** Address to which the notice of a collection could not be delivered, so that the notice does not count. */
  readonly noNoticeTo: string | null
  /** True while a payment is in progress. No step is taken until the payment is settled. */
  readonly underWay: boolean
  readonly hasLapsed: boolean
  readonly next: readonly UpcomingDunningStep[]
}

/**
 * Number of days before the due date from which an invoice is included, because reminders and notices of Direct Debits
 * may precede the due date.
 */
const AHEAD = 45

/** SELECT statement for the open invoices that are being collected, with all the facts that determine their steps. */
const SITUATIONS = `SELECT i.id::int AS invoice, i.date::text AS "issuedOn", greatest(i.due_on, d.due_on)::text AS "dueOn", d.id::int AS dunning,
    EXISTS (SELECT FROM subscription_change x WHERE x.client_id = i.client_id AND x.invoice_id = i.id) AS "ofSubscription",
    EXISTS (SELECT FROM subscription_change x JOIN subscription s ON s.client_id = x.client_id AND s.id = x.subscription_id
      WHERE x.client_id = i.client_id AND x.invoice_id = i.id AND s.lapsed_on IS NOT NULL) AS "hasLapsed",
    EXISTS (SELECT FROM charge h WHERE h.client_id = i.client_id AND h.invoice_id = i.id AND h.state = 'pending') AS "underWay",
    CASE WHEN i.amount_due >= ${MIN_CARD_PAYMENT_MINOR_UNITS} THEN k.id::int END AS card, (i.amount_due >= ${MIN_CARD_PAYMENT_MINOR_UNITS} AND k.id IS NOT NULL) AS "hasCard",
    CASE WHEN i.amount_due >= ${MIN_CARD_PAYMENT_MINOR_UNITS} THEN m.id::int END AS mandate, (i.amount_due >= ${MIN_CARD_PAYMENT_MINOR_UNITS} AND m.id IS NOT NULL) AS "hasMandate",
    coalesce(m.state = 'pending', false) AS "isMandatePending",
    CASE WHEN d.mandate_id = m.id AND d.notice_amount = i.amount_due AND n.state IS NULL THEN d.collect_on::text END AS "collectOn",
    CASE WHEN n.state <> 'kept' THEN n.recipient END AS "noNoticeTo",
    coalesce(d.failures, 0) AS failures, d.first_failed_on::text AS "firstFailedOn", d.charged_on::text AS "chargedOn",
    CASE WHEN d.due_on >= i.due_on THEN d.reminded END AS reminded, d.paused_until::text AS "pausedUntil",
    coalesce((SELECT m.state IN ('waiting', 'sending', 'failed', 'bounced') FROM message m
      WHERE m.client_id = i.client_id AND m.about = '${invoice.url}/' || i.id AND m.template = '${invoiceEmail.name}' ORDER BY m.id DESC LIMIT 1), false) AS "mailRefused"
  FROM invoice i JOIN customer u ON u.client_id = i.client_id AND u.id = i.customer_id
  LEFT JOIN dunning d ON d.client_id = i.client_id AND d.invoice_id = i.id
  LEFT JOIN card k ON k.client_id = i.client_id AND k.customer_id = i.customer_id AND k.is_default AND NOT k.retired AND k.gateway = $2 AND NOT u.retired
    AND NOT (d.hard IS TRUE AND d.card_id IS NOT DISTINCT FROM k.id)
  LEFT JOIN mandate m ON m.client_id = i.client_id AND m.customer_id = i.customer_id AND m.state IN ('pending', 'active') AND m.gateway_id IS NOT NULL
    AND m.gateway = $2 AND i.currency = 'GBP' AND NOT u.retired
  LEFT JOIN LATERAL (SELECT m.recipient, m.state FROM message m WHERE d.noticed_on IS NOT NULL AND m.client_id = i.client_id
    AND m.about = '${invoice.url}/' || i.id AND m.template = '${debitNoticeEmail.name}' ORDER BY m.id DESC LIMIT 1) n ON n.state IN ('failed', 'bounced', 'stopped') OR (n.state = 'kept' AND $2 <> 'test')
  WHERE i.client_id = $1 AND i.state = 'open' AND (d.state IS NULL OR d.state = 'collecting')`

/** Returns the name of the gateway in use. Cards saved with another gateway can't be charged. */
const gatewayName = ({ engine }: Pick<Context, 'engine'>): string => (engine.config.stripe ? 'stripe' : 'test')

export const currentLondonDate = ({ now }: Pick<Context, 'now'>): string => londonDate(now).toString()

type DunningSituationRow = Omit<DunningSituation, 'next'>

const withNext = (rules: DunningRules, found: DunningSituationRow, today: string): DunningSituation => ({
  ...found,
  next: listUpcomingDunningSteps(rules, found, today).filter(({ kind }) => kind !== 'lapse' || !found.hasLapsed),
})

/** Returns the situations of the invoices that may need a step today. */
export async function loadDunningSituations(c: Context): Promise<DunningSituation[]> {
  const today = currentLondonDate(c)
  const rules = await loadDunningRules(c)
  await c.work.flush()
  const rows = await c.work.tx.rows<DunningSituationRow>(
    `${SITUATIONS} AND i.due_on <= $3::date + ${AHEAD} ORDER BY i.id`,
    [c.clientId, gatewayName(c), today],
  )
  return rows.map((row) => withNext(rules, row, today))
}

/** Returns an invoice's situation, or `undefined` if the invoice is not being collected. */
export async function loadDunningSituation(
  c: Context,
  { id }: Pick<InvoiceRow, 'id'>,
): Promise<DunningSituation | undefined> {
  const rules = await loadDunningRules(c)
  await c.work.flush()
  const [row] = await c.work.tx.rows<DunningSituationRow>(`${SITUATIONS} AND i.id = $3`, [
    c.clientId,
    gatewayName(c),
    id,
  ])
  return row && withNext(rules, row, currentLondonDate(c))
}

/** Days from today that `loadCollections` covers. */
const COLLECTION_DAYS = 14

/**
 * Returns the invoices whose card or bank account will be charged in the next two weeks, by date. Leaves out payments
 * in progress, and Direct Debits that a bank has not accepted yet.
 */
export async function loadCollections(c: Context): Promise<Collection[]> {
  const last = addDaysToDate(currentLondonDate(c), COLLECTION_DAYS)
  const due = (await loadDunningSituations(c)).flatMap(({ invoice: id, underWay, isMandatePending, next }) => {
    const step = next.find((one) => one.kind === 'charge')
    return step && step.on <= last && !underWay && !(step.by === 'debit' && isMandatePending)
      ? [{ id, on: step.on, by: step.by }]
      : []
  })
  const owed = new Map((await c.find(invoice, { id: due.map(({ id }) => id) })).map((one) => [one.id, one]))
  return due
    .flatMap((one) => {
      const of = owed.get(one.id)
      return of
        ? [{ ...one, number: of.number ?? '', company: of.company, amount: of.amountDue, currency: of.currency }]
        : []
    })
    .toSorted((a, b) => a.on.localeCompare(b.on) || a.id - b.id)
}

/** Returns the date and kind of the next step other than lapsing, as stored in the dunning record for lists. */
export function nextDunningStep(situation: DunningSituation | undefined) {
  const next = situation?.next.find(({ kind }) => kind !== 'lapse')
  return next && next.kind !== 'lapse' ? { nextOn: next.on, nextStep: next.kind } : { nextOn: null, nextStep: null }
}

/**
 * Locks and returns an invoice's dunning record. Creates a missing record, and moves the record's due date if the
 * invoice's has been extended. The invoice must be locked first.
 */
export async function lockOrCreateDunning(c: Context, owed: InvoiceRow): Promise<DunningRow> {
  const [known] = await c.lockAll(dunning, { invoice: owed.id })
  if (known) {
    // If the due date was extended, days overdue and reminders start again from the new date.
    if (owed.dueOn === null || owed.dueOn <= known.dueOn) return known
    await c
      .withoutPermissionCheck(DUNNING_REASON)
      .set(dunning, known, { dueOn: owed.dueOn, reminded: null }, 'postpone')
    return c.withoutPermissionCheck(DUNNING_REASON).lock(dunning, known.id)
  }
  const made = await c.withoutPermissionCheck(DUNNING_REASON).create(dunning, {
    invoice: owed.id,
    customer: owed.customer,
    company: owed.company,
    dueOn: owed.dueOn ?? owed.date ?? currentLondonDate(c),
  })
  const { id } = await made.saved()
  return c.withoutPermissionCheck(DUNNING_REASON).lock(dunning, id)
}

export const DUNNING_REASON = 'collect due payments according to the dunning rules'

/** Templates of the e-mails that each kind of step sends. */
const STEP_EMAILS: Readonly<Partial<Record<DunningStepKind, readonly string[]>>> = {
  reminder: [invoiceDueEmail.name, invoiceOverdueEmail.name],
  notice: [debitNoticeEmail.name],
  declined: [cardDeclinedEmail.name],
  ended: [dunningEndedEmail.name],
  collected: [paymentConfirmationEmail.name],
}

/**
 * Returns an invoice's steps, oldest first, each with its e-mail. Steps and e-mails of each kind are in the same order.
 */
export async function findStepsWithEmails(c: Context, id: number) {
  const emails = (await loadEmailsAbout(c.work.tx, c.clientId, iriOf(invoice, id))).toReversed()
  const unused = new Map(
    Object.entries(STEP_EMAILS).map(([kind, names]) => [
      kind,
      emails.filter(({ template }) => names.includes(template)),
    ]),
  )
  return (await c.find(dunningStep, { invoice: id })).map((one) => {
    const found = one.sentTo ? unused.get(one.kind)?.shift() : undefined
    return { ...one, email: found ? { recipient: found.recipient, state: found.state, error: found.error } : null }
  })
}
