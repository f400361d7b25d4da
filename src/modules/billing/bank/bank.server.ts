import { problem, violation } from '#kernel/errors.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { firstOpenDay } from '../ledger/ledger.server.ts'
import { charge } from '../payments/charge.ts'
import { recordReceivedPayment, reverseReceivedPayments } from '../payments/take-payment.server.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import { bankLine, bankStatement } from './bank-line.ts'
import { importRoute } from './import.server.ts'

type BankLineRow = RowOf<typeof bankLine>

const lineChargesRoute = subListRoute({
  path: '/api/financial/bank_lines/{id}/charges',
  title: 'List the payments of a bank line, also those that were reversed',
  of: bankLine,
  r: charge,
  where: (id) => `t.bank_line_id = ${id}`,
  allow: FINANCE_ROLES,
})

const bankLineBehaviour = behaviour(bankLine, {
  actions: {
    book: async (c) => {
      const { row, input } = c
      const isOther = input.invoice != null || input.customer != null
      if (!isOther && row.state !== 'proposed')
        throw problem.conflict('No match is proposed for this line. Choose the invoice or the customer.', 'wrong_state')
      const invoiceId = isOther ? (input.invoice ?? null) : row.invoice
      const paid = invoiceId === null ? undefined : await c.get(invoice, invoiceId)
      if (invoiceId !== null && !paid) throw problem.unknownTarget(iriOf(invoice, invoiceId))
      const who = paid?.customer ?? input.customer ?? null
      if (who !== null && !(await c.get(customer, who))) throw problem.unknownTarget(iriOf(customer, who))
      if (who === null) throw problem.invalid([violation('customer', 'Please choose the customer who paid')])
      if (paid && input.customer != null && input.customer !== paid.customer)
        throw problem.invalid([violation('invoice', 'This invoice belongs to another customer')])
      if (paid) requireCurrency(row, paid, 'invoice')
      // The proposal was within the amount due at the time, but part of the invoice may have been paid since.
      if (paid && !isOther && paid.state === 'open' && row.amount > paid.amountDue)
        throw problem.conflict(
          `Only ${formatMoney(paid.amountDue, paid.currency)} is still due on ${paid.number}. Open the line to split it, or choose the invoice.`,
          'due_changed',
        )
      const made = await recordLinePayment(c, row, { customer: who, invoice: invoiceId, amount: row.amount })
      return { set: { ...decidedNow(c), state: 'booked' as const, customer: who, invoice: invoiceId, charge: made.id } }
    },
    split: async (c) => {
      const { row, input } = c
      const parts = await readParts(c, input.parts)
      const [first] = parts
      if (!first) throw problem.invalid([violation('parts', 'Please choose at least one invoice', 'required')])
      for (const { owed, at, amount } of parts) {
        if (owed.customer !== first.owed.customer)
          throw problem.invalid([violation(`${at}.invoice`, 'All invoices must belong to one customer')])
        requireCurrency(row, owed, `${at}.invoice`)
        if (owed.state === 'open' && amount > owed.amountDue)
          throw problem.invalid([
            violation(
              `${at}.amount`,
              `Only ${formatMoney(owed.amountDue, owed.currency)} is due on ${owed.number}`,
              'too_big',
            ),
          ])
      }
      const rest = row.amount - parts.reduce((sum, { amount }) => sum + amount, 0)
      const money = (pence: number) => formatMoney(pence, row.currency)
      if (rest < 0) throw problem.invalid([violation('parts', `This is ${money(-rest)} more than the line`, 'too_big')])
      if (rest > 0 && input.credit !== true)
        throw problem.invalid([
          violation('parts', `${money(rest)} is left. Enter it for an invoice, or add it to the customer’s credit`),
        ])
      const { customer: who } = first.owed
      const made = [
        ...parts.map(({ owed, amount }) => ({ customer: who, invoice: owed.id, amount })),
        ...(rest ? [{ customer: who, invoice: null, amount: rest }] : []),
      ]
      const ids: number[] = []
      for (const one of made) ids.push((await recordLinePayment(c, row, one)).id)
      const isOne = ids.length === 1
      return {
        set: {
          ...decidedNow(c),
          customer: who,
          invoice: isOne ? first.owed.id : null,
          charge: isOne ? (ids[0] ?? null) : null,
        },
      }
    },
    unmatch: async (c) => {
      const { row, input } = c
      const made = await c.find(charge, { bankLineId: row.id, state: UNDOABLE_STATES })
      await reverseReceivedPayments(
        c,
        made.map(({ id }) => id),
        input.reason,
      )
      return {
        set: {
          customer: null,
          invoice: null,
          charge: null,
          why: `Match undone: ${input.reason}`.slice(0, 500),
          decidedBy: '',
          decidedAt: null,
        },
      }
    },
  },
})

/** All states but `reversed`: a payment that has not succeeded is refused with a message that names its state. */
const UNDOABLE_STATES = ['pending', 'succeeded', 'failed', 'disputed'] as const

const decidedNow = (c: Context) => ({ decidedBy: authorOf(c.actor).username, decidedAt: c.now.toString() })

function requireCurrency(row: BankLineRow, owed: RowOf<typeof invoice>, at: string): void {
  if (owed.currency !== row.currency)
    throw problem.invalid([violation(at, `This invoice is in ${owed.currency}, but the payment is in ${row.currency}`)])
}

interface LinePayment {
  readonly customer: number
  readonly invoice: number | null
  readonly amount: number
}

/** Records a payment of the line, dated on the line's day, even if the books of that day have since been closed. */
async function recordLinePayment(c: Context, row: BankLineRow, paid: LinePayment): Promise<RowOf<typeof charge>> {
  return recordReceivedPayment(c, {
    ...paid,
    card: null,
    method: 'bank',
    amountDue: null,
    currency: row.currency,
    reference: row.reference.slice(0, 100),
    receivedAt: Temporal.PlainDate.from(row.day).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString(),
    notes: `From the bank statement of ${formatIsoDateAsUk(row.day)}${row.payer ? `, from ${row.payer}` : ''}`,
    // Each bank line is a separate payment, even if it looks like a repeat.
    keepBoth: true,
    bankLine: row.id,
    postedOn: await firstOpenDay(c, row.day),
  })
}

/** Maximum number of invoices that one line pays. */
const MAX_PARTS = 100

/** Returns the parts of a split, and locks their invoices in order of ID. Throws 422 for an invalid part. */
async function readParts(c: Context, given: unknown) {
  const wrong = (at: string, message: string) => problem.invalid([violation(at, message)])
  if (!Array.isArray(given)) throw wrong('parts', 'This must be a list of {invoice, amount}')
  if (given.length > MAX_PARTS) throw wrong('parts', `At most ${MAX_PARTS} invoices are possible`)
  const parts = given.map((one: unknown, n) => {
    const { invoice: iri, amount } = (one ?? {}) as { readonly invoice?: unknown; readonly amount?: unknown }
    const at = `parts[${n}]`
    const id = idFromIriOrNumber(invoice, iri)
    if (id === undefined) throw wrong(`${at}.invoice`, 'Please choose an invoice')
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1)
      throw wrong(`${at}.amount`, 'Please enter an amount above 0')
    return { id, at, amount }
  })
  const locked = new Map<number, RowOf<typeof invoice>>()
  for (const { id } of parts.toSorted((a, b) => a.id - b.id)) {
    if (locked.has(id)) throw wrong('parts', 'An invoice is listed twice')
    if (!(await c.get(invoice, id))) throw problem.unknownTarget(iriOf(invoice, id))
    locked.set(id, await c.lock(invoice, id))
  }
  return parts.map(({ id, at, amount }) => ({ at, amount, owed: locked.get(id) as RowOf<typeof invoice> }))
}

export const bank = feature({
  pack: INVOICING_PACK,
  resources: [bankStatement, bankLine],
  behaviours: [bankLineBehaviour],
  routes: [importRoute, lineChargesRoute],
})
