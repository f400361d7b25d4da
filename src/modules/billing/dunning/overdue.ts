import { choice, date, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { sendAgainInput } from '../emails/settings.ts'
import { INVOICE_STATES, invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/** Today's date in London. It can be used outside transactions, where `portal_now()` can't. */
export const LONDON_TODAY_SQL = 'london_today()'
/** SQL for a value of the invoice's dunning record `d`; `t` is the invoice. */
const ofDunning = (value: string) =>
  `(SELECT ${value} FROM dunning d WHERE d.client_id = t.client_id AND d.invoice_id = t.id)`

/** Pence paid by the end of the promised day since the promise was recorded. Later payments are left out. */
const PAID_IN_TIME = `t.amount_paid - d.paid_before + coalesce((SELECT sum(e.amount) FROM ledger_entry e
  JOIN ledger_transaction x ON x.client_id = e.client_id AND x.id = e.transaction_id
  WHERE e.client_id = t.client_id AND e.invoice_id = t.id AND e.account = 'receivable' AND e.day > d.promised_on
    AND x.kind NOT IN ('invoice', 'credit', 'void', 'badDebt')), 0)`

/** SQL for the state of a promise, which is calculated from payments and never stored. */
export const PROMISE_SQL = ofDunning(`CASE WHEN d.promised_on IS NULL THEN NULL
  WHEN ${PAID_IN_TIME} >= d.promised_amount THEN 'kept' WHEN d.promised_on < ${LONDON_TODAY_SQL} THEN 'broken' ELSE 'open' END`)

const computed = { readonly: true } as const

/**
 * An invoice to chase. The list contains open invoices past their due date; single records and actions are available
 * for every invoice.
 */
export const overdueInvoice = resource({
  type: 'OverdueInvoice',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'overdue',
  table: 'invoice',
  tenant: 'own',
  title: 'number',
  order: ['dueOn', 'id'],
  bulk: [{ action: 'remind', input: [] }],
  fields: {
    number: text({
      readonly: true,
      notNull: true,
      default: '',
      filter: true,
      order: true,
      search: true,
      label: 'Invoice',
    }),
    customer: link(() => customer, { readonly: true, notNull: true, filter: true, embed: ['companyName', 'email'] }),
    company: text({ readonly: true, notNull: true, default: '', search: true, order: true, label: 'Customer' }),
    state: choice(INVOICE_STATES, { readonly: true, notNull: true, default: 'draft' }),
    dueOn: date({ readonly: true, filter: true, order: true, label: 'Due' }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    amountDue: integer({ readonly: true, notNull: true, order: true, pence: true, label: 'Amount due' }),
    daysOverdue: integer({ ...computed, label: 'Days overdue', sql: `(${LONDON_TODAY_SQL} - t.due_on)` }),
    /** Last e-mail that a mail server accepted, or last conversation that was noted. */
    lastContactAt: instant({
      ...computed,
      label: 'Last contact',
      sql: `greatest(${ofDunning('d.contacted_at')}, (SELECT max(m.sent_at) FROM message m WHERE m.client_id = t.client_id
        AND m.about = '${invoice.url}/' || t.id AND m.state = 'sent'))`,
    }),
    promisedOn: date({ ...computed, label: 'Promised for', sql: ofDunning('d.promised_on') }),
    promisedAmount: integer({
      ...computed,
      pence: true,
      label: 'Amount promised',
      sql: ofDunning('d.promised_amount'),
    }),
    promise: choice(
      [
        { value: 'open', label: 'Promised' },
        { value: 'kept', label: 'Kept' },
        { value: 'broken', label: 'Broken' },
      ],
      { ...computed, filter: true, label: 'Promise to pay', sql: PROMISE_SQL },
    ),
    pausedUntil: date({
      ...computed,
      label: 'Paused until',
      sql: ofDunning(`CASE WHEN d.paused_until >= ${LONDON_TODAY_SQL} THEN d.paused_until END`),
    }),
    pauseReason: text({
      ...computed,
      label: 'Reason for the pause',
      sql: ofDunning(`CASE WHEN d.paused_until >= ${LONDON_TODAY_SQL} THEN d.pause_reason END`),
    }),
    notes: text({ ...computed, label: 'Note', sql: ofDunning("nullif(d.notes, '')") }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    remind: { path: 'remind', title: 'Send a reminder', allow: SELLING_ROLES, input: sendAgainInput },
    promise: {
      path: 'promise',
      title: 'Record a promise to pay, which pauses reminders until its day',
      allow: FINANCE_ROLES,
      input: {
        on: date({ required: 'Please enter the day', label: 'Promised for' }),
        amount: integer({ min: 1, pence: true, label: 'Amount promised', help: 'Defaults to the amount due.' }),
      },
    },
    note: {
      path: 'note',
      title: 'Save a note for chasing the invoice',
      allow: SELLING_ROLES,
      input: { notes: longText({ max: 2000, label: 'Note' }) },
    },
  },
})
