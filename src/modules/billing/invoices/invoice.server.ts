import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { Currency } from '#kernel/money.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { client } from '#modules/portal/clients/client.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { checkVatNumber } from '#server/vat-number.ts'
import { MAX_PAYMENT_DAYS } from '../client-invoicing/invoice-settings.ts'
import { customer, findMissingAddressParts, type PostalAddress } from '../customers/customer.ts'
import { lockBuyer, postTransaction } from '../ledger/ledger.server.ts'
import { createFinancialDocumentPdfResponse } from '../print/financial-document.server.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { invoiceActionHandlers, invoicePreviewRoute } from './actions.server.ts'
import { computeReverseCharge, convertTaxToSterling } from './amounts.ts'
import { deferredIncome } from './deferred-income.ts'
import { invoiceEmail, invoiceVoidEmail, proFormaEmail } from './emails.ts'
import { INVOICE_SUMMARY_URL, type InvoiceSummary, invoice, invoiceLine } from './invoice.ts'
import {
  completeInvoiceLines,
  computeDraftTotals,
  findExchangeRateProblem,
  type InvoiceRow,
  type InvoiceValues,
  invoiceMailsRoute,
  loadSeller,
  markInvoiceSent,
  notifyInvoiceVoid,
} from './lines.server.ts'
import type { Buyer } from './paper.ts'
import { buildInvoiceDocument } from './paper.ts'
import { addKnownPayLink } from './pay-link.server.ts'

/**
 * Updates the earned income of each line to the end of a day and returns the totals by product. This is the SQL
 * counterpart of `computeEarnedAmount`: pro rata by days, with halves rounded away from zero. One statement covers all lines,
 * because there are as many lines as subscriptions.
 */
const EARN = `WITH due AS (
    SELECT d.id, d.currency, d.product_id, d.net, d.earned,
      round(d.net::numeric * least(d.last_day - d.first_day + 1, $2::date - d.first_day + 1) / (d.last_day - d.first_day + 1))::bigint AS earned_now
    FROM deferred_income d WHERE d.client_id = $1 AND d.earned <> d.net AND d.first_day <= $2::date FOR UPDATE),
  changed AS (
    UPDATE deferred_income d SET earned = due.earned_now, earned_on = $2::date FROM due WHERE d.client_id = $1 AND d.id = due.id)
  SELECT currency, product_id AS product, sum(earned_now - earned)::bigint AS amount FROM due GROUP BY currency, product_id ORDER BY currency, product_id`

interface Earned {
  readonly currency: Currency
  readonly product: number | string | null
  readonly amount: number | string
}

/** Posts the deferred income earned up to and including today, once per day and currency. */
async function earnDay(c: Context): Promise<void> {
  const day = londonDate(c.now)
  await c.work.flush()
  const rows = await c.work.tx.rows<Earned>(EARN, [c.clientId, day.toString()])
  const earned = rows.map((r) => ({
    ...r,
    product: r.product === null ? null : Number(r.product),
    amount: Number(r.amount),
  }))
  for (const [currency, parts] of Map.groupBy(earned, (r) => r.currency))
    await postTransaction(c, {
      kind: 'earned',
      day: day.toString(),
      description: 'Deferred income earned',
      currency,
      customer: null,
      source: { type: `Day ${currency}`, id: numberOf(day) },
      entries: parts.flatMap(({ product, amount }) => [
        { account: 'deferred' as const, amount, product },
        { account: 'sales' as const, amount: -amount, product },
      ]),
    })
}

/** Converts a date to a number: `2026-02-28` → 20260228. */
const numberOf = ({ year, month, day }: Temporal.PlainDate) => year * 10_000 + month * 100 + day

const earnDaily = schedule({
  name: 'invoices-earn',
  every: { daily: '00:30' },
  perClient: earnDay,
})

const HOME = 'GB'
const countries = new Intl.DisplayNames(['en-GB'], { type: 'region' })

const linesOf = (of: PostalAddress, country: string): string[] =>
  [of.address1, of.address2, of.city, of.county, of.postcode, country === HOME ? '' : countries.of(country)].flatMap(
    (line) => line?.trim() || [],
  )

/**
 * Returns the buyer for a customer's invoices. A missing name is taken from the customer's client, and an
 * incomplete address from the client or lead.
 */
export async function loadInvoiceBuyer(c: Pick<Context, 'get'>, of: RowOf<typeof customer>): Promise<Buyer> {
  const account = of.client === null ? undefined : await c.get(client, of.client)
  const lead = of.contact === null ? undefined : await c.get(contact, of.contact)
  const known = [of, ...[account, lead].flatMap((one) => one ?? [])]
    .map((one) => {
      const country = one === of ? of.country : HOME
      return { lines: linesOf(one, country), lacks: findMissingAddressParts(one, country) }
    })
    // A country alone is not treated as an address.
    .filter(({ lines }, i) => lines.length > (i === 0 && of.country !== HOME ? 1 : 0))
  const { lines: address, lacks } = known.find((one) => !one.lacks.length) ??
    known[0] ?? { lines: [], lacks: ['street', 'postcode'] }
  const { fault: vatNumberFault } = await checkVatNumber(of.vatNumber, of.country)
  return {
    name: of.billingName || of.companyName || account?.company || of.contactName || '',
    contactName: of.contactName && of.contactName !== of.companyName ? of.contactName : '',
    address,
    ...(lacks.length ? { addressLacks: lacks } : {}),
    vatNumber: of.vatNumber,
    ...(vatNumberFault ? { vatNumberFault } : {}),
    email: [of.invoiceEmail, of.email].find((address) => isEmail(address)) ?? '',
  }
}

const SUMMARY = `SELECT currency, sum(outstanding)::bigint AS outstanding, sum(overdue)::bigint AS overdue,
    sum(week)::bigint AS "dueThisWeek", sum(paid)::bigint AS "paidThisMonth"
  FROM (SELECT currency, amount_due AS outstanding, CASE WHEN due_on < $2::date THEN amount_due ELSE 0 END AS overdue,
      CASE WHEN due_on BETWEEN $2::date AND $3::date THEN amount_due ELSE 0 END AS week, 0 AS paid
    FROM invoice WHERE client_id = $1 AND state = 'open'
    UNION ALL
    SELECT currency, 0, 0, 0, amount - amount_refunded FROM charge
    WHERE client_id = $1 AND state = 'succeeded' AND received_at >= $4::timestamptz) all_amounts
  GROUP BY currency ORDER BY currency`

/** Returns the totals of a client's invoices, one row for each currency. */
async function summariseInvoices(engine: Engine, clientId: number): Promise<InvoiceSummary[]> {
  const today = londonDate(engine.clock.now())
  const sunday = today.add({ days: 7 - today.dayOfWeek })
  const month = today.with({ day: 1 }).toZonedDateTime({ timeZone: LONDON_TIME_ZONE }).toInstant()
  const rows = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<Record<keyof InvoiceSummary, string>>(SUMMARY, [
      clientId,
      today.toString(),
      sunday.toString(),
      month.toString(),
    ]),
  )
  return rows.map(({ currency, ...amounts }) => ({
    currency: currency as InvoiceSummary['currency'],
    outstanding: Number(amounts.outstanding),
    overdue: Number(amounts.overdue),
    dueThisWeek: Number(amounts.dueThisWeek),
    paidThisMonth: Number(amounts.paidThisMonth),
  }))
}

const invoiceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: INVOICE_SUMMARY_URL,
    title: 'Get the totals of open invoices, and of payments received this month, by currency',
    allow: SELLING_ROLES,
    handle: async ({ engine, me }) => ({
      '@id': INVOICE_SUMMARY_URL,
      '@type': 'InvoiceSummary',
      totals: await summariseInvoices(engine, me.clientId),
    }),
  },
  invoiceMailsRoute,
  invoicePreviewRoute,
  subListRoute({
    path: '/api/financial/customers/{id}/invoices',
    title: 'List a customer’s invoices, latest first',
    of: customer,
    r: invoice,
    where: (id) => `t.customer_id = ${id}`,
    allow: SELLING_ROLES,
  }),
  {
    method: 'GET',
    path: '/api/financial/invoices/{id}/pdf',
    title: 'Get an invoice as a PDF, or a draft as a pro forma',
    allow: SELLING_ROLES,
    file: ['application/pdf'],
    handle: async (c) => {
      const row = await c.engine.one(invoice, c.actor, await c.engine.idOf(invoice, c.actor, c.params.id))
      const sheet = await addKnownPayLink(c.engine, c.me.clientId, row, buildInvoiceDocument(row))
      return createFinancialDocumentPdfResponse(c.engine, c.me.clientId, sheet, row.state !== 'draft' && !sheet.payment)
    },
  },
]

type Save = Context & BeforeSaveInput<typeof invoice>

const invoiceBehaviour = behaviour(invoice, {
  beforeSave: async (c) => {
    const { before } = c
    return before && before.state !== 'draft' ? afterIssue(c, before) : ofDraft(c)
  },
  actions: invoiceActionHandlers,
})

/** Fields that can be changed after an invoice has been issued. */
const AFTERWARDS: readonly string[] = ['notes', 'poNumber', 'dueOn']

async function afterIssue(c: Save, before: InvoiceRow): Promise<undefined> {
  const { changes, rows } = c
  if (rows.length || Object.keys(changes).some((name) => !AFTERWARDS.includes(name)))
    throw problem.conflict(
      `${before.number} has been issued and can’t be changed. Only its message and purchase order can change, and its due date can be extended. For any other change, create a credit note.`,
      'wrong_state',
    )
  if (before.state === 'void') throw problem.conflict(`${before.number} is void and can’t be changed.`, 'wrong_state')
  if (changes.dueOn !== undefined) {
    if (changes.dueOn === null || (before.dueOn ?? '') > changes.dueOn)
      throw problem.conflict(
        `${before.number} is due on ${formatIsoDateAsUk(before.dueOn ?? '')}. After issue, the due date can only be extended.`,
        'wrong_state',
      )
    if (c.actor.kind !== 'system' && !hasRole(c.actor, FINANCE_ROLES))
      throw problem.forbidden('Only finance staff can extend the due date.')
    const buyer = await c.get(customer, before.customer)
    const wrong = findLongTermsProblem(changes.dueOn, before.date ?? londonDate(c.now).toString(), buyer)
    if (changes.dueOn !== before.dueOn && wrong) throw problem.invalid([wrong])
  }
  return undefined
}

/** Recalculates a draft each time it is saved: its lines, VAT at the tax point, totals, seller and buyer. */
async function ofDraft(c: Save): Promise<InvoiceValues> {
  const { before, changes, values } = c
  if (typeof values.customer !== 'number') return {}
  // The customer is locked, so that they can't be retired or their currency changed before the draft is saved.
  const buyer = await lockBuyer(c, values.customer, 'draft an invoice')
  if (!buyer) return {}
  const isOther = changes.customer !== undefined
  const currency = changes.currency ?? (before && !isOther ? before.currency : buyer.currency)
  const whole: InvoiceValues = {
    ...values,
    currency,
    company: buyer.billingName || buyer.companyName || buyer.contactName || '',
    ...(changes.poNumber === undefined && isOther ? { poNumber: buyer.poNumber } : {}),
  }
  const day = whole.taxPoint ?? londonDate(c.now).toString()
  const wrong = whatIsWrong(c, whole, buyer)
  const wrongRate = await findExchangeRateProblem(c, { ...whole, currency }, day)
  if (wrongRate) wrong.push(violation('exchangeRate', wrongRate))
  if (wrong.length) throw problem.invalid(wrong)
  const [{ supplier, vat }, madeOutTo] = await settleAll(loadSeller(c, day), loadInvoiceBuyer(c, buyer))
  const lines = await completeInvoiceLines(c, whole.lines ?? [], {
    vat,
    currency,
    isHome: buyer.country === HOME,
    kept: !before && whole.origin !== undefined && whole.origin !== 'manual',
    before: before?.lines ?? [],
  })
  const totals = computeDraftTotals(whole, lines)
  const { company, poNumber } = whole
  const all = {
    company,
    currency,
    supplier,
    buyer: madeOutTo,
    ...(poNumber === undefined ? {} : { poNumber }),
  }
  if (!totals) return { ...all, lines }
  const { lines: each, ...sums } = totals
  const charged = lines.map((line, i) => ({ ...line, net: each[i]?.net ?? 0 }))
  const rate = currency === 'GBP' ? null : (whole.exchangeRate ?? null)
  return {
    ...all,
    lines: lines.map((line, i) => {
      const { amount = 0, discount = 0, net = 0, tax = 0 } = each[i] ?? {}
      return { ...line, amount, discount, net, tax }
    }),
    exchangeRate: rate,
    sterlingTax: rate === null ? null : convertTaxToSterling(sums.tax, rate),
    subtotal: sums.subtotal,
    discount: sums.discount,
    net: sums.net,
    tax: sums.tax,
    total: sums.gross,
    totals: { ...sums, ...computeReverseCharge(charged) },
  }
}

/** Returns the violation for a due date that is too long after the invoice date without an agreement. */
function findLongTermsProblem(
  dueOn: string | null | undefined,
  invoicedOn: string,
  buyer: Pick<RowOf<typeof customer>, 'longTermsAgreed'> | undefined,
): Violation | undefined {
  const latest = Temporal.PlainDate.from(invoicedOn).add({ days: MAX_PAYMENT_DAYS }).toString()
  return (dueOn ?? '') > latest && !buyer?.longTermsAgreed
    ? violation(
        'dueOn',
        `Payment terms of more than ${MAX_PAYMENT_DAYS} days need an agreement. Enter it on the customer’s page`,
      )
    : undefined
}

function whatIsWrong(
  c: Save,
  whole: InvoiceValues,
  buyer: Pick<RowOf<typeof customer>, 'retired' | 'currency' | 'longTermsAgreed'>,
): Violation[] {
  const wrong: Violation[] = []
  if (buyer.retired)
    wrong.push(violation('customer', 'This customer is retired. Restore the customer before invoicing them'))
  if (whole.currency !== buyer.currency)
    wrong.push(
      violation('currency', `This customer is billed in ${buyer.currency}. Create the invoice in ${buyer.currency}`),
    )
  const longTerms = findLongTermsProblem(whole.dueOn, londonDate(c.now).toString(), buyer)
  if (longTerms) wrong.push(longTerms)
  if (whole.percentOff && whole.amountOff)
    wrong.push(violation('amountOff', 'Enter the discount as a percentage or an amount, not both'))
  if (!whole.periodFrom !== !whole.periodTo)
    wrong.push(
      violation(whole.periodFrom ? 'periodTo' : 'periodFrom', 'Please enter both dates of the period, or neither'),
    )
  else if ((whole.periodFrom ?? '') > (whole.periodTo ?? ''))
    wrong.push(violation('periodTo', 'The last day must not be before the first'))
  return wrong
}

/**
 * A customer can't be retired while they have an open invoice. Their currency can't be changed while they have an open
 * or draft invoice.
 */
const customerGuard = guard(customer, {
  retire: async (c, { id }) => {
    const [open] = await c.find(invoice, { customer: id, state: 'open' })
    if (open)
      throw problem.conflict(
        `${formatMoney(open.amountDue, open.currency)} is still due on ${open.number}. Settle, credit or write off this amount first.`,
      )
  },
  change: {
    currency: async (c, { id }) => {
      const [open] = await c.find(invoice, { customer: id, state: ['open', 'draft'] })
      if (open)
        throw problem.conflict(
          `${open.number || 'A draft invoice'} for this customer is in ${open.currency}. ${open.state === 'draft' ? 'Issue or delete' : 'Settle, credit or write off'} this invoice before you change the currency.`,
          'in_use',
        )
    },
  },
})

export const invoices = feature({
  pack: INVOICING_PACK,
  resources: [invoice, invoiceLine, deferredIncome],
  behaviours: [invoiceBehaviour],
  guards: [customerGuard],
  routes: invoiceRoutes,
  handlers: [notifyInvoiceVoid, markInvoiceSent],
  emails: [invoiceEmail, proFormaEmail, invoiceVoidEmail],
  schedules: [earnDaily],
})
