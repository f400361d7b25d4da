import type { RowOf } from '#kernel/resource.ts'
import type { countedSale } from '../counted/counted-sale.ts'
import type { commissionRate } from './rate.ts'

type Rate = Pick<RowOf<typeof commissionRate>, 'id' | 'seller' | 'product' | 'source' | 'percent' | 'from' | 'retired'>
type Sold = Pick<RowOf<typeof countedSale>, 'seller' | 'product' | 'source' | 'day'>

/** Specificity of a rate: a seller outranks a product, a product outranks a source. */
const weight = (r: Rate) => (r.seller === null ? 0 : 4) + (r.product === null ? 0 : 2) + (r.source === null ? 0 : 1)

/** The rate that applies to a sale on its day: the most specific, then the latest start, then the latest created. */
export function findRate<R extends Rate>(rates: readonly R[], sold: Sold): R | undefined {
  const fits = (r: R) =>
    !r.retired &&
    r.from <= sold.day &&
    (r.seller === null || r.seller === sold.seller) &&
    (r.product === null || r.product === sold.product) &&
    (r.source === null || r.source === sold.source)
  return rates
    .filter(fits)
    .sort((a, b) => weight(b) - weight(a) || (a.from < b.from ? 1 : a.from > b.from ? -1 : b.id - a.id))[0]
}

const PARTS = 1_000_000

/** Pence of commission at a percentage with up to four decimal places, rounded half up. */
export const commissionOf = (pence: number, percent: number): number => {
  const parts = BigInt(pence) * BigInt(Math.round(percent * 10_000))
  return Number((parts + BigInt(PARTS / 2)) / BigInt(PARTS))
}
