import { CsvError } from 'csv-parse/sync'
import { problem, violation } from '#kernel/errors.ts'
import { choice, longText, text } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { CURRENCIES, type Currency, formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { detectDelimiter } from '#server/files/csv.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { firstOpenDay } from '../ledger/ledger.server.ts'
import { charge } from '../payments/charge.ts'
import { recordReceivedPayment, reverseReceivedPayments } from '../payments/take-payment.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { bankLine, bankStatement } from './bank-line.ts'
import { indexOpenInvoices, indexPayersByFirstWord, matchBankLine, type OpenInvoice } from './match.ts'
import {
  type BankStatementLine,
  bankStatementLineKeys,
  type ParsedBankStatement,
  parseBankStatement,
} from './statement-csv.ts'

type BankLineRow = RowOf<typeof bankLine>

const IMPORT_REASON = 'import a bank statement'

/** Maximum number of days between a bank line and a manually recorded payment that may be the same payment. */
const NEAR_DAYS = 5
/** Maximum number of problems saved per statement. */
const MAX_PROBLEMS = 50

function read(given: string, today: string) {
  try {
    return parseBankStatement(given, detectDelimiter(given).delimiter, today)
  } catch (e) {
    if (e instanceof CsvError)
      throw problem.invalid([violation('text', 'This isn’t a valid CSV file: a quotation mark is never closed')])
    throw problem.invalid([violation('text', e instanceof Error ? e.message : 'This file can’t be read')])
  }
}

const OPEN = `SELECT id::int, number, customer_id::int AS customer, currency, amount_due::int AS "amountDue" FROM invoice WHERE client_id = $1 AND state = 'open'`
const PAYERS = `SELECT id::int, company_name, contact_name, billing_name FROM customer WHERE client_id = $1 AND NOT retired`
/**
 * Up to five manually recorded bank transfers of the same amount near the line's date that are not linked to a bank
 * line yet.
 */
const BY_HAND = `SELECT h.id::int, h.customer_id::int AS customer, h.invoice_id::int AS invoice FROM charge h
  WHERE h.client_id = $1 AND h.method = 'bank' AND h.state = 'succeeded' AND h.amount = $2 AND h.currency = $3
    AND h.received_at BETWEEN $4::date - ${NEAR_DAYS} AND $4::date + ${NEAR_DAYS + 1}
    AND h.bank_line_id IS NULL ORDER BY h.id LIMIT 5`

interface PayerNameRow {
  readonly id: number
  readonly company_name: string | null
  readonly contact_name: string | null
  readonly billing_name: string
}

/**
 * Saves a statement and its new incoming lines, each with its match. Payments out and lines already in an earlier
 * statement are only counted. Returns the statement's ID.
 */
export async function importBankStatement(
  c: Context,
  name: string,
  currency: Currency,
  { lines, problems }: ParsedBankStatement,
): Promise<number> {
  const { tx } = c.work
  const incoming = lines.filter(({ amount }) => amount > 0)
  const keys = bankStatementLineKeys(incoming, currency)
  const known = new Set((await c.find(bankLine, { key: keys })).map(({ key }) => key))
  const fresh = incoming.flatMap((line, n) =>
    known.has(keys[n] as string) ? [] : [{ ...line, key: keys[n] as string }],
  )
  const right = c.withoutPermissionCheck(IMPORT_REASON)
  const statement = await (
    await right.create(bankStatement, {
      name,
      currency,
      lines: fresh.length,
      known: incoming.length - fresh.length,
      outgoing: lines.length - incoming.length,
      problems: problems.slice(0, MAX_PROBLEMS),
    })
  ).saved()
  const open = indexOpenInvoices(await tx.rows<OpenInvoice>(OPEN, [c.clientId]))
  const payers = indexPayersByFirstWord(
    (await tx.rows<PayerNameRow>(PAYERS, [c.clientId])).map(({ id, company_name, contact_name, billing_name }) => ({
      id,
      names: [company_name, contact_name, billing_name].flatMap((one) => one || []),
    })),
  )
  for (const { key, ...line } of fresh) {
    const match = await unlessBooked(c, { ...line, currency }, matchBankLine({ ...line, currency }, open, payers))
    await right.create(bankLine, {
      ...line,
      statement: statement.id,
      currency,
      key,
      state: match.sure ? 'proposed' : 'open',
      customer: match.customer,
      invoice: match.invoice,
      why: match.why,
    })
  }
  return statement.id
}

/** Returns the match unchanged, or marked as uncertain if the payment may already have been recorded manually. */
async function unlessBooked(
  c: Context,
  { amount, currency, day }: BankStatementLine & { readonly currency: Currency },
  match: ReturnType<typeof matchBankLine>,
) {
  const found = await c.work.tx.rows<{ id: number; customer: number; invoice: number | null }>(BY_HAND, [
    c.clientId,
    amount,
    currency,
    day,
  ])
  const same = found.find((one) => match.customer === null || one.customer === match.customer)
  return same
    ? {
        ...match,
        sure: false,
        why: `Payment ${same.id}, for the same amount, was recorded manually and may be the same payment`,
      }
    : match
}

export const bankRoutes = [
  subListRoute({
    path: '/api/financial/bank_lines/{id}/charges',
    title: 'List the payments of a bank line, also those that were reversed',
    of: bankLine,
    r: charge,
    where: (id) => `t.bank_line_id = ${id}`,
    allow: FINANCE_ROLES,
  }),
  routeWithInput(
    {
      name: text({ required: 'Please choose a file', max: 255 }),
      text: longText({
        required: 'This file is empty',
        max: 2_000_000,
        help: 'The CSV file downloaded from the bank.',
      }),
      currency: choice(CURRENCIES, { default: 'GBP' }),
    },
    {
      method: 'POST',
      path: bankStatement.url,
      title: 'Import a bank statement (CSV). New lines must then be confirmed',
      allow: FINANCE_ROLES,
      handle: async (c) => {
        const { name, text: given, currency } = c.input
        const found = read(given, londonDate(c.now).toString())
        const answer = (made: { readonly '@id': string }) => new RouteResponse(201, made, { location: made['@id'] })
        return c.engine.inTenant(c.me.clientId, c.change(answer), async (unit) => {
          // Serialises imports, so that a file uploaded twice at the same time is imported only once.
          await unit.work.tx.rows('SELECT pg_advisory_xact_lock(hashtext($1), $2)', [
            bankStatement.table,
            unit.clientId,
          ])
          const id = await importBankStatement(unit, name, currency ?? 'GBP', found)
          return async () => answer(await c.engine.one(bankStatement, c.me, id))
        })
      },
    },
  ),
]

export const bankLineBehaviour = behaviour(bankLine, {
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
      // A proposal never exceeded the amount due, which may have been paid in part since.
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

/** All states but `reversed`: a payment in another state than `succeeded` is refused by name. */
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

/** Records a payment of the line, with the line's day, also if the books of that day have been closed since. */
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

/** Reads the parts of a split, and locks their invoices in order of ID. Throws 422 for an invalid part. */
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
