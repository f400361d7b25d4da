import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { Period } from '#kernel/money/periods.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { Currency } from '#kernel/money.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { londonDate } from '#kernel/time.ts'
import { nextNumbers } from '#server/data/sequences.ts'
import type { Context } from '#server/engine/types.ts'
import { type CouponTerms, coversPlan, discountOf } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { invoiceRules, seriesOf } from '../client-invoicing/invoice-settings.server.ts'
import { type Entry, lockCustomers, postAll, refuseClosed } from '../ledger/post.server.ts'
import { once } from '../lines/once.server.ts'
import { shortages, takeStock } from '../stock/stock.server.ts'
import { earnedBy } from './amounts.ts'
import { deferredIncome } from './deferred-income.ts'
import { invoiceIssued } from './events.ts'
import { invoice, invoiceNumbers } from './invoice.ts'
import type { InvoiceRow, InvoiceValues, LineRow } from './lines.server.ts'
import { entriesOf } from './postings.server.ts'
import { spendCredits } from './settle.server.ts'

/** A line of an invoice that the portal makes itself: its price is taken as it is said. */
export interface DraftLine {
  readonly plan?: number | null
  readonly sku?: number | null
  readonly product?: number | null
  readonly description: string
  readonly quantity: number
  /** Pence for one; below nil for what is given back. */
  readonly unitAmount: number
  /** Without one, the percentage says it; without either it is that of the plan or item, or the standard rate. */
  readonly taxCode?: TaxCode | null
  readonly taxPercent?: number | null
  readonly discountable?: boolean
  /** The days that it is for: `to` is the first that is no longer in it. */
  readonly period?: Period
}

export interface Draft {
  readonly customer: number
  readonly currency: Currency
  readonly lines: readonly DraftLine[]
  readonly origin: 'quote' | 'subscription'
  readonly subscription?: number | null
  readonly quote?: number | null
  readonly period?: Period
  /** What is taken off, by a coupon's terms; or by itself. */
  readonly coupon?: CouponTerms | null
  readonly percentOff?: number | null
  readonly amountOff?: number | null
  readonly poNumber?: string
  readonly notes?: string
  readonly dueOn?: string
  readonly exchangeRate?: number | null
  /** When it was supplied; said once it is issued otherwise. */
  readonly taxPoint?: string
}

const WHY = 'what is sold is invoiced'

const daysOf = ({ from, to }: Period) => ({ from: from.toString(), to: to.subtract({ days: 1 }).toString() })

/** Does what is taken off the whole take something off this line? */
export const isDiscounted = ({ coupon }: Pick<Draft, 'coupon'>, line: DraftLine): boolean =>
  line.discountable !== false &&
  line.unitAmount >= 0 &&
  (!coupon || coversPlan(coupon, line.plan ? iriOf(plan, line.plan) : undefined))

/** A draft of an invoice, made by what was sold. Throws 422 for what can't be invoiced. */
export async function draftInvoice(c: Context, d: Draft): Promise<InvoiceRow> {
  const [row] = await draftInvoices(c, [d])
  return row as InvoiceRow
}

/** The same of several, written at once. */
async function draftInvoices(c: Context, all: readonly Draft[]): Promise<InvoiceRow[]> {
  const right = c.withoutPermissionCheck(WHY)
  const ids = await right.createAll(invoice, all.map(valuesOf))
  const rows = new Map((ids.length ? await right.lockAll(invoice, { id: ids }) : []).map((row) => [row.id, row]))
  return ids.map((id) => rows.get(id) as InvoiceRow)
}

function valuesOf(d: Draft): InvoiceValues {
  const off = d.coupon ? discountOf(d.coupon) : { percentOff: d.percentOff ?? null, amountOff: d.amountOff ?? null }
  const days = d.period && daysOf(d.period)
  return {
    customer: d.customer,
    currency: d.currency,
    origin: d.origin,
    subscriptionId: d.subscription ?? null,
    quote: d.quote ?? null,
    periodFrom: days?.from ?? null,
    periodTo: days?.to ?? null,
    percentOff: off.percentOff === undefined ? null : Number(off.percentOff) || null,
    amountOff: off.amountOff ?? null,
    discountName: d.coupon?.name ?? '',
    ...(d.poNumber ? { poNumber: d.poNumber } : {}),
    notes: d.notes ?? '',
    dueOn: d.dueOn ?? null,
    exchangeRate: d.exchangeRate ?? null,
    ...(d.taxPoint ? { taxPoint: d.taxPoint } : {}),
    lines: d.lines.map(({ period, ...line }) => ({
      ...line,
      ...(period ? daysOf(period) : {}),
      discountable: isDiscounted(d, line),
    })),
  }
}

/** Drafts of what was sold that are issued at once: worked out once, as they are to be issued today. */
export async function draftsReady(c: Context, all: readonly Draft[]): Promise<InvoiceRow[]> {
  const taxPoint = londonDate(c.now).toString()
  const rated = all.map(async (d) => ({ ...d, taxPoint, exchangeRate: await rateFor(c, d, taxPoint) }))
  return draftInvoices(c, await settleAll(...rated))
}

/** Up to so many pence a VAT invoice may leave out the address of its customer (VAT Notice 700, section 16.6). */
const SIMPLE_UP_TO = 25_000

/** What stands in the way of issuing a draft, each where it is put right; of lines and sums, its save has told already. */
export function issueProblems(row: InvoiceRow): Violation[] {
  const wrong: Violation[] = []
  const { lines, buyer, supplier, total, tax, currency, exchangeRate } = row
  if (!lines.length) wrong.push(violation('lines', 'Add at least one line before you issue this invoice'))
  if (total < 0)
    wrong.push(violation('lines', 'This comes to less than nothing. What is given back is given by a credit note'))
  if (!buyer?.name)
    wrong.push(violation('customer', 'Invoices need the customer’s name. Enter it on the customer’s page'))
  if (supplier?.vatNumber && total > SIMPLE_UP_TO && !buyer?.address.length)
    wrong.push(
      violation(
        'customer',
        `A VAT invoice of more than ${formatMoney(SIMPLE_UP_TO, 'GBP')} needs the customer’s address. Enter it on the customer’s page`,
      ),
    )
  if (lines.some((l) => l.taxCode === 'reverse') && !buyer?.vatNumber)
    wrong.push(
      violation(
        'customer',
        'For the reverse charge the customer’s VAT number is needed. Enter it on the customer’s page',
      ),
    )
  if (currency !== 'GBP' && tax !== 0 && exchangeRate === null)
    wrong.push(
      violation(
        'exchangeRate',
        `VAT is said in sterling too: enter how many ${currency} are £1, by HM Revenue & Customs’ rate for the month`,
      ),
    )
  return wrong
}

interface Issuing {
  /** The day of issue, `2026-02-28`; today unless said. */
  readonly day?: string
  /** When it was supplied; the day of issue unless said. */
  readonly taxPoint?: string
  /** Goes to the customer by e-mail, unless said otherwise. */
  readonly letter?: boolean
}

/** The draft as it is at that tax point: what it would be issued with. */
export async function readyDraft(c: Context, row: InvoiceRow, { day, taxPoint }: Issuing): Promise<InvoiceRow> {
  const on = taxPoint ?? day ?? londonDate(c.now).toString()
  const right = c.withoutPermissionCheck(WHY)
  const rate = await rateFor(c, row, on)
  // Saved again as it stands, it is worked out anew: rates, names and addresses of that day.
  await right.change(invoice, row, { taxPoint: on, exchangeRate: rate, lines: row.lines })
  return right.lock(invoice, row.id)
}

/** Units of a foreign currency for a pound: as it is said, otherwise as it is known. */
const rateFor = async (
  c: Context,
  { currency, exchangeRate }: Pick<Draft, 'currency' | 'exchangeRate'>,
  day: string,
): Promise<number | null> => (currency === 'GBP' ? null : (exchangeRate ?? (await knownRate(c, currency, day))))

/** The rate that invoices in this currency have had this month: HM Revenue & Customs has one for each. */
async function knownRate({ work }: Context, currency: string, day: string): Promise<number | null> {
  const [row] = await work.tx.rows<{ rate: string }>(
    `SELECT exchange_rate AS rate FROM invoice WHERE client_id = $1 AND currency = $2 AND state <> 'draft' AND exchange_rate IS NOT NULL
       AND date_trunc('month', tax_point) = date_trunc('month', $3::date) ORDER BY id DESC LIMIT 1`,
    [work.clientId, currency, day],
  )
  return row ? Number(row.rate) : null
}

/**
 * Issues a draft: it gets the next number, is sealed and posted, is paid from what the customer has in credit, and its letter is queued; all
 * or none of it. Throws 422 for what an invoice must say and does not, and 409 for a day of books that are closed.
 */
export async function issueInvoice(c: Context, row: InvoiceRow, when: Issuing = {}): Promise<InvoiceRow> {
  if (row.state !== 'draft') throw problem.conflict(`${row.number} has been issued already.`, 'wrong_state')
  return issueReady(c, await readyDraft(c, row, when), when)
}

export async function issueReady(c: Context, ready: InvoiceRow, when: Issuing = {}): Promise<InvoiceRow> {
  const [issued] = await issueAll(c, [ready], when)
  return issued as InvoiceRow
}

/** Issues drafts that are ready, one number behind the other: what a run writes for many is what one that is issued by hand writes. */
export async function issueAll(
  c: Context,
  all: readonly InvoiceRow[],
  { day, letter = true }: Issuing = {},
): Promise<InvoiceRow[]> {
  if (!all.length) return []
  const { prefix, firstNumber, stockRefused } = await invoiceRules(once(c))
  for (const ready of all) {
    const wrong = [...issueProblems(ready), ...(stockRefused ? await shortages(c, ready.lines) : [])]
    if (wrong.length) throw problem.invalid(wrong)
  }
  const right = c.withoutPermissionCheck(WHY)
  const date = day ?? londonDate(c.now).toString()
  const buyers = await lockCustomers(
    c,
    all.map((one) => one.customer),
    WHY,
  )
  for (const on of new Set(all.map((one) => one.taxPoint ?? date))) await refuseClosed(c, on)
  // As late as may be: until this is committed, whoever else issues waits for it.
  const numbers = await nextNumbers(c, seriesOf(invoiceNumbers, prefix, firstNumber), all.length)
  const issuing = all.map((ready, n) => ({ ready, number: numbers[n]?.text ?? '' }))
  await settleAll(
    right.setAll(
      invoice,
      issuing.map(({ ready, number }) => ({
        row: ready,
        values: {
          number,
          date,
          dueOn: dueOnOf(ready, date, buyers.get(ready.customer)?.paymentDays ?? 0),
          issuedAt: c.now.toString(),
          amountDue: ready.total,
          state: ready.total === 0 ? 'paid' : 'open',
          ...(ready.total === 0 ? { paidAt: c.now.toString() } : {}),
        },
      })),
      'issue',
    ),
    postAll(
      c,
      issuing.map(({ ready, number }) => ({
        kind: 'invoice',
        day: ready.taxPoint ?? date,
        description: `Invoice ${number}`,
        currency: ready.currency,
        customer: ready.customer,
        source: { type: invoice.type, id: ready.id },
        entries: issuedEntries(ready, date),
      })),
    ),
    right.createAll(
      deferredIncome,
      all.flatMap((ready) => deferredLines(ready, date)),
    ),
  )
  for (const { ready, number } of issuing) await takeStock(c, { ...ready, number })
  const issued: InvoiceRow[] = []
  for (const { id } of all) issued.push(await right.lock(invoice, id))
  const told = issuing.map(({ ready, number }) =>
    letter
      ? c.emit(invoiceIssued, { invoice: ready.id, number, customer: ready.customer, total: ready.total })
      : undefined,
  )
  const [after] = await settleAll(spendCredits(c, issued), ...told)
  return after
}

const dueOnOf = ({ dueOn }: InvoiceRow, date: string, days: number): string =>
  laterOf(dueOn ?? Temporal.PlainDate.from(date).add({ days }).toString(), date)

/** What of an invoice is still to be earned after the day of its issue, line by line. */
const deferredLines = (ready: InvoiceRow, date: string) =>
  ready.lines.flatMap((line) => {
    const { deferred } = deferredOf(line, date)
    if (!deferred || !line.from || !line.to) return []
    return [
      {
        invoice: ready.id,
        line: line.id,
        product: line.product,
        currency: ready.currency,
        from: line.from,
        to: line.to,
        net: line.net,
        earned: line.net - deferred,
        earnedOn: date,
      },
    ]
  })

/** The entries that an invoice is posted with when it is issued on a day. */
export const issuedEntries = (row: InvoiceRow, date: string): Entry[] =>
  entriesOf(
    row.lines.map((line) => deferredOf(line, date)),
    row.id,
    1,
  )

const laterOf = (a: string, b: string) => (a > b ? a : b)

/** What of a line is still to be earned after the day of issue. */
function deferredOf(line: LineRow, date: string) {
  const { net, tax, taxCode, taxPercent, product, from, to } = line
  const deferred = from && to ? net - earnedBy(net, { from, to }, date) : 0
  return { net, tax, deferred, taxCode, taxPercent, product }
}
