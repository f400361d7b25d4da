import type { SumLine } from './sum.ts'

/** The three lists of a quote, and the kind of their lines, in the order in which they are printed. */
export const LISTS = { plans: 'plan', skus: 'sku', additionalItems: 'additional' } as const
export type ListName = keyof typeof LISTS
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

/** A line as the API sends it. */
export interface SentLine {
  readonly '@id'?: string
  readonly id?: number
  readonly description: string
  readonly quantity: number
  readonly unitAmount: number
  readonly currency?: string | null
  readonly taxPercent?: number | null
  readonly discountable?: boolean
  readonly interval?: string | null
  readonly intervalCount?: number | null
  readonly plan?: Target | string | null
  readonly sku?: Target | string | null
}
export interface Target {
  readonly '@id': string
  readonly name: string
  /** Pence: the catalogue's price today. */
  readonly amount: number
  readonly currency: string
  readonly retired: boolean
}

const iri = (v: Target | string | null | undefined) => (typeof v === 'string' ? v : v?.['@id'])

/** The line as its sum needs it. */
export const sumLine = (l: SentLine): SumLine => ({
  quantity: l.quantity,
  unitAmount: l.unitAmount,
  ...(l.currency ? { currency: l.currency } : {}),
  taxPercent: l.taxPercent ?? null,
  discountable: l.discountable !== false,
  plan: iri(l.plan),
  interval: l.interval ?? null,
  intervalCount: l.intervalCount ?? null,
})

/** The place of the nth printed line in its list: `plans[0]`. */
export function placeOf(counts: readonly number[], nth: number): { list: ListName; index: number } {
  let left = nth
  for (const [i, list] of LIST_NAMES.entries()) {
    const count = counts[i] ?? 0
    if (left < count) return { list, index: left }
    left -= count
  }
  return { list: 'additionalItems', index: left }
}
