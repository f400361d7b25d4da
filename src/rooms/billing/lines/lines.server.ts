import { problem, type Violation, violation } from '#kernel/errors.ts'
import { type Currency, formatMoney, MoneyError } from '#kernel/money.ts'
import type { Context } from '#server/engine/context.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { type Article, type Catalogue, catalogueOf, taxPercents } from './catalogue.server.ts'
import type { LineRow } from './line.ts'
import { allLines, LIST_NAMES, LISTS, type ListName, type Lists, placeOf } from './lines.ts'
import { type QuoteTotals, quoteTotals } from './sum.ts'

/** A line as it is to be: one that is there already has its id. */
export type LineValues = Partial<LineRow>

/**
 * Completes the lists that change: words, price and rhythm of plans and SKUs come from the catalogue, never from the browser. A
 * line that says the price it was saved with keeps it, until the quote is sent. Throws 422 for what is not sold.
 */
export async function fillLines(
  c: Context,
  currency: Currency,
  before: Lists<LineRow> | undefined,
  changed: Partial<Lists<LineValues>>,
): Promise<Partial<Record<ListName, LineValues[]>>> {
  const lines = LIST_NAMES.flatMap((list) => changed[list] ?? [])
  const catalogue = await catalogueOf(c, lines)
  const isUntaxed = lines.some((line) => line.taxPercent === undefined)
  const percents = await taxPercents(c, isUntaxed ? [...catalogue.plan.values(), ...catalogue.sku.values()] : [])
  const wrong: Violation[] = []
  const fill = (list: ListName, after: readonly LineValues[]): LineValues[] => {
    const kind = LISTS[list]
    const former = new Map(before?.[list].map((line) => [line.id, line]))
    return after.map((line, i) => {
      if (kind === 'additional') return { ...line, ...additionalLine(line, currency) }
      const more = fromCatalogue(kind, line, former.get(line.id ?? 0), catalogue[kind], percents)
      if (typeof more !== 'string') return { ...line, ...more }
      wrong.push(violation(`${list}[${i}].${kind}`, more))
      return line
    })
  }
  const filled: Partial<Record<ListName, LineValues[]>> = {}
  for (const list of LIST_NAMES) if (changed[list]) filled[list] = fill(list, changed[list])
  if (wrong.length) throw problem.invalid(wrong)
  return filled
}

const additionalLine = (line: LineValues, currency: Currency): LineValues => ({
  plan: null,
  sku: null,
  currency: line.currency ?? currency,
  interval: null,
  intervalCount: null,
})

/** What the catalogue says for a line, or the sentence that says why it can't be on a quote. */
function fromCatalogue(
  kind: 'plan' | 'sku',
  line: LineValues,
  before: LineRow | undefined,
  known: ReadonlyMap<number, Article>,
  percents: ReadonlyMap<number, number>,
): LineValues | string {
  const article = known.get(line[kind] ?? 0)
  if (!article) return kind === 'plan' ? 'Please choose a plan' : 'Please choose an item'
  const isSame = before?.[kind] === article.id
  if (!isSame && article.retired) return notSold(article)
  const words = { [kind === 'plan' ? 'sku' : 'plan']: null, description: line.description ?? article.name }
  if (before && isSame && line.unitAmount === before.unitAmount) {
    const { currency, interval, intervalCount } = before
    return { ...words, currency, interval, intervalCount }
  }
  const percent = article.taxRate === null ? null : (percents.get(article.taxRate) ?? null)
  return { ...words, ...priceOf(article), ...(line.taxPercent === undefined ? { taxPercent: percent } : {}) }
}

/** What an article costs today, as a line says it. */
export const priceOf = ({ amount, currency, interval = null, intervalCount = null }: Article) => ({
  unitAmount: amount,
  currency,
  interval,
  intervalCount,
})

const notSold = ({ name }: { readonly name: string }) =>
  `“${name}” is no longer sold. Remove the line, or choose something else.`

/** What has changed in the catalogue since the lines were saved, each under its line. */
export function staleLines(lines: Lists<LineRow>, catalogue: Catalogue): Violation[] {
  return (['plans', 'skus'] as const).flatMap((list) =>
    lines[list].flatMap((line, i) => {
      const kind = LISTS[list]
      const article = catalogue[kind].get(line[kind] ?? 0)
      if (!article || article.retired)
        return [violation(`${list}[${i}].${kind}`, notSold(article ?? { name: line.description }))]
      const price = priceOf(article)
      if (
        price.unitAmount === line.unitAmount &&
        price.currency === line.currency &&
        price.interval === line.interval &&
        price.intervalCount === line.intervalCount
      )
        return []
      const now = formatMoney(price.unitAmount, price.currency)
      const then = formatMoney(line.unitAmount, line.currency ?? 'GBP')
      return [
        violation(
          `${list}[${i}].unitAmount`,
          `The price of “${line.description}” is now ${now} instead of ${then}. Take the new price, or remove the line.`,
        ),
      ]
    }),
  )
}

/** A line that says what a sum needs. */
const isPriced = (line: LineValues): line is LineValues & Pick<LineRow, 'quantity' | 'unitAmount'> =>
  isAmount(line.quantity) && isAmount(line.unitAmount)
const isAmount = (v: unknown): v is number => typeof v === 'number' && v >= 0

/**
 * What the quote comes to. Throws 422 naming the line that can't be summed; `undefined` while a line lacks what a sum needs, as
 * then the engine says what is missing.
 */
export function sumOf(
  quote: { readonly currency: Currency; readonly taxPercent: number },
  lists: Lists<LineValues>,
  coupon: CouponTerms | null,
): QuoteTotals | undefined {
  const lines = allLines(lists)
  if (!lines.every(isPriced) || !isAmount(quote.taxPercent)) return undefined
  try {
    return quoteTotals({ ...quote, coupon, lines })
  } catch (e) {
    if (!(e instanceof MoneyError)) throw e
    throw problem.invalid([violation(pathOf(e, lists), e.message)])
  }
}

/** The field that can't be summed: `plans[0].quantity`. */
function pathOf({ line, message }: MoneyError, lists: Lists<unknown>): string {
  if (line === undefined) return message.startsWith('The tax') ? 'taxPercent' : 'total'
  const { list, index } = placeOf(lists, line)
  return `${list}[${index}].${fieldOf(message)}`
}

/** Which of a line's fields the sentence speaks of. */
const fieldOf = (message: string) =>
  message.startsWith('The quantity') ? 'quantity' : message.startsWith('The tax') ? 'taxPercent' : 'unitAmount'
