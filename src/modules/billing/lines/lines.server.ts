import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import { type Currency, formatMoney, MoneyError } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { isProductOnSale, plan, product, sku, taxRate } from '../catalogue/plan.ts'
import { PRICING_ROLES } from '../rights.ts'
import { computeQuoteTotals, hasPartQuantityOfPlan, PART_QUANTITY_MESSAGE, type QuoteTotals } from './line.ts'
import type { PricedLineRow } from './line-vat.ts'
import {
  allQuoteLines,
  findQuoteLinePosition,
  QUOTE_LINE_LIST_NAMES,
  QUOTE_LINE_LISTS,
  type QuoteLineListName,
  type QuoteLineLists,
} from './lines.ts'

/**
 * Returns a context that reads the same records, such as the seller, VAT rates and catalogue, only once per
 * transaction. Otherwise, a billing run would read them for every invoice. Tables written in the transaction are read
 * again. Like `find` and `get`, cached reads lock nothing.
 */
export function withReadCache(c: Context): Context {
  const { work } = c
  const ask = <T>(table: string, what: unknown, load: () => Promise<T>): Promise<T> =>
    work.touched.has(table) || work.hasPending(table) ? load() : c.once(`${table} ${JSON.stringify(what)}`, load)
  return {
    ...c,
    find: (r, where) => ask(r.table, [r.type, where], () => c.find(r, where)),
    get: (r, id) => ask(r.table, [r.type, 'one', id], () => c.get(r, id)),
  }
}

type Reader = Pick<Context, 'find' | 'now'>

/** VAT of a plan or SKU, and whether it can be sold today. */
interface ArticleStatus {
  /** VAT rate of the plan or SKU in per cent; null to use the document's rate. */
  readonly vat: number | null
  /** Tax code of the plan or SKU. */
  readonly taxCode: TaxCode | null
  /** Sentence that says why the plan or SKU can't be sold; `undefined` if it can. */
  readonly notSold: string | undefined
}

/** A plan or SKU with its current status; SKUs have no interval. */
export type CatalogueItem = ArticleStatus &
  (RowOf<typeof plan> | (RowOf<typeof sku> & { readonly interval?: null; readonly intervalCount?: null }))

export interface PlansAndSkus {
  readonly plan: ReadonlyMap<number, CatalogueItem>
  readonly sku: ReadonlyMap<number, CatalogueItem>
}

/** Loads the plans and SKUs of some lines, with their products and tax rates. Makes one query per table. */
export async function loadPlansAndSkus(
  c: Reader,
  lines: readonly Partial<Pick<PricedLineRow, 'plan' | 'sku'>>[],
): Promise<PlansAndSkus> {
  const named = (kind: 'plan' | 'sku') => lines.flatMap((line) => line[kind] ?? [])
  const [plans, skus] = await settleAll(
    byId(named('plan'), (id) => c.find(plan, { id })),
    byId(named('sku'), (id) => c.find(sku, { id })),
  )
  const both = [...plans.values(), ...skus.values()]
  const [products, rates] = await settleAll(
    byId(
      both.flatMap((a) => a.product ?? []),
      (id) => c.find(product, { id }),
    ),
    byId(
      both.flatMap((a) => a.taxRate ?? []),
      (id) => c.find(taxRate, { id }),
    ),
  )
  const standing = (a: RowOf<typeof plan> | RowOf<typeof sku>): ArticleStatus => {
    const rate = a.taxRate === null ? undefined : rates.get(a.taxRate)
    const sold = a.product === null ? undefined : products.get(a.product)
    const isSold = !a.retired && (!sold || isProductOnSale(sold))
    return {
      vat: rate?.percent ?? null,
      taxCode: rate?.code ?? null,
      notSold: isSold ? rate && whyNotTaxed(c, a.name, rate) : notSoldMessage(a.name),
    }
  }
  const complete = <A extends RowOf<typeof plan> | RowOf<typeof sku>>(articles: ReadonlyMap<number, A>) =>
    new Map([...articles].map(([id, a]) => [id, { ...a, ...standing(a) }]))
  return { plan: complete(plans), sku: complete(skus) }
}

const notSoldMessage = (name: string): string =>
  `“${name}” is no longer sold. Remove the line or choose something else.`

function whyNotTaxed(c: Reader, name: string, rate: RowOf<typeof taxRate>): string | undefined {
  if (rate.retired) return `The VAT rate of “${name}” is no longer used. Choose a current rate`
  return isToCome(c, rate)
    ? `The VAT rate of “${name}” applies from ${formatIsoDateAsUk(rate.from ?? '')}. Choose a current rate`
    : undefined
}

const isToCome = ({ now }: Reader, { from }: RowOf<typeof taxRate>) =>
  from !== null && from > londonDate(now).toString()

/**
 * Returns the VAT percentages that can be charged today, or `undefined` if no rates are set and any percentage is
 * allowed.
 */
export async function findChargeableVatPercents(c: Reader): Promise<ReadonlySet<number> | undefined> {
  const rates = await c.find(taxRate, { retired: false })
  return rates.length ? new Set(rates.filter((rate) => !isToCome(c, rate)).map((rate) => rate.percent)) : undefined
}

async function byId<Row extends { id: number }>(
  named: readonly number[],
  find: (ids: number[]) => Promise<Row[]>,
): Promise<Map<number, Row>> {
  const ids = [...new Set(named)]
  const rows = ids.length ? await find(ids) : []
  return new Map(rows.map((row) => [row.id, row]))
}

/** A line to be saved; existing lines have their ID. */
export type QuoteLineValues = Partial<PricedLineRow>

/**
 * Completes the changed lists. Lines with plans and SKUs get their price, interval and, if none is given, their
 * description from the catalogue; the browser can't set the price or interval. A line with its saved price is not
 * repriced until the quote is sent. Throws 422 for plans and SKUs that are not on sale, for fractional quantities of
 * plans, and for VAT rates that the provider doesn't have. Unless the user may set prices, also throws 422 for a rate
 * that differs from that of the plan or SKU.
 */
export async function completeLinesFromCatalogue(
  c: Context,
  currency: Currency,
  before: QuoteLineLists<PricedLineRow> | undefined,
  changed: Partial<QuoteLineLists<QuoteLineValues>>,
): Promise<Partial<Record<QuoteLineListName, QuoteLineValues[]>>> {
  const catalogue = await loadPlansAndSkus(
    c,
    QUOTE_LINE_LIST_NAMES.flatMap((list) => changed[list] ?? []),
  )
  const wrong: Violation[] = []
  const filled: Partial<Record<QuoteLineListName, QuoteLineValues[]>> = {}
  for (const list of QUOTE_LINE_LIST_NAMES) {
    if (!changed[list]) continue
    const kind = QUOTE_LINE_LISTS[list]
    const former = new Map(before?.[list].map((line) => [line.id, line]))
    filled[list] = changed[list].map((line, i) => {
      if (kind === 'additional') return { ...line, ...additionalLine(currency) }
      const more = fromCatalogue(c.actor, kind, line, former.get(line.id ?? 0), catalogue[kind])
      if (!isRefused(more)) return { ...line, ...more }
      wrong.push(violation(`${list}[${i}].${more.field}`, more.why))
      return line
    })
    wrong.push(...(await notChargeable(c, list, filled[list], former)))
  }
  if (wrong.length) throw problem.invalid(wrong)
  return filled
}

const additionalLine = (currency: Currency): QuoteLineValues => ({
  plan: null,
  sku: null,
  currency,
  interval: null,
  intervalCount: null,
})

interface Refused {
  readonly field: 'plan' | 'sku' | 'taxPercent' | 'quantity'
  readonly why: string
}
const isRefused = (found: QuoteLineValues | Refused): found is Refused => 'why' in found

/** Returns the catalogue values for a line, or the reason why the line can't be on a quote. */
function fromCatalogue(
  actor: Actor,
  kind: 'plan' | 'sku',
  line: QuoteLineValues,
  before: PricedLineRow | undefined,
  known: ReadonlyMap<number, CatalogueItem>,
): QuoteLineValues | Refused {
  const article = known.get(line[kind] ?? 0)
  if (!article) return { field: kind, why: kind === 'plan' ? 'Please choose a plan' : 'Please choose an item' }
  const isSame = before?.[kind] === article.id
  if (!isSame && article.notSold) return { field: kind, why: article.notSold }
  if (hasPartQuantityOfPlan({ plan: line.plan, quantity: line.quantity ?? before?.quantity ?? null }))
    return { field: 'quantity', why: PART_QUANTITY_MESSAGE }
  const { vat } = article
  const isOtherVat = vat !== null && typeof line.taxPercent === 'number' && line.taxPercent !== vat
  if (isOtherVat && !(isSame && before.taxPercent === line.taxPercent) && !hasRole(actor, PRICING_ROLES))
    return {
      field: 'taxPercent',
      why: `The VAT on “${article.name}” is ${vat}%. To charge another rate, you need permission to set prices`,
    }
  // If the rate differs from that of the plan or SKU, the catalogue's tax code doesn't apply and only the percentage is
  // known.
  const taxed = { taxCode: isOtherVat ? null : article.taxCode }
  const words = { [kind === 'plan' ? 'sku' : 'plan']: null, description: line.description ?? article.name }
  if (before && isSame && line.unitAmount === before.unitAmount) {
    const { currency, interval, intervalCount } = before
    return { ...words, ...taxed, currency, interval, intervalCount }
  }
  return {
    ...words,
    ...taxed,
    ...catalogueItemPriceFields(article),
    ...(line.taxPercent == null ? { taxPercent: vat } : {}),
  }
}

/**
 * Returns the VAT rates that can't be charged, each reported on its line. Rates already saved are not checked again.
 */
async function notChargeable(
  c: Context,
  list: QuoteLineListName,
  lines: readonly QuoteLineValues[],
  former: ReadonlyMap<number, PricedLineRow>,
): Promise<Violation[]> {
  const isNew = (line: QuoteLineValues) =>
    typeof line.taxPercent === 'number' && line.taxPercent !== former.get(line.id ?? 0)?.taxPercent
  const known = lines.some(isNew) ? await findChargeableVatPercents(c) : undefined
  if (!known) return []
  return lines.flatMap((line, i) =>
    isNew(line) && !known.has(line.taxPercent as number)
      ? [violation(`${list}[${i}].taxPercent`, unknownVatRateMessage(line.taxPercent as number, known))]
      : [],
  )
}

export const unknownVatRateMessage = (percent: number, known: ReadonlySet<number>): string =>
  `The VAT rates in use are ${[...known].toSorted((a, b) => b - a).join(', ')}%. Choose one of them instead of ${percent}%`

/** Returns the current price of a plan or SKU as line fields. */
export const catalogueItemPriceFields = ({
  amount,
  currency,
  interval = null,
  intervalCount = null,
}: CatalogueItem) => ({
  unitAmount: amount,
  currency,
  interval,
  intervalCount,
})

/**
 * Returns why lines can't be sold as saved, each reported on its line: the catalogue has since changed, or a plan has a
 * fractional quantity.
 */
export function findStaleQuoteLines(
  actor: Actor,
  quote: QuoteLineLists<PricedLineRow> & { readonly taxPercent: number },
  catalogue: PlansAndSkus,
  isTaxed: boolean,
): Violation[] {
  return (['plans', 'skus'] as const).flatMap((list) =>
    quote[list].flatMap((line, i) => {
      const kind = QUOTE_LINE_LISTS[list]
      const article = catalogue[kind].get(line[kind] ?? 0)
      if (!article || article.notSold)
        return [violation(`${list}[${i}].${kind}`, article?.notSold ?? notSoldMessage(line.description))]
      return [
        ...(hasPartQuantityOfPlan(line) ? [violation(`${list}[${i}].quantity`, PART_QUANTITY_MESSAGE)] : []),
        ...changedPrice(line, article).map((why) => violation(`${list}[${i}].unitAmount`, why)),
        ...changedVat(
          line.taxPercent ?? quote.taxPercent,
          line,
          article,
          !isTaxed || hasRole(actor, PRICING_ROLES),
        ).map((why) => violation(`${list}[${i}].taxPercent`, why)),
      ]
    }),
  )
}

function changedPrice(line: PricedLineRow, article: CatalogueItem): string[] {
  const price = catalogueItemPriceFields(article)
  if (
    price.unitAmount === line.unitAmount &&
    price.currency === line.currency &&
    price.interval === line.interval &&
    price.intervalCount === line.intervalCount
  )
    return []
  const now = formatMoney(price.unitAmount, price.currency)
  const then = formatMoney(line.unitAmount, line.currency ?? 'GBP')
  return [`The price of “${line.description}” is now ${now} instead of ${then}. Use the new price or remove the line.`]
}

/**
 * Describes a change in the VAT rate. Users who may set prices get no message, because they may have chosen another
 * rate on purpose.
 */
const changedVat = (percent: number, line: PricedLineRow, { vat }: CatalogueItem, may: boolean): string[] =>
  vat === null || vat === percent || may
    ? []
    : [`The VAT on “${line.description}” is now ${vat}% instead of ${percent}%. Use the new rate or remove the line.`]

const isPriced = (line: QuoteLineValues): line is QuoteLineValues & Pick<PricedLineRow, 'quantity' | 'unitAmount'> =>
  isAmount(line.quantity) && isAmount(line.unitAmount)
const isAmount = (v: unknown): v is number => typeof v === 'number' && v >= 0

/**
 * Returns the quote's totals. Returns `undefined` while a line is incomplete; the engine then reports the missing
 * fields. Throws 422 naming the line that can't be totalled.
 */
export function computeQuoteTotalsOrThrow(
  quote: { readonly currency: Currency; readonly taxPercent: number },
  lists: QuoteLineLists<QuoteLineValues>,
  coupon: CouponTerms | null,
): QuoteTotals | undefined {
  const lines = allQuoteLines(lists)
  if (!lines.every(isPriced) || !isAmount(quote.taxPercent)) return undefined
  try {
    return computeQuoteTotals({ ...quote, coupon, lines })
  } catch (e) {
    if (!(e instanceof MoneyError)) throw e
    throw problem.invalid([violation(pathOf(e, lists), e.message)])
  }
}

/** Returns the path of the field that can't be totalled, such as `plans[0].quantity`. */
function pathOf({ line, message }: MoneyError, lists: QuoteLineLists<unknown>): string {
  if (line === undefined)
    return message.startsWith('The tax')
      ? 'taxPercent'
      : message.startsWith('The discount')
        ? 'discountPercent'
        : 'total'
  const { list, index } = findQuoteLinePosition(lists, line)
  return `${list}[${index}].${findMoneyErrorField(message)}`
}

const FIELDS_OF_MESSAGES = [
  ['The quantity', 'quantity'],
  ['The tax', 'taxPercent'],
  ['The discount', 'discountPercent'],
] as const

/** Returns the field of a line that a MoneyError is about. */
export const findMoneyErrorField = (message: string) =>
  FIELDS_OF_MESSAGES.find(([start]) => message.startsWith(start))?.[1] ?? 'unitAmount'
