import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { Currency } from '#kernel/money.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { client } from '#modules/portal/clients/client.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { postTransaction } from '../ledger/ledger.server.ts'
import { financialDocumentPdfResponse } from '../print/financial-document.server.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { invoiceActionHandlers, invoicePreviewRoute } from './actions.server.ts'
import { convertTaxToSterling } from './amounts.ts'
import { deferredIncome } from './deferred-income.ts'
import { invoiceEmail, invoiceVoidEmail, proFormaEmail } from './emails.ts'
import { invoice, invoiceLine } from './invoice.ts'
import {
  completeInvoiceLines,
  computeDraftTotals,
  type InvoiceRow,
  type InvoiceValues,
  invoiceMailsRoute,
  loadSeller,
  notifyInvoiceVoid,
} from './lines.server.ts'
import type { Buyer } from './paper.ts'
import { buildInvoiceDocument } from './paper.ts'

/**
 * Updates the earned income of each line to the end of a day and returns the totals by product. This is the SQL
 * counterpart of `earnedAmount`: pro rata by days, rounded half away from zero. One statement covers all lines, because
 * there are as many lines as subscriptions.
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

interface Address {
  readonly address1?: string | null
  readonly address2?: string | null
  readonly city?: string | null
  readonly county?: string | null
  readonly postcode?: string | null
}

const HOME = 'GB'
const countries = new Intl.DisplayNames(['en-GB'], { type: 'region' })

const linesOf = (of: Address, country: string): string[] =>
  [of.address1, of.address2, of.city, of.county, of.postcode, country === HOME ? '' : countries.of(country)].flatMap(
    (line) => line?.trim() || [],
  )

/**
 * Returns the buyer for a customer's invoices. A missing name is taken from the customer's client, and a missing
 * address from the client or lead.
 */
export async function loadInvoiceBuyer(c: Pick<Context, 'get'>, of: RowOf<typeof customer>): Promise<Buyer> {
  const own = linesOf(of, of.country)
  const account = of.client === null ? undefined : await c.get(client, of.client)
  const lead = of.contact === null ? undefined : await c.get(contact, of.contact)
  const known = account && linesOf(account, HOME).length ? linesOf(account, HOME) : lead ? linesOf(lead, HOME) : []
  return {
    name: of.billingName || of.companyName || account?.company || of.contactName || '',
    contactName: of.contactName && of.contactName !== of.companyName ? of.contactName : '',
    // A country alone is not treated as an address.
    address: own.length > (of.country === HOME ? 0 : 1) ? own : known,
    vatNumber: of.vatNumber,
    email: [of.invoiceEmail, of.email].find((address) => isEmail(address)) ?? '',
  }
}

const invoiceRoutes: readonly Route[] = [
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
      return financialDocumentPdfResponse(c.engine, c.me.clientId, buildInvoiceDocument(row), row.state !== 'draft')
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

function afterIssue(c: Save, before: InvoiceRow): undefined {
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
  }
  return undefined
}

/** Recalculates a draft each time it is saved: its lines, VAT at the tax point, totals, seller and buyer. */
async function ofDraft(c: Save): Promise<InvoiceValues> {
  const { before, changes, values } = c
  const buyer = typeof values.customer === 'number' ? await c.get(customer, values.customer) : undefined
  if (!buyer) return {}
  const isOther = changes.customer !== undefined
  const currency = changes.currency ?? (before && !isOther ? before.currency : buyer.currency)
  const whole: InvoiceValues = {
    ...values,
    currency,
    company: buyer.billingName || buyer.companyName || buyer.contactName || '',
    ...(changes.poNumber === undefined && isOther ? { poNumber: buyer.poNumber } : {}),
  }
  const wrong = whatIsWrong(c, whole, buyer)
  if (wrong.length) throw problem.invalid(wrong)
  const day = whole.taxPoint ?? londonDate(c.now).toString()
  const [{ supplier, vat }, madeOutTo] = await settleAll(loadSeller(c, day), loadInvoiceBuyer(c, buyer))
  const lines = await completeInvoiceLines(c, whole.lines ?? [], {
    vat,
    currency,
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
    totals: sums,
  }
}

function whatIsWrong(
  c: Save,
  whole: InvoiceValues,
  buyer: { readonly retired: boolean; readonly currency: string },
): Violation[] {
  const wrong: Violation[] = []
  if (buyer.retired && (c.changes.customer !== undefined || !c.before))
    wrong.push(violation('customer', 'This customer is retired. Restore the customer before invoicing them'))
  if (whole.currency !== buyer.currency)
    wrong.push(
      violation('currency', `This customer is billed in ${buyer.currency}. Create the invoice in ${buyer.currency}`),
    )
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
  handlers: [notifyInvoiceVoid],
  emails: [invoiceEmail, proFormaEmail, invoiceVoidEmail],
  schedules: [earnDaily],
})
