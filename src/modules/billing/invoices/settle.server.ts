import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import { prepareSql } from '#server/data/values.ts'
import type { Context } from '#server/engine/types.ts'
import { needsSecondPerson, requestFinanceApproval } from '../approvals/money-limit.server.ts'
import { lockCustomers, postTransaction } from '../ledger/ledger.server.ts'
import { recalculateInvoiceBalance } from './amounts.ts'
import { invoiceStateChanged } from './events.ts'
import { invoice } from './invoice.ts'
import type { InvoiceRow } from './lines.server.ts'

const SETTLEMENT_REASON = 'update an invoice from its payments'

const assertPence = (pence: number) => {
  if (!Number.isSafeInteger(pence) || pence <= 0)
    throw problem.badRequest('The amount must be a whole number of pence above 0.')
}

/**
 * Applies a payment to an invoice; the caller has already posted the payment. If the invoice was written off, its
 * amount is reinstated first. Throws 409 if the invoice is not open or the payment exceeds the amount due.
 */
export async function applyPaymentToInvoice(c: Context, which: InvoiceRow, pence: number): Promise<InvoiceRow> {
  assertPence(pence)
  const locked = await c.withoutPermissionCheck(SETTLEMENT_REASON).lock(invoice, which.id)
  const row = locked.state === 'uncollectible' ? await reinstateInvoice(c, locked) : locked
  if (row.state !== 'open') throw problem.conflict(`${row.number || 'A draft'} has no amount due.`, 'wrong_state')
  if (pence > row.amountDue)
    throw problem.conflict(
      `Only ${formatMoney(row.amountDue, row.currency)} is due on ${row.number}, not ${formatMoney(pence, row.currency)}.`,
      'wrong_state',
    )
  return saveInvoiceBalance(c, row, { paid: pence }, 'settle')
}

/**
 * Reverses a payment that was refunded, was disputed or failed later. The amount is due again, unless it was credited.
 */
export async function reverseInvoicePayment(c: Context, which: InvoiceRow, pence: number): Promise<InvoiceRow> {
  assertPence(pence)
  const row = await c.withoutPermissionCheck(SETTLEMENT_REASON).lock(invoice, which.id)
  if (pence > row.amountPaid)
    throw problem.conflict(
      `Only ${formatMoney(row.amountPaid, row.currency)} was paid on ${row.number}, not ${formatMoney(pence, row.currency)}.`,
      'wrong_state',
    )
  return saveInvoiceBalance(c, row, { paid: -pence }, 'unsettle')
}

/** Saves the new balance of an invoice after a payment, credit or write-off. */
export async function saveInvoiceBalance(
  c: Context,
  row: InvoiceRow,
  more: Parameters<typeof recalculateInvoiceBalance>[1],
  verb: string,
  set: { readonly reason?: string; readonly timesWrittenOff?: number } = {},
): Promise<InvoiceRow> {
  const next = recalculateInvoiceBalance(row, more)
  const paidAt = next.state === 'paid' ? (row.paidAt ?? c.now.toString()) : null
  await c.withoutPermissionCheck(SETTLEMENT_REASON).set(invoice, row, { ...next, paidAt, ...set }, verb)
  if (next.state !== row.state) await c.emit(invoiceStateChanged, { invoice: row.id })
  return c.withoutPermissionCheck(SETTLEMENT_REASON).lock(invoice, row.id)
}

/** Each customer's amounts due, minus pending refunds. Subtracting the account balance gives the available credit. */
const SPOKEN_FOR =
  prepareSql(`SELECT c.id::int, (SELECT coalesce(sum(amount_due), 0) FROM invoice WHERE client_id = $1 AND customer_id = c.id AND state = 'open')
  - (SELECT coalesce(sum(amount), 0) FROM refund WHERE client_id = $1 AND customer_id = c.id AND state IN ('pending', 'waiting')) AS pence
  FROM unnest($2::bigint[]) c (id)`)

/** Returns the available credit in pence by customer ID, after deducting amounts already due and pending refunds. */
async function creditsOf(c: Context, ids: readonly number[]): Promise<Map<number, number>> {
  // Customers are locked before the reserved credit is read, so that other transactions that spend credit wait here.
  const locked = await lockCustomers(c, ids, SETTLEMENT_REASON)
  const asked = await c.work.flushWith(() => c.work.tx.arrays(SPOKEN_FOR, [c.clientId, ids]))
  return new Map(
    asked.map(([id, pence]) => [Number(id), Number(pence) - (locked.get(Number(id))?.accountBalance ?? 0)]),
  )
}

/** Applies customer credit to open invoices. Nothing is posted, because customers' balances don't change. */
export async function applyCustomerCredits(c: Context, rows: readonly InvoiceRow[]): Promise<InvoiceRow[]> {
  const open = rows.filter((row) => row.state === 'open')
  if (!open.length) return [...rows]
  const left = await creditsOf(c, [...new Set(open.map((row) => row.customer))])
  const after: InvoiceRow[] = []
  for (const row of rows) {
    const credit = left.get(row.customer) ?? 0
    const pence = row.state === 'open' ? Math.min(row.amountDue, credit) : 0
    if (pence > 0) left.set(row.customer, credit - pence)
    after.push(pence > 0 ? await saveInvoiceBalance(c, row, { paid: pence }, 'use credit') : row)
  }
  return after
}

/**
 * Selects the parts of a customer's invoices that were paid from their credit, latest invoice first. `beyond` is the
 * overpayment after credit notes and write-offs. It belongs to the customer's credit.
 */
const PAID_FROM_CREDIT =
  prepareSql(`SELECT i.id::int, (i.amount_paid - coalesce(h.pence, 0))::bigint AS pence, greatest(0, i.amount_paid + i.amount_credited + i.amount_written_off - i.total)::bigint AS beyond
  FROM invoice i LEFT JOIN LATERAL (SELECT sum(amount_settled) AS pence FROM charge WHERE client_id = i.client_id AND invoice_id = i.id) h ON true
  WHERE i.client_id = $1 AND i.customer_id = $2 AND i.amount_paid > coalesce(h.pence, 0) ORDER BY i.id DESC`)

const findPaidFromCredit = async (
  c: Context,
  customer: number,
): Promise<readonly { readonly id: number; readonly pence: number; readonly beyond: number }[]> =>
  (await c.work.flushWith(() => c.work.tx.arrays(PAID_FROM_CREDIT, [c.clientId, customer]))).map(
    ([id, pence, beyond]) => ({ id: Number(id), pence: Number(pence), beyond: Number(beyond) }),
  )

/**
 * Locks these invoices of a customer and those paid from their credit, in order of ID, before the charge and the
 * customer.
 */
export async function lockWithUsedCredit(c: Context, customer: number, invoices: readonly number[]): Promise<void> {
  const ids = [...invoices, ...(await findPaidFromCredit(c, customer)).map(({ id }) => id)]
  if (ids.length) await c.withoutPermissionCheck(SETTLEMENT_REASON).lockAll(invoice, { id: ids })
}

/**
 * Reverses a customer's payments for these invoices. If the customer's credit has paid other invoices, enough of those
 * payments is reversed, latest invoice first, for no more credit to be used than the customer has. `reserved`: pence of
 * a pending refund that `reverse` completes.
 */
export async function reverseWithUsedCredit(
  c: Context,
  customer: number,
  invoices: readonly number[],
  reverse: () => Promise<unknown>,
  reserved = 0,
): Promise<void> {
  const right = c.withoutPermissionCheck(SETTLEMENT_REASON)
  await lockWithUsedCredit(c, customer, invoices)
  const credit = async () => (await creditsOf(c, [customer])).get(customer) ?? 0
  const before = Math.min(0, (await credit()) + reserved)
  await reverse()
  let short = before - (await credit())
  if (short <= 0) return
  for (const { id, pence, beyond } of await findPaidFromCredit(c, customer)) {
    if (short <= 0) return
    // The overpayment is already credit, so reversing it restores no credit.
    const part = Math.min(pence, short + beyond)
    if (part <= beyond) continue
    await reverseInvoicePayment(c, await right.lock(invoice, id), part)
    short -= part - beyond
  }
}

/**
 * Returns the ledger source name for the nth write-off or reinstatement of an invoice. With this name, each is posted
 * only once.
 */
const nth = (what: string, n: number) => (n === 1 ? what : `${what} ${n}`)

/** Returns the ledger source name for the nth write-off of an invoice. */
export const nameWriteOff = (n: number): string => nth('Invoice', n)

/** Writes off the amount due. The VAT is included until it is reclaimed from HMRC. */
export async function writeOffInvoice(c: Context, row: InvoiceRow, reason: string): Promise<InvoiceRow> {
  const n = row.timesWrittenOff + 1
  await postTransaction(c, {
    kind: 'badDebt',
    description: `${row.number} written off: ${reason}`.slice(0, 500),
    currency: row.currency,
    customer: row.customer,
    source: { type: nameWriteOff(n), id: row.id },
    entries: [
      { account: 'badDebt', amount: row.amountDue, invoice: row.id },
      { account: 'receivable', amount: -row.amountDue, invoice: row.id },
    ],
  })
  return saveInvoiceBalance(c, row, { writtenOff: row.amountDue }, 'write off', { reason, timesWrittenOff: n })
}

/**
 * Writes off the amount due or, if a second person must approve this, requests approval. Returns whether it was written
 * off.
 */
export async function writeOffOrRequest(c: Context, row: InvoiceRow, reason: string): Promise<boolean> {
  const { customer, amountDue: amount, currency } = row
  if (await needsSecondPerson(c, { customer, amount })) {
    await requestFinanceApproval(c, { kind: 'writeOff', customer, invoice: row.id, amount, currency, reason })
    return false
  }
  await writeOffInvoice(c, row, reason)
  return true
}

export async function reinstateInvoice(c: Context, row: InvoiceRow): Promise<InvoiceRow> {
  const { amountWrittenOff: pence } = row
  await postTransaction(c, {
    kind: 'badDebt',
    day: londonDate(c.now).toString(),
    description: `${row.number} reinstated`,
    currency: row.currency,
    customer: row.customer,
    source: { type: nth('Invoice reopened', row.timesWrittenOff), id: row.id },
    entries: [
      { account: 'receivable', amount: pence, invoice: row.id },
      { account: 'badDebt', amount: -pence, invoice: row.id },
    ],
  })
  return saveInvoiceBalance(c, row, { writtenOff: -pence }, 'reopen', { reason: '' })
}

export async function payDemoInvoiceByTransfer(c: Context, of: InvoiceRow): Promise<void> {
  await postTransaction(c, {
    kind: 'payment',
    description: `Bank transfer for ${of.number}`,
    currency: of.currency,
    customer: of.customer,
    source: { type: 'Bank transfer', id: of.id },
    entries: [
      { account: 'bank', amount: of.amountDue, invoice: of.id },
      { account: 'receivable', amount: -of.amountDue, invoice: of.id },
    ],
  })
  await applyPaymentToInvoice(c, of, of.amountDue)
}
