import type { Iri } from '#kernel/fields.ts'
import { choice, date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import type { Currency } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { card } from '../cards/card.ts'
import { mandate } from '../cards/mandate.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge } from '../payments/charge.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import type { UpcomingDunningStep } from './plan.ts'

export const DUNNING_STATES = [
  { value: 'collecting', label: 'In progress' },
  { value: 'held', label: 'On hold' },
  { value: 'collected', label: 'Paid' },
  { value: 'ended', label: 'Stopped' },
] as const

const OUTCOMES = [
  { value: 'keep', label: 'Stays overdue' },
  { value: 'cancel', label: 'Subscription cancelled' },
  { value: 'uncollectible', label: 'Written off' },
  { value: 'void', label: 'Invoice voided' },
] as const

const kept = { readonly: true, notNull: true } as const

/** Payment reminders for one invoice. The record is created with the first step. */
export const dunning = resource({
  type: 'Dunning',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'dunnings',
  table: 'dunning',
  tenant: 'own',
  title: 'company',
  order: ['dueOn', 'id'],
  state: 'state',
  fields: {
    invoice: link(() => invoice, {
      ...kept,
      filter: true,
      embed: ['number', 'state', 'amountDue', 'currency', 'dueOn'],
    }),
    customer: link(() => customer, { ...kept, filter: true, embed: ['companyName', 'contactName', 'email'] }),
    company: text({ ...kept, default: '', search: true, order: true, filter: 'partial', label: 'Customer' }),
    /**
     * Due date of the invoice, or the date on which a paid invoice was reopened. Days overdue are counted from this
     * date.
     */
    dueOn: date({ ...kept, filter: true, order: true, label: 'Due' }),
    state: choice(DUNNING_STATES, { ...kept, default: 'collecting', filter: true, order: true, count: true }),
    /** Number of declined charges. */
    failures: integer({ ...kept, default: 0, filter: true, order: true, label: 'Times declined' }),
    firstFailedOn: date({ readonly: true, filter: true, order: true, label: 'First declined' }),
    /** Last decline reason, in the payment service's own words. */
    failure: text({ ...kept, default: '', max: 500, label: 'Last decline reason' }),
    /** Date of the latest automatic charge, with its payment and card. */
    chargedOn: date({ readonly: true, order: true, label: 'Last charged' }),
    charge: link(() => charge, { readonly: true, filter: true }),
    card: link(() => card, { readonly: true, filter: true, embed: ['brand', 'last4'] }),
    /**
     * Direct Debit Instruction of the latest notice, with the amount in pence and the collection date that the notice
     * states.
     */
    mandate: link(() => mandate, { readonly: true, embed: ['last4'], label: 'Direct Debit' }),
    noticedOn: date({ readonly: true, label: 'Notice given on' }),
    noticeAmount: integer({ readonly: true, pence: true, label: 'Amount in the notice' }),
    collectOn: date({ readonly: true, filter: true, order: true, label: 'Direct Debit on' }),
    /** True if the card was permanently declined at the latest charge. */
    hard: flag({ readonly: true, label: 'Permanently declined' }),
    /** Latest reminder sent, in days after the due date; negative if it was sent before that date. */
    reminded: integer({ readonly: true, visible: 'nobody' }),
    /** Last day of the pause. No steps are taken until this day has ended. */
    pausedUntil: date({ readonly: true, filter: true, order: true, label: 'Paused until' }),
    pauseReason: text({ ...kept, default: '', max: 500, label: 'Reason for the pause' }),
    pausedBy: text({ ...kept, default: '', person: true, label: 'Paused by' }),
    /** Promise to pay. `OverdueInvoice.promise` is its state, calculated from payments. */
    promisedOn: date({ readonly: true, filter: true, order: true, label: 'Promised for' }),
    promisedAmount: integer({ readonly: true, pence: true, label: 'Amount promised' }),
    /** Pence paid on the invoice before the promise. */
    paidBefore: integer({ readonly: true, visible: 'nobody' }),
    brokenTold: flag({ readonly: true, visible: 'nobody' }),
    /** Last conversation: a promise or a note. */
    contactedAt: instant({ readonly: true, visible: 'nobody' }),
    notes: longText({ ...kept, default: '', max: 2000, label: 'Note' }),
    nextOn: date({ readonly: true, filter: true, order: true, label: 'Next date' }),
    nextStep: choice(['reminder', 'notice', 'charge', 'end'], { readonly: true, filter: true, label: 'Next step' }),
    endedOn: date({ readonly: true, filter: true, order: true, label: 'Stopped on' }),
    outcome: choice(OUTCOMES, { readonly: true, filter: true, label: 'Outcome' }),
    createdAt: instant({ ...kept, filter: true, order: true }),
    updatedAt: instant({ ...kept, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
})

export const DUNNING_STEP_KINDS = [
  { value: 'reminder', label: 'Reminder' },
  { value: 'notSent', label: 'Reminder not sent' },
  { value: 'notice', label: 'Notice of Direct Debit' },
  { value: 'charged', label: 'Charged automatically' },
  { value: 'declined', label: 'Declined' },
  { value: 'paused', label: 'Paused' },
  { value: 'resumed', label: 'Resumed' },
  { value: 'promised', label: 'Promise to pay' },
  { value: 'broken', label: 'Promise broken' },
  { value: 'note', label: 'Note' },
  { value: 'held', label: 'On hold' },
  { value: 'reopened', label: 'Reopened' },
  { value: 'collected', label: 'Paid' },
  { value: 'ended', label: 'Stopped' },
  { value: 'interest', label: 'Interest added' },
  { value: 'waived', label: 'Interest waived' },
] as const
export type DunningStepKind = (typeof DUNNING_STEP_KINDS)[number]['value']

/** A step taken to collect an invoice, with its result. Append-only. */
export const dunningStep = resource({
  type: 'DunningStep',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'dunning_steps',
  table: 'dunning_step',
  tenant: 'own',
  title: 'description',
  order: ['-id'],
  appendOnly: true,
  fields: {
    dunning: link((): Resource => dunning, { required: true, filter: true }),
    invoice: link(() => invoice, { required: true, filter: true }),
    kind: choice(DUNNING_STEP_KINDS, { required: true, filter: true, label: 'Step' }),
    day: date({ required: true, filter: true, order: true }),
    description: text({ required: true, max: 1000 }),
    charge: link(() => charge, { filter: true }),
    /** E-mail address of the recipient; empty if the customer has none. */
    sentTo: text({ default: '', label: 'E-mail to' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
  },
  allow: { read: SELLING_ROLES },
})

/** Response of `GET invoices/{id}/dunning`: reminder history and upcoming steps. */
export interface DunningPlan {
  readonly '@id': string
  readonly '@type': 'DunningPlan'
  /** Null before the first step. */
  readonly state: 'collecting' | 'held' | 'collected' | 'ended' | null
  readonly pausedUntil: string | null
  readonly pauseReason: string
  readonly pausedBy: string
  /** True while a payment for the invoice is in progress. */
  readonly underWay: boolean
  readonly final: 'keep' | 'cancel' | 'uncollectible'
  /** Steps taken, newest first. */
  readonly steps: readonly DunningPlanStep[]
  readonly next: readonly UpcomingDunningStep[]
  /** Reason why no automatic reminder will be sent; null if one will, or the invoice is not open. */
  readonly silent: DunningSilence | null
  readonly promise: { readonly on: string; readonly amount: number; readonly state: PromiseState } | null
  readonly notes: string
}

/** Reasons why an open invoice gets no automatic reminder now. */
export type DunningSilence = 'off' | 'paused' | 'held' | 'ended' | 'payment' | 'mail' | 'address' | 'done'
export type PromiseState = 'open' | 'kept' | 'broken'

interface DunningPlanStep {
  readonly id: number
  readonly kind: DunningStepKind
  readonly day: string
  readonly description: string
  readonly sentTo: string
  /** The step's e-mail with its delivery status; null if there is none. */
  readonly email: { readonly recipient: string; readonly state: string; readonly error: string | null } | null
  readonly charge: Iri | null
  readonly author: string
}

export const COLLECTIONS_URL = '/api/financial/collections'

/** An invoice that will be collected automatically. `id` is the invoice's; `amount` in minor units of the currency. */
export interface Collection {
  readonly id: number
  readonly number: string
  readonly company: string
  readonly amount: number
  readonly currency: Currency
  readonly on: string
  readonly by: 'card' | 'debit'
}
