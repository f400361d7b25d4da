import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { RowOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { plan, sku } from '../catalogue/plan.ts'
import { isOnSale, product } from '../catalogue/product.ts'
import { taxRate } from '../catalogue/tax-rate.ts'
import type { LineRow } from './line.ts'

type Reader = Pick<Context, 'find' | 'now'>

/** Sales status and VAT of a plan or SKU today. */
interface Standing {
  /** Its own VAT in per cent; null to use the document's rate. */
  readonly vat: number | null
  /** Tax code of its own VAT. */
  readonly taxCode: TaxCode | null
  /** Reason why it can't be sold, as a sentence; `undefined` if it can. */
  readonly notSold: string | undefined
}

/** A plan or SKU with its current status; SKUs have no interval. */
export type CatalogueArticle = Standing &
  (RowOf<typeof plan> | (RowOf<typeof sku> & { readonly interval?: null; readonly intervalCount?: null }))

export interface ArticleCatalogue {
  readonly plan: ReadonlyMap<number, CatalogueArticle>
  readonly sku: ReadonlyMap<number, CatalogueArticle>
}

/** Loads the plans and SKUs of some lines with products and tax rates; one query per table. */
export async function loadArticleCatalogue(
  c: Reader,
  lines: readonly Partial<Pick<LineRow, 'plan' | 'sku'>>[],
): Promise<ArticleCatalogue> {
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
  const standing = (a: RowOf<typeof plan> | RowOf<typeof sku>): Standing => {
    const rate = a.taxRate === null ? undefined : rates.get(a.taxRate)
    const sold = a.product === null ? undefined : products.get(a.product)
    const isSold = !a.retired && (!sold || isOnSale(sold))
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

export const notSoldMessage = (name: string): string =>
  `“${name}” is no longer sold. Remove the line or choose something else.`

function whyNotTaxed(c: Reader, name: string, rate: RowOf<typeof taxRate>): string | undefined {
  if (rate.retired) return `The VAT rate of “${name}” is no longer used. Choose a current rate`
  return isToCome(c, rate)
    ? `The VAT rate of “${name}” applies from ${ukDay(rate.from ?? '')}. Choose a current rate`
    : undefined
}

const isToCome = ({ now }: Reader, { from }: RowOf<typeof taxRate>) =>
  from !== null && from > londonDate(now).toString()

/** VAT percentages that can be charged today; `undefined` if no rates are set, so any is allowed. */
export async function chargeableVatPercents(c: Reader): Promise<ReadonlySet<number> | undefined> {
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
