import type { Rhythm } from '#kernel/money/periods.ts'
import { prorate } from '#kernel/money/prorate.ts'
import { type Currency, pence } from '#kernel/money.ts'

/** Where monthly recurring revenue is had. */
export const RECURRING_URL = '/api/financial/ledger/recurring'

/** What becomes of it in a month, and what it is before and after. */
export const MOVES = [
  { value: 'start', label: 'At the start' },
  { value: 'new', label: 'New' },
  { value: 'expansion', label: 'Expansion' },
  { value: 'contraction', label: 'Contraction' },
  { value: 'churn', label: 'Churn' },
  { value: 'end', label: 'At the end' },
] as const
export type Move = (typeof MOVES)[number]['value']

/** Something that is paid again and again, and what of it falls to a month: from a day until the first that it is no longer there. */
export interface Span {
  readonly customer: number
  readonly subscription: number
  readonly product: number | null
  readonly currency: Currency
  readonly from: string
  readonly until: string | null
  /** Pence without VAT and discount. */
  readonly monthly: number
}

const MONTHS: Readonly<Record<Rhythm, number>> = { month: 1, quarter: 3, year: 12 }

/** What falls to a month, to the nearest penny. */
export const monthlyOf = (amount: number, quantity: number, rhythm: Rhythm, count: number): number =>
  pence(prorate(BigInt(amount) * BigInt(quantity), 1, MONTHS[rhythm] * count))

/** What of a customer's product is paid monthly, before and after a month, and what that is called. */
export interface Change {
  readonly customer: number
  readonly product: number | null
  readonly currency: Currency
  readonly before: number
  readonly after: number
  /** Nothing where it stayed as it was. */
  readonly move: Exclude<Move, 'start' | 'end'> | null
  readonly subscriptions: readonly number[]
}

const isThere = ({ from, until }: Span, day: string) => from <= day && (until === null || until > day)
const sum = (of: readonly Span[], day: string) =>
  of.reduce((all, one) => all + (isThere(one, day) ? one.monthly : 0), 0)

/**
 * What changed between the ends of two days, customer by customer and product by product. Who had nothing is new, who has nothing any more
 * has gone; of all others each product has grown or shrunk.
 */
export function changesBetween(spans: readonly Span[], before: string, after: string): Change[] {
  const there = spans.filter((one) => isThere(one, before) || isThere(one, after))
  return [...Map.groupBy(there, ({ customer, currency }) => `${customer} ${currency}`).values()].flatMap((own) => {
    const [was, is] = [sum(own, before), sum(own, after)]
    return [...Map.groupBy(own, ({ product }) => product)].map(([product, of]): Change => {
      const { customer, currency } = of[0] as Span
      const [from, to] = [sum(of, before), sum(of, after)]
      const grown = to > from ? 'expansion' : 'contraction'
      return {
        customer,
        product,
        currency,
        before: from,
        after: to,
        move: from === to ? null : was === 0 ? 'new' : is === 0 ? 'churn' : grown,
        subscriptions: [...new Set(of.map((one) => one.subscription))],
      }
    })
  })
}

export type Moves = Readonly<Record<Move, number>>

/** What changes come to: what there was, what came and went, and what there is. */
export function movesOf(changes: readonly Change[]): Moves {
  const moved = (move: Move) => changes.reduce((all, c) => all + (c.move === move ? c.after - c.before : 0), 0)
  return {
    start: changes.reduce((all, c) => all + c.before, 0),
    new: moved('new'),
    expansion: moved('expansion'),
    contraction: moved('contraction'),
    churn: moved('churn'),
    end: changes.reduce((all, c) => all + c.after, 0),
  }
}

/** The changes that a number is made of. */
export const changesOf = (changes: readonly Change[], move: Move): Change[] =>
  changes.filter((c) => (move === 'start' ? c.before !== 0 : move === 'end' ? c.after !== 0 : c.move === move))

/** A month and the days between whose ends it lies; the current one is looked at until today. */
export interface Month {
  /** `2026-02` */
  readonly month: string
  readonly before: string
  readonly after: string
}

/** The months from that of one day to that of another, none that is still to come. */
export function monthsIn(from: string, to: string, today: string): Month[] {
  const months: Month[] = []
  const last = Temporal.PlainDate.from(to < today ? to : today)
  for (
    let first = Temporal.PlainDate.from(from).with({ day: 1 });
    Temporal.PlainDate.compare(first, last) <= 0;
    first = first.add({ months: 1 })
  ) {
    const end = first.add({ months: 1 }).subtract({ days: 1 }).toString()
    months.push({
      month: first.toString().slice(0, 7),
      before: first.subtract({ days: 1 }).toString(),
      after: end < today ? end : today,
    })
  }
  return months
}

/** A month of the report: of all products, or of one. */
export interface RecurringRow {
  readonly month: string
  readonly currency: Currency
  readonly product: number | null
  /** Its name; nothing where it is of all products. */
  readonly name: string | null
  readonly moves: Moves
}

export interface RecurringAnswer {
  readonly from: string
  readonly to: string
  readonly rows: readonly RecurringRow[]
}

export interface NamedChange extends Change {
  readonly company: string
  readonly name: string
}
