import { CsvError } from 'csv-parse/sync'
import { problem, violation } from '#kernel/errors.ts'
import { choice, longText, text } from '#kernel/fields.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { detectDelimiter } from '#server/files/csv.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { recordReceivedPayment } from '../payments/take-payment.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { bankLine, bankStatement } from './bank-line.ts'
import {
  type BankStatementLine,
  bankStatementLineKeys,
  indexPayersByFirstWord,
  matchBankLine,
  type OpenInvoice,
  type ParsedBankStatement,
  parseBankStatement,
} from './statement-csv.ts'

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
    AND NOT EXISTS (SELECT FROM bank_line l WHERE l.client_id = h.client_id AND l.charge_id = h.id) ORDER BY h.id LIMIT 5`

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
  const open = await tx.rows<OpenInvoice>(OPEN, [c.clientId])
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
      if (paid && paid.currency !== row.currency)
        throw problem.invalid([
          violation('invoice', `This invoice is in ${paid.currency}, but the payment is in ${row.currency}`),
        ])
      const made = await recordReceivedPayment(c, {
        customer: who,
        invoice: invoiceId,
        card: null,
        method: 'bank',
        amount: row.amount,
        amountDue: null,
        currency: row.currency,
        reference: row.reference.slice(0, 100),
        receivedAt: Temporal.PlainDate.from(row.day).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString(),
        notes: `From the bank statement of ${formatIsoDateAsUk(row.day)}${row.payer ? `, from ${row.payer}` : ''}`,
        // Each bank line is a separate payment, even if it looks like a repeat.
        keepBoth: true,
      })
      return {
        set: {
          state: 'booked' as const,
          customer: who,
          invoice: invoiceId,
          charge: made.id,
          decidedBy: authorOf(c.actor).username,
          decidedAt: c.now.toString(),
        },
      }
    },
  },
})
