import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { choice, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { PAYMENT_EVENTS_ROLE, STAFF_ROLE } from '../rights.ts'

export const MANDATE_STATES = [
  { value: 'pending', label: 'Being set up' },
  { value: 'active', label: 'Active' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'failed', label: 'Refused by the bank' },
] as const

const kept = { readonly: true, notNull: true } as const

/**
 * A customer's Direct Debit Instruction. Only the payment service has the full account number. Instructions are signed
 * on the payment page.
 */
export const mandate = resource({
  type: 'Mandate',
  service: 'financial',
  path: 'mandates',
  table: 'mandate',
  tenant: 'own',
  title: 'last4',
  order: ['-id'],
  state: 'state',
  fields: {
    customer: link(() => customer, { ...kept, filter: true }),
    company: text({ ...kept, default: '', label: 'Customer' }),
    holder: text({ ...kept, label: 'Account holder' }),
    last4: text({ ...kept, max: 4, label: 'Account ending' }),
    bank: text({ ...kept, default: '', label: 'Bank' }),
    /** Name on the customer's bank statement. */
    serviceName: text({ ...kept, label: 'Name on bank statements' }),
    reference: text({ ...kept, default: '', label: 'Reference' }),
    gateway: text({ ...kept }),
    gatewayId: text({ readonly: true, visible: 'nobody' }),
    /** ID of the bank account at the payment service. */
    gatewayMethod: text({ readonly: true, visible: 'nobody' }),
    key: text({ ...kept, visible: 'nobody' }),
    state: choice(MANDATE_STATES, { ...kept, default: 'pending', filter: true, count: true }),
    /** Reason why the instruction ended. */
    reason: text({ ...kept, default: '', max: 500, label: 'Reason' }),
    endedBy: text({ ...kept, default: '', person: true, label: 'Cancelled by' }),
    signedAt: instant({ ...kept, order: true, label: 'Signed' }),
    activeAt: instant({ readonly: true, label: 'Active since' }),
    endedAt: instant({ readonly: true, label: 'Ended' }),
    updatedAt: instant({ ...kept, stamp: 'updated' }),
  },
  allow: { read: [STAFF_ROLE, PAYMENT_EVENTS_ROLE] },
})

/** Emitted when the payment service has accepted an instruction that was signed for this invoice. */
export const mandateSigned = defineEvent({
  kind: 'mandate.signed',
  version: 1,
  payload: z.object({ mandate: z.int(), invoice: z.int() }),
})

/** Emitted when an instruction becomes active, or ends. */
export const mandateChanged = defineEvent({
  kind: 'mandate.changed',
  version: 1,
  payload: z.object({ mandate: z.int() }),
})

interface DebitFailure {
  readonly message: string
  /** True if nothing can be collected from the account any more. */
  readonly ends: boolean
}

const CANCELLED = { message: 'The Direct Debit Instruction has been cancelled at the bank.', ends: true }
const NO_ACCOUNT = { message: 'The bank has no account with this number.', ends: true }

/** Banks' reasons for returning a collection, by the payment service's code. */
const DEBIT_FAILURES: Readonly<Record<string, DebitFailure>> = {
  refer_to_payer: {
    message: 'The bank asks us to refer to the account holder. Usually there was not enough money in the account.',
    ends: false,
  },
  insufficient_funds: { message: 'There was not enough money in the account.', ends: false },
  charge_exceeds_source_limit: { message: 'The amount is above the limit of the account.', ends: false },
  debit_not_authorized: CANCELLED,
  instruction_cancelled: CANCELLED,
  no_account: NO_ACCOUNT,
  invalid_account_number: NO_ACCOUNT,
  account_closed: { message: 'The account has been closed.', ends: true },
  bank_account_restricted: { message: 'This account does not accept Direct Debits.', ends: true },
  bank_ownership_changed: { message: 'The account has been moved to another bank.', ends: true },
}

/** Returns a plain sentence for the code of a failed collection or ended instruction. */
export const describeDebitFailure = (code: string | null | undefined, otherwise = ''): DebitFailure =>
  DEBIT_FAILURES[code ?? ''] ?? { message: otherwise || 'The bank returned the payment without a reason.', ends: false }
