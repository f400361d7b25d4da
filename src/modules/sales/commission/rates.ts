import type { RowOf } from '#kernel/resource.ts'
import type { countedSale } from '../counted/counted-sale.ts'
import type { commissionRate } from './rate.ts'

type Rate = Pick<RowOf<typeof commissionRate>, 'id' | 'seller' | 'product' | 'source' | 'percent' | 'from' | 'retired'>
type Sold = Pick<RowOf<typeof countedSale>, 'seller' | 'product' | 'source' | 'day'>

/** How much a rate says about a sale: a person before a product, that before how the sale came. */
const weight = (r: Rate) => (r.seller === null ? 0 : 4) + (r.product === null ? 0 : 2) + (r.source === null ? 0 : 1)

/** The rate that holds for a sale on its day: the one that says most, of those the latest, of those the last that was made. */
export function rateFor<R extends Rate>(rates: readonly R[], sold: Sold): R | undefined {
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

/** Pence of a per cent with up to four places: halves of a penny go up. */
export const commissionOf = (pence: number, percent: number): number => {
  const parts = BigInt(pence) * BigInt(Math.round(percent * 10_000))
  return Number((parts + BigInt(PARTS / 2)) / BigInt(PARTS))
}
