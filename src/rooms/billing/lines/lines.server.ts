import { problem, type Violation, violation } from '#kernel/errors.ts'
import { type Currency, formatMoney, MoneyError } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { textOf } from '#kernel/text.ts'
import type { RowsChange } from '#server/data/rows.ts'
import type { Work } from '#server/data/work.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { LIST_NAMES, LISTS, type ListName, placeOf } from './lines.ts'
import { type QuoteTotals, quoteTotals } from './sum.ts'

type Line = Record<string, unknown>
export type Lines = Readonly<Record<ListName, readonly Line[]>>

/** What a plan or an SKU says of itself today. */
interface Article {
  readonly id: number
  readonly name: string
  readonly amount: number
  readonly currency: string
  readonly interval: string | null
  readonly intervalCount: number | null
  readonly tax: number | null
  readonly retired: boolean
}
export interface Catalogue {
  readonly plan: ReadonlyMap<number, Article>
  readonly sku: ReadonlyMap<number, Article>
}

/** The plans and SKUs that lines name, each table asked once. */
export async function catalogueOf(work: Work, lines: readonly Line[]): Promise<Catalogue> {
  const find = async (table: 'plan' | 'sku') => {
    const ids = [...new Set(lines.map((l) => l[table]).filter((id) => typeof id === 'number'))]
    const rhythm = table === 'plan' ? 't.interval, t.interval_count' : 'NULL::text AS interval, NULL::int'
    const rows = ids.length
      ? await work.tx.rows<Article>(
          `SELECT t.id, t.name, t.amount, t.currency, ${rhythm} AS "intervalCount", r.percent AS tax, t.retired
           FROM ${table} t LEFT JOIN tax_rate r ON r.client_id = t.client_id AND r.id = t.tax_rate_id WHERE t.client_id = $1 AND t.id = ANY($2)`,
          [work.clientId, ids],
        )
      : []
    return new Map(
      rows.map((r) => [r.id, { ...r, amount: Number(r.amount), tax: r.tax === null ? null : Number(r.tax) }]),
    )
  }
  return { plan: await find('plan'), sku: await find('sku') }
}

/**
 * Completes the lines that a body adds or changes: words, price and rhythm of plans and SKUs come from the catalogue, never
 * from the browser. A line that says the price it was saved with keeps it, until the quote is sent.
 */
export async function fillLines(
  work: Work,
  currency: string,
  rows: readonly RowsChange[],
): Promise<Readonly<Record<string, Line[]>>> {
  const catalogue = await catalogueOf(
    work,
    rows.flatMap((r) => r.after),
  )
  const wrong: Violation[] = []
  const filled = rows.map((change): [string, Line[]] => {
    const kind = LISTS[change.field as ListName]
    const said = new Map(change.changed.map((c) => [c.values, c]))
    const lines = change.after.map((line, i) => {
      const touched = said.get(line)
      if (!touched && !change.added.includes(line)) return line
      const at = (field: string) => `${change.field}[${i}].${field}`
      const more =
        kind === 'additional' ? additional(line, currency) : fromCatalogue(kind, line, touched?.before, catalogue[kind])
      if (typeof more !== 'string') return { ...line, ...more }
      wrong.push(violation(at(kind), more))
      return line
    })
    return [change.field, lines]
  })
  if (wrong.length) throw problem.invalid(wrong)
  return Object.fromEntries(filled)
}

const additional = (line: Line, currency: string): Line => ({
  plan: null,
  sku: null,
  currency: line.currency ?? currency,
  interval: null,
  intervalCount: null,
})

/** What the catalogue says for a line, or the sentence that says why it can't be on a quote. */
function fromCatalogue(
  kind: 'plan' | 'sku',
  line: Line,
  before: Line | undefined,
  known: ReadonlyMap<number, Article>,
): Line | string {
  const article = known.get(line[kind] as number)
  if (!article) return kind === 'plan' ? 'Please choose a plan' : 'Please choose an item'
  const same = before?.[kind] === line[kind]
  if (!same && article.retired) return notSold(article)
  const other = { [kind === 'plan' ? 'sku' : 'plan']: null }
  const description = line.description || article.name
  if (same && line.unitAmount === before?.unitAmount)
    return {
      ...other,
      description,
      currency: before?.currency,
      interval: before?.interval,
      intervalCount: before?.intervalCount,
    }
  return {
    ...other,
    description,
    unitAmount: article.amount,
    currency: article.currency,
    interval: article.interval,
    intervalCount: article.intervalCount,
    ...(line.taxPercent === undefined ? { taxPercent: article.tax } : {}),
  }
}

const notSold = (a: Article) => `“${a.name}” is no longer sold. Remove the line, or choose something else.`

/** What has changed in the catalogue since the lines were saved, each under its line. */
export function staleLines(lines: Lines, catalogue: Catalogue): Violation[] {
  return (['plans', 'skus'] as const).flatMap((list) =>
    lines[list].flatMap((line, i) => {
      const kind = LISTS[list]
      const article = catalogue[kind].get(line[kind] as number)
      if (!article || article.retired)
        return [
          violation(
            `${list}[${i}].${kind}`,
            article
              ? notSold(article)
              : `“${textOf(line.description)}” is no longer sold. Remove the line, or choose something else.`,
          ),
        ]
      const rhythm = article.interval === line.interval && article.intervalCount === line.intervalCount
      if (article.amount === line.unitAmount && article.currency === line.currency && rhythm) return []
      const now = formatMoney(article.amount, article.currency)
      const then = formatMoney(Number(line.unitAmount), textOf(line.currency ?? 'GBP'))
      return [
        violation(
          `${list}[${i}].unitAmount`,
          `The price of “${textOf(line.description)}” is now ${now} instead of ${then}. Take the new price, or remove the line.`,
        ),
      ]
    }),
  )
}

/**
 * What the quote comes to. Throws 422 naming the line that can't be summed; `undefined` while a line lacks what a sum needs, as
 * then the engine says what is missing.
 */
export function sumOf(
  quote: { readonly currency: unknown; readonly taxPercent: unknown },
  lines: Lines,
  coupon: CouponTerms | null,
): QuoteTotals | undefined {
  const all = LIST_NAMES.flatMap((list) => lines[list])
  const whole = (v: unknown, least: number) => typeof v === 'number' && v >= least
  if (!all.every((l) => whole(l.quantity, 0) && whole(l.unitAmount, 0)) || !whole(quote.taxPercent, 0)) return undefined
  try {
    return quoteTotals({
      currency: quote.currency as Currency,
      taxPercent: quote.taxPercent as number,
      coupon,
      lines: all.map((l) => ({
        quantity: l.quantity as number,
        unitAmount: l.unitAmount as number,
        ...(l.currency ? { currency: l.currency as string } : {}),
        taxPercent: l.taxPercent as number | null,
        discountable: l.discountable as boolean,
        plan: typeof l.plan === 'number' ? iriOf(plan, l.plan) : undefined,
        interval: l.interval as string | null,
        intervalCount: l.intervalCount as number | null,
      })),
    })
  } catch (e) {
    if (!(e instanceof MoneyError)) throw e
    const place =
      e.line === undefined
        ? undefined
        : placeOf(
            LIST_NAMES.map((n) => lines[n].length),
            e.line,
          )
    throw problem.invalid([
      violation(
        place
          ? `${place.list}[${place.index}].${fieldOf(e.message)}`
          : e.message.startsWith('The tax')
            ? 'taxPercent'
            : 'total',
        e.message,
      ),
    ])
  }
}

/** Which of a line's fields the sentence speaks of. */
const fieldOf = (message: string) =>
  message.startsWith('The quantity') ? 'quantity' : message.startsWith('The tax') ? 'taxPercent' : 'unitAmount'
