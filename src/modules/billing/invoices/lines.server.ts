import { problem, type Violation, violation } from '#kernel/errors.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import { defaultTaxCode, findVatRateOn, isVatCharged, TAX_CODE_OPTIONS, type TaxCode } from '#kernel/money/tax-codes.ts'
import { type Currency, MoneyError } from '#kernel/money.ts'
import type { DocumentTotals } from '#kernel/money-totals.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { createSystemActor, hasRole } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { type ComposedEmail, composeEmail, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { findEmailsAboutRecord, storeAttachment } from '#modules/portal/mail/claim.server.ts'
import { type EmailRequest, emailAccepted, emailRequested } from '#modules/portal/mail/letter.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { describeRateSource, exchangeRate, firstDayOfMonth, taxRate } from '../catalogue/plan.ts'
import { loadInvoiceSettings } from '../client-invoicing/invoice-settings.server.ts'
import {
  type CatalogueItem,
  catalogueItemPriceFields,
  findMoneyErrorField,
  loadPlansAndSkus,
  unknownVatRateMessage,
  withReadCache,
} from '../lines/lines.server.ts'
import {
  customerMailSender,
  formatFinancialDocumentFileName,
  loadSupplier,
  renderFinancialDocument,
} from '../print/financial-document.server.ts'
import type { FinancialDocument } from '../print/financial-document.ts'
import type { Supplier } from '../print/quote-document.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { computeInvoiceTotals, type PricedLine } from './amounts.ts'
import { type InvoiceMailFacts, invoiceEmail, invoiceVoidEmail } from './emails.ts'
import { invoiceVoided } from './events.ts'
import { invoice, type invoiceLine } from './invoice.ts'

export type InvoiceRow = RowOf<typeof invoice>
export type InvoiceValues = ValuesOf<typeof invoice>
export type InvoiceLineRow = RowOf<typeof invoiceLine>
export type InvoiceLineValues = Partial<InvoiceLineRow>

type Rate = RowOf<typeof taxRate>

/** A seller's VAT settings at a tax point: rates, registration for VAT and default tax code. */
export interface ClientVatSettings {
  readonly rates: readonly Rate[]
  readonly registered: boolean
  /** Tax point, such as `2026-02-28`. */
  readonly day: string
  /** Default tax code for lines that have none. */
  readonly usual: TaxCode
}

/** VAT percentages for clients that have no rates of their own. */
const USUAL: Readonly<Partial<Record<TaxCode, number>>> = { standard: 20, reduced: 5 }

/** Returns the seller and the seller's VAT settings on a date. */
export async function loadSeller(c: Context, day: string): Promise<{ supplier: Supplier; vat: ClientVatSettings }> {
  const seen = withReadCache(c)
  const [supplier, rates, { taxCode }] = await settleAll(
    loadSupplier(seen, c),
    seen.find(taxRate, {}),
    loadInvoiceSettings(seen),
  )
  return { supplier, vat: { rates, registered: supplier.vatNumber !== '', day, usual: taxCode } }
}

/**
 * Returns the percentage for a tax code at the tax point: 0 if the code charges no VAT, and `undefined` if no rate
 * applied then. The defaults apply to a seller without any rates in the table.
 */
function percentOf({ rates, day }: ClientVatSettings, code: TaxCode): number | undefined {
  if (!isVatCharged(code)) return 0
  return rates.some((r) => isVatCharged(r.code)) ? findVatRateOn(rates, code, day)?.percent : USUAL[code]
}

/** Returns the exchange rate of a currency in the month of `day`, for every invoice of that month. */
async function loadMonthlyRate(
  c: Pick<Context, 'find'>,
  currency: Currency,
  day: string,
): Promise<RowOf<typeof exchangeRate> | undefined> {
  if (currency === 'GBP') return undefined
  const [row] = await c.find(exchangeRate, { currency, month: firstDayOfMonth(day) })
  return row
}

/**
 * Returns the currency units per pound: the month's rate or, if there is none, the entered one. A rate that a user
 * enters is returned unchanged, so that saving refuses a different one. Returns null for sterling, or if no rate is
 * known.
 */
export async function invoiceExchangeRate(
  c: Pick<Context, 'find'>,
  of: { readonly currency: Currency; readonly exchangeRate?: number | null; readonly origin: string },
  day: string,
): Promise<number | null> {
  const { currency, exchangeRate: stated = null, origin } = of
  if (currency === 'GBP') return null
  return (origin === 'manual' ? stated : null) ?? (await loadMonthlyRate(c, currency, day))?.rate ?? stated
}

/** Stores the rate of the first invoice of a month as the month's rate. */
export async function recordMonthlyRates(c: Context, issued: readonly InvoiceRow[], date: string): Promise<void> {
  for (const { currency, exchangeRate: rate, taxPoint } of issued) {
    const day = taxPoint ?? date
    if (rate === null || (await loadMonthlyRate(c, currency, day))) continue
    const values = { currency, rate, month: firstDayOfMonth(day), source: 'invoice' } as const
    await (await c.withoutPermissionCheck('store the exchange rate of the month').create(exchangeRate, values)).saved()
  }
}

/** Returns why the invoice's exchange rate is invalid; `undefined` if it is valid. */
export async function findExchangeRateProblem(
  c: Pick<Context, 'find'>,
  { currency, exchangeRate: stated }: InvoiceValues & { currency: Currency },
  day: string,
): Promise<string | undefined> {
  const known = stated == null ? undefined : await loadMonthlyRate(c, currency, day)
  return !known || known.rate === stated
    ? undefined
    : `The rate for ${currency} in ${formatIsoDateAsUk(day).slice(3)} is ${known.rate} (${describeRateSource(known.source)}), and every invoice of the month uses it. Leave the rate blank`
}

/** Returns whether the rate table has ever had this percentage for the code. If so, the line follows the table. */
const isOfTable = ({ rates }: ClientVatSettings, code: TaxCode, percent: number) =>
  rates.some((r) => r.code === code && r.percent === percent) || (!rates.length && USUAL[code] === percent)

/**
 * Completes draft lines. Lines with plans and items get their price and, if none is given, their description from the
 * catalogue. The price of an existing line is unchanged, and so is that of a generated line, for which `kept` is true.
 * VAT percentages come from the rates at the tax point; only custom percentages remain. Throws 422 if a line is
 * invalid.
 */
export async function completeInvoiceLines(
  c: Context,
  lines: readonly InvoiceLineValues[],
  about: {
    readonly vat: ClientVatSettings
    readonly currency: Currency
    /** True if the customer is in the United Kingdom, so that UK rates apply to a reverse charge. */
    readonly isHome: boolean
    readonly kept: boolean
    readonly before: readonly InvoiceLineRow[]
  },
): Promise<InvoiceLineValues[]> {
  const { vat, currency, isHome, kept, before } = about
  const catalogue = await loadPlansAndSkus(withReadCache(c), lines)
  const former = new Map(before.map((line) => [line.id, line]))
  const wrong: Violation[] = []
  const refuse = (i: number, field: string, why: string) => wrong.push(violation(`lines[${i}].${field}`, why))
  const completed = lines.map((line, i): InvoiceLineValues => {
    const kind = line.plan ? 'plan' : line.sku ? 'sku' : 'additional'
    const article = kind === 'additional' ? undefined : catalogue[kind].get(line[kind] ?? 0)
    const was = former.get(line.id ?? 0)
    const same = kind !== 'additional' && was?.[kind] === line[kind] && was?.currency === currency ? was : undefined
    const isSame = kept || same !== undefined
    if (kind !== 'additional' && !article)
      refuse(i, kind, kind === 'plan' ? 'Please choose a plan' : 'Please choose an item')
    if (article?.notSold && !isSame) refuse(i, kind, article.notSold)
    if (article && article.currency !== currency && !isSame)
      refuse(i, kind, `“${article.name}” is sold in ${article.currency}, and this invoice is in ${currency}`)
    const code = codeFor(c, vat, line, article, kept ? line : was)
    if (typeof code !== 'string') refuse(i, 'taxCode', code.why)
    const taxCode = typeof code === 'string' ? code : 'standard'
    // A line sent back with another type of VAT gets that type's rate, not the percentage of the former type.
    const isFormer = was?.taxPercent === line.taxPercent && codeOf(was) !== taxCode
    const custom = isFormer ? undefined : customPercentOf(vat, line, taxCode)
    // A signed quote may contain a custom rate. Users can't enter one, because the law sets the rates.
    if (custom !== undefined && !kept && was?.taxPercent !== custom)
      refuse(i, 'taxPercent', unknownVatRateMessage(custom, chargedPercentsOn(vat)))
    const taxPercent = custom ?? percentOf(vat, taxCode)
    if (taxPercent === undefined) refuse(i, 'taxCode', `There was no such VAT rate on ${formatIsoDateAsUk(vat.day)}`)
    const reverseCode = taxCode === 'reverse' ? (line.reverseCode ?? 'standard') : null
    const reversePercent = reverseCode && isHome ? percentOf(vat, reverseCode) : null
    if (reversePercent === undefined)
      refuse(i, 'reverseCode', `There was no such VAT rate on ${formatIsoDateAsUk(vat.day)}`)
    if (line.from && line.to && line.from > line.to) refuse(i, 'to', 'The last day must not be before the first')
    if (!line.from !== !line.to)
      refuse(i, line.from ? 'to' : 'from', 'Please enter both dates of the period, or neither')
    const price = kept || !article ? {} : same ? priceAs(same) : catalogueItemPriceFields(article)
    return {
      ...line,
      kind,
      ...(article ? { product: article.product, description: line.description || article.name } : {}),
      ...price,
      currency,
      taxCode,
      taxPercent: taxPercent ?? null,
      reverseCode,
      reversePercent: reversePercent ?? null,
      ...(kind === 'additional' ? { interval: null, intervalCount: null } : {}),
    }
  })
  if (wrong.length) throw problem.invalid(wrong)
  return completed
}

/** Returns the saved price fields of a line. The price of an existing line does not change. */
const priceAs = ({ unitAmount, interval, intervalCount }: InvoiceLineRow) => ({ unitAmount, interval, intervalCount })

/** Returns the line's tax code, or the reason why the line is rejected. */
function codeFor(
  c: Context,
  { registered, usual }: ClientVatSettings,
  line: InvoiceLineValues,
  article: CatalogueItem | undefined,
  was: InvoiceLineValues | undefined,
): TaxCode | { readonly why: string } {
  if (!registered) return 'outside'
  const own = article?.taxCode
  const said = codeOf(line)
  if (!own || !said || said === own || said === codeOf(was)) return said ?? own ?? usual
  return c.actor.kind === 'system' || hasRole(c.actor, FINANCE_ROLES)
    ? said
    : { why: `“${article?.name}” has its own VAT rate. Only finance staff can change it` }
}

const codeOf = (line: InvoiceLineValues | undefined): TaxCode | undefined =>
  line?.taxCode ?? (line?.taxPercent == null ? undefined : defaultTaxCode(line.taxPercent))

/** Returns a line's percentage if the rate table has never had it for the code; otherwise `undefined`. */
const customPercentOf = (
  vat: ClientVatSettings,
  { taxPercent }: InvoiceLineValues,
  code: TaxCode,
): number | undefined =>
  taxPercent != null && taxPercent > 0 && isVatCharged(code) && !isOfTable(vat, code, taxPercent)
    ? taxPercent
    : undefined

/** Returns the percentages that can be charged at the tax point. */
const chargedPercentsOn = (vat: ClientVatSettings): ReadonlySet<number> =>
  new Set(TAX_CODE_OPTIONS.map(({ value }) => percentOf(vat, value)).filter((percent) => percent !== undefined))

const isPriced = (line: InvoiceLineValues): line is InvoiceLineValues & PricedLine =>
  typeof line.quantity === 'number' && line.quantity > 0 && typeof line.unitAmount === 'number'

interface InvoiceTotalInput {
  readonly currency?: Currency
  readonly percentOff?: number | null
  readonly amountOff?: number | null
}

/**
 * Returns the lines' totals. Returns `undefined` if a line is incomplete; the engine then reports the missing fields.
 * Throws 422 if the lines can't be totalled.
 */
export function computeDraftTotals(
  of: InvoiceTotalInput,
  lines: readonly InvoiceLineValues[],
): DocumentTotals | undefined {
  if (!lines.every(isPriced)) return undefined
  try {
    return computeInvoiceTotals(
      { currency: of.currency ?? 'GBP', percentOff: of.percentOff, amountOff: of.amountOff },
      lines,
    )
  } catch (e) {
    if (!(e instanceof MoneyError)) throw e
    const { line, message } = e
    throw problem.invalid([
      violation(
        line === undefined
          ? of.percentOff
            ? 'percentOff'
            : 'amountOff'
          : `lines[${line}].${findMoneyErrorField(message)}`,
        message,
      ),
    ])
  }
}

export const toInvoiceMailFacts = (row: InvoiceRow): InvoiceMailFacts => ({ ...row, provider: PORTAL_NAME_PLACEHOLDER })

interface Posted {
  readonly to: string
  readonly email: ComposedEmail
  readonly sheet: FinancialDocument
  readonly from: Supplier | null
  /** Record that the e-mail is about. */
  readonly about: { readonly r: Resource; readonly id: number }
  readonly kept: boolean
  /** Secret link that replaces the placeholder in the text. */
  readonly link?: EmailRequest['link']
}

/**
 * Queues an e-mail with a PDF, which is rendered before the transaction starts. Nothing is queued if the address is
 * invalid.
 */
export async function queueFinancialDocumentMail(engine: Engine, clientId: number, p: Posted): Promise<void> {
  if (!isEmail(p.to)) return
  const bytes = await renderFinancialDocument(engine, clientId, p.sheet, p.kept && !p.sheet.payment)
  const why = { actor: createSystemActor(clientId, 'e-mail a document to a customer'), requestId: 'letter' }
  await engine.inTenant(clientId, why, async (c) => {
    const pdf = await storeAttachment(c, {
      filename: formatFinancialDocumentFileName(p.sheet),
      contentType: 'application/pdf',
      bytes,
    })
    await c.emit(emailRequested, {
      to: p.to,
      ...p.email,
      ...customerMailSender(clientId, p.from),
      ...(p.link ? { link: p.link } : {}),
      about: iriOf(p.about.r, p.about.id),
      attachments: [pdf],
    })
    // A pro forma does not replace the invoice e-mail.
    if (p.about.r === invoice && p.kept) {
      const row = await c.lock(invoice, p.about.id)
      await c.set(invoice, row, { mailQueuedAt: c.now.toString() }, 'send')
    }
    return () => undefined
  })
}

/** Marks an invoice as sent once a mail server has accepted its e-mail. */
export const markInvoiceSent = eventHandler(emailAccepted, {
  name: 'invoice.mark-sent',
  queue: 'events',
  run: async (c, { about, template, sentAt }) => {
    const id = idFromResourceIri(invoice, about)
    if (template !== invoiceEmail.name || id === undefined || !(await c.get(invoice, id))) return
    const row = await c.lock(invoice, id)
    if (row.sentAt === null || Date.parse(row.sentAt) < Date.parse(sentAt))
      await c.set(invoice, row, { sentAt }, 'send')
  },
})

/** E-mails the recipient of an invoice that the invoice has been voided. */
export const notifyInvoiceVoid = eventHandler(invoiceVoided, {
  name: 'invoice.tell-void',
  queue: 'events',
  run: async (c, { invoice: id }) => {
    const row = await c.get(invoice, id)
    const to = row?.buyer?.email ?? ''
    if (!row || !isEmail(to)) return
    await c.emit(emailRequested, {
      to,
      ...composeEmail(invoiceVoidEmail, { ...toInvoiceMailFacts(row), reason: row.reason }),
      ...customerMailSender(c.clientId, row.supplier),
      about: iriOf(invoice, id),
    })
  },
})

export const invoiceMailsRoute: Route = {
  method: 'GET',
  path: `${invoice.url}/{id}/letters`,
  title: 'List the e-mails to the customer about an invoice and their status, latest first',
  allow: SELLING_ROLES,
  listOf: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(invoice, actor, await engine.idOf(invoice, actor, params.id))
    return hydraCollection(await findEmailsAboutRecord(engine, me.clientId, String(about)))
  },
}
