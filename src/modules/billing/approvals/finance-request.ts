import { choice, instant, integer, link, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { secondApproverActions } from '../second-person.ts'

const FINANCE_REQUEST_KINDS = [
  { value: 'balance', label: 'Balance change' },
  { value: 'writeOff', label: 'Write-off' },
  { value: 'void', label: 'Void' },
  { value: 'credit', label: 'Credit note' },
] as const

/** Nouns for the kinds of requests, within a sentence. */
export const FINANCE_REQUEST_NOUNS = {
  balance: 'balance change',
  writeOff: 'write-off',
  void: 'void',
  credit: 'credit note',
} as const

/** Returns the name of a request at the start of a sentence, such as `Void of INV-00012`. */
export function nameFinanceRequest(
  kind: keyof typeof FINANCE_REQUEST_NOUNS,
  of: { readonly number?: string | null } | null,
): string {
  const { label } = FINANCE_REQUEST_KINDS.find(({ value }) => value === kind) ?? { label: '' }
  return of ? `${label} ${kind === 'credit' ? 'for' : 'of'} ${of.number}` : label
}

/** Part of an invoice line to credit, by quantity or by net amount in pence; without either, its remainder. */
export interface CreditRequestLine {
  readonly line: number
  readonly quantity?: number | null
  readonly net?: number | null
}

/** A credit note to issue once it is approved. Without lines, it credits the remainder of the invoice. */
interface CreditRequest {
  readonly to: 'balance' | 'refund'
  readonly lines: readonly CreditRequestLine[]
}

const FINANCE_REQUEST_STATES = [
  { value: 'waiting', label: 'Awaiting approval' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Declined' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

const kept = { readonly: true, notNull: true } as const

/**
 * Request for a balance change, a write-off, a void or a credit note above the refund limit. A second person's approval
 * carries it out exactly as requested.
 */
export const financeRequest = resource({
  type: 'FinanceRequest',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'finance_requests',
  table: 'finance_request',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    kind: choice(FINANCE_REQUEST_KINDS, { ...kept, filter: true, count: true, label: 'Type' }),
    customer: link(() => customer, { ...kept, filter: true, embed: ['companyName'] }),
    invoice: link(() => invoice, { readonly: true, filter: true, embed: ['number'] }),
    /** Pence; positive in the customer’s favour. */
    amount: integer({ ...kept, pence: true, filter: true, order: true }),
    currency: choice(CURRENCIES, { ...kept, filter: true }),
    reason: text({ ...kept, max: 1000, default: '' }),
    credit: typedJson<CreditRequest | null>()({ readonly: true, label: 'Credit note to issue' }),
    state: choice(FINANCE_REQUEST_STATES, { ...kept, default: 'waiting', filter: true, count: true }),
    author: text({
      ...kept,
      column: 'created_by',
      stamp: 'author',
      default: '',
      person: true,
      filter: true,
      label: 'Requested by',
    }),
    decidedBy: text({ ...kept, default: '', person: true, label: 'Decided by' }),
    answer: text({ ...kept, default: '', max: 500 }),
    decidedAt: instant({ readonly: true, label: 'Decided' }),
    /** Source of the ledger transaction that the approval posted. */
    source: text({ readonly: true, visible: 'nobody' }),
    sourceId: integer({ readonly: true, visible: 'nobody' }),
    createdAt: instant({ ...kept, filter: true, label: 'Requested' }),
    updatedAt: instant({ ...kept, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    ...secondApproverActions('author'),
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw',
      allow: FINANCE_ROLES,
      from: ['waiting'],
      to: 'withdrawn',
      rows: [{ unless: 'nobody', only: only.mine('author') }],
      input: {},
    },
  },
})
