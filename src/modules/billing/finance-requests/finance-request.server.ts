import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { FINANCE_REQUEST_NOUNS, financeRequest } from '../approvals/finance-request.ts'
import { assertSecondPerson, moneyLimitNotifications } from '../approvals/money-limit.server.ts'
import { creditNote } from '../credits/credit-note.ts'
import { issueRequestedCreditNote } from '../credits/credit-request.server.ts'
import { computeBalanceAfterChange, recordBalanceChange } from '../customers/booking.server.ts'
import { balanceChange, customer } from '../customers/customer.ts'
import { voidInvoice } from '../invoices/actions.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { nameWriteOff, writeOffInvoice } from '../invoices/settle.server.ts'
import { INVOICING_PACK } from '../rights.ts'

const APPROVAL_REASON = 'carry out what a second person has approved'

type RequestRow = RowOf<typeof financeRequest>

/** Functions that carry out an approved request and return the source of its ledger transaction. */
const CARRY_OUT: Readonly<Record<RequestRow['kind'], (c: Context, of: RequestRow) => Promise<[string, number]>>> = {
  balance: async (c, of) => {
    const right = c.withoutPermissionCheck(APPROVAL_REASON)
    const row = await right.lock(customer, of.customer)
    if (row.currency !== of.currency)
      throw problem.conflict(
        'The customer’s currency has changed since the request. Decline this request and make a new one in the new currency.',
      )
    const change = { amount: -of.amount, reason: of.reason, received: null, keepBoth: true }
    const balance = await computeBalanceAfterChange(c, row, change, { amount: 'amount', reason: 'reason' })
    const id = await recordBalanceChange(c, row, change, balance)
    await right.set(customer, row, { accountBalance: balance }, 'balance')
    return [balanceChange.type, id]
  },
  writeOff: async (c, of) => {
    const row = await lockDueInvoice(c, of)
    await writeOffInvoice(c, row, of.reason)
    return [nameWriteOff(row.timesWrittenOff + 1), row.id]
  },
  void: async (c, of) => {
    const row = await lockDueInvoice(c, of)
    await c.set(invoice, row, await voidInvoice(c, row, of.reason), 'void')
    return [invoice.type, row.id]
  },
  credit: async (c, of) => [creditNote.type, await issueRequestedCreditNote(c, of)],
}

/** Locks the invoice of a request. Throws 409 if the amount due has changed since the request. */
async function lockDueInvoice(c: Context, of: RequestRow): Promise<RowOf<typeof invoice>> {
  const row = await c.withoutPermissionCheck(APPROVAL_REASON).lock(invoice, of.invoice ?? 0)
  if (row.state === 'open' && row.amountDue === of.amount) return row
  throw problem.conflict(
    `${row.number} no longer has ${formatMoney(of.amount, of.currency)} due. Decline this request, and request the ${FINANCE_REQUEST_NOUNS[of.kind]} again if it is still needed.`,
    'due_changed',
  )
}

const decide = async (c: Context, { author, kind }: RequestRow) => {
  await assertSecondPerson(c, author, FINANCE_REQUEST_NOUNS[kind])
  return { decidedBy: authorOf(c.actor).username, decidedAt: c.now.toString() }
}

const financeRequestBehaviour = behaviour(financeRequest, {
  actions: {
    approve: async (c) => {
      const decision = await decide(c, c.row)
      const [source, sourceId] = await CARRY_OUT[c.row.kind](c, c.row)
      return { set: { ...decision, source, sourceId, state: 'approved' as const } }
    },
    reject: async (c) => ({
      set: { ...(await decide(c, c.row)), state: 'rejected' as const, answer: c.input.reason.trim() },
    }),
  },
})

export const financeRequests = feature({
  pack: INVOICING_PACK,
  resources: [financeRequest],
  behaviours: [financeRequestBehaviour],
  notifications: moneyLimitNotifications,
})
