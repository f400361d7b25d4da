import {
  type BillingCycle,
  type BillingPeriod,
  daysInPeriod,
  findBillingPeriodNumber,
  nthBillingPeriod,
} from '#kernel/money/periods.ts'
import type { Currency } from '#kernel/money.ts'
import {
  calculateLineAmount,
  calculateTotals,
  type Discount,
  describeLineDiscount,
  NO_DOCUMENT_TAX,
} from '#kernel/money-totals.ts'
import { formatIsoDateAsUk, laterDay } from '#kernel/time.ts'
import { type LineVat, pickLineVat } from '../lines/line-vat.ts'

/** A recurring item: a quantity and its price per period. */
export interface RecurringItem extends LineVat {
  readonly plan: number | null
  readonly product: number | null
  readonly description: string
  /** Pence per unit for one full period. */
  readonly amount: number
  readonly quantity: number
  /** Percentage off each payment for this item; omitted if there is none. */
  readonly discountPercent?: number | null
  readonly discountable: boolean
  /** True if the agreed price applies regardless of the catalogue. */
  readonly keepsPrice?: boolean
}

/**
 * An item with its first day (`from`) and the day after its last day (`until`). Days are ISO dates such as
 * `2026-02-28`, so they sort as text.
 */
export interface ItemSegment extends RecurringItem {
  readonly from: string
  readonly until: string | null
}
/** An item with which a paused subscription resumes; it has days if it was scheduled to begin or end. */
export type PausedItem = RecurringItem & { readonly from?: string; readonly until?: string }
export type PausedItemSummary = Pick<PausedItem, 'description' | 'quantity' | 'from' | 'until'>
export type ItemTimeline = readonly ItemSegment[]

export const itemsOnDay = <S extends ItemSegment>(timeline: readonly S[], day: string): S[] =>
  timeline.filter(({ from, until }) => from <= day && (until === null || day < until))

/**
 * Replaces the items from a day on; earlier days are unchanged. Empty segments are dropped and identical adjacent
 * segments are merged, so that a change that is undone leaves no trace.
 */
export function replaceItemsFrom(timeline: ItemTimeline, day: string, items: readonly RecurringItem[]): ItemSegment[] {
  const kept = timeline.flatMap((s): ItemSegment[] => {
    if (s.from >= day) return []
    return [s.until !== null && s.until <= day ? s : { ...s, until: day }]
  })
  const joined = [...kept]
  for (const item of items) {
    const at = joined.findIndex((s) => s.until === day && isSameRecurringItem(s, item))
    const before = joined[at]
    if (before) joined[at] = { ...before, until: null }
    else joined.push({ ...toRecurringItem(item), from: day, until: null })
  }
  return joined
}

/**
 * Returns the items in force on the last day of a period that ends before `renewsOn`. Those that begin on that day are
 * scheduled.
 */
export const currentItems = <S extends Pick<ItemSegment, 'from' | 'until'>>(
  timeline: readonly S[],
  renewsOn: string,
): S[] => timeline.filter(({ from, until }) => from < renewsOn && (until === null || until >= renewsOn))

/** Returns the items with which a subscription paused on a day resumes, including changes from the next period. */
export const toPausedItems = (timeline: ItemTimeline, day: string, renewsOn: string): PausedItem[] =>
  timeline
    .filter((s) => (s.from <= day || s.from === renewsOn) && (s.until === null || s.until > day))
    .map((s) => ({
      ...toRecurringItem(s),
      ...(s.from > day ? { from: s.from } : {}),
      ...(s.until === null ? {} : { until: s.until }),
    }))

const inForceOn = <I extends Pick<PausedItem, 'from' | 'until'>>(paused: readonly I[], day: string): I[] =>
  paused.filter(({ from = day, until }) => from <= day && (until === undefined || day < until))

export const pausedItemsOn = (paused: readonly PausedItem[], day: string): RecurringItem[] =>
  inForceOn(paused, day).map((item) => toRecurringItem(item))

/**
 * Describes the items with which a paused subscription resumes, such as `Resumes with Talks × 3, from 28/02/2026 with
 * Talks.`
 */
export function describePausedItems(
  paused: readonly PausedItemSummary[],
  { today, renewsOn }: { readonly today: string; readonly renewsOn: string },
): string {
  const [now, later] = [today, laterDay(today, renewsOn)].map((day) =>
    inForceOn(paused, day)
      .map((item) => describeRecurringItem(item))
      .join(', '),
  )
  return `Resumes with ${now}${now === later ? '' : `, from ${formatIsoDateAsUk(renewsOn)} with ${later}`}.`
}

/** An item of a timeline, or its record with the plan embedded. */
type DescribedItem = Pick<RecurringItem, 'description' | 'quantity' | 'discountPercent'> & {
  readonly plan: number | { id: number } | null
}

const isSamePlan = (a: DescribedItem, b: DescribedItem): boolean => {
  const [one, other] = [a.plan, b.plan].map((of) => (typeof of === 'object' ? of?.id : of))
  return one === other && a.description === b.description
}

/** A change from the next period: an item that ends, one that begins, or one that replaces another. */
export interface ScheduledItemChange<S> {
  readonly ends?: S
  readonly begins?: S
}

/**
 * Returns the changes from the next period. An item replaces the one with the same plan. If just one remains on each
 * side, the plan was switched.
 */
export function scheduledItemChanges<S extends DescribedItem & Pick<ItemSegment, 'from' | 'until'>>(
  timeline: readonly S[],
  renewsOn: string,
): ScheduledItemChange<S>[] {
  const ending = timeline.filter(({ until }) => until === renewsOn)
  const beginning = timeline.filter(({ from }) => from === renewsOn)
  const pairs = ending.flatMap((ends) => {
    const begins = beginning.find((one) => isSamePlan(one, ends))
    return begins ? [{ ends, begins }] : []
  })
  const ended = ending.filter((one) => pairs.every(({ ends }) => ends !== one))
  const begun = beginning.filter((one) => pairs.every(({ begins }) => begins !== one))
  const [switched, instead] = [ended[0], begun[0]]
  if (switched && instead && ended.length === 1 && begun.length === 1)
    return [...pairs, { ends: switched, begins: instead }]
  return [...pairs, ...ended.map((ends) => ({ ends })), ...begun.map((begins) => ({ begins }))]
}

/** Describes a change from the next period, such as `Safety pack: quantity 5 → 3`. */
export function describeItemChange({ ends, begins }: ScheduledItemChange<DescribedItem>): string {
  if (!ends) return begins ? `${describeRecurringItem(begins)} added` : ''
  if (!begins) return `${describeRecurringItem(ends)} removed`
  if (isSamePlan(ends, begins)) return `${ends.description}: quantity ${ends.quantity} → ${begins.quantity}`
  return `${describeRecurringItem(ends)} → ${describeRecurringItem(begins)}`
}

export const toRecurringItem = (of: RecurringItem): RecurringItem => ({
  plan: of.plan,
  product: of.product,
  description: of.description,
  amount: of.amount,
  quantity: of.quantity,
  ...(of.discountPercent ? { discountPercent: of.discountPercent } : {}),
  ...pickLineVat(of),
  discountable: of.discountable,
  ...(of.keepsPrice ? { keepsPrice: true } : {}),
})

const keyOf = (item: RecurringItem) => JSON.stringify(toRecurringItem(item))
export const isSameRecurringItem = (a: RecurringItem, b: RecurringItem): boolean => keyOf(a) === keyOf(b)

/** Items that are paid for up to the day before `until`, whichever items are in force. */
export interface PaidItems {
  readonly until: string
  readonly items: readonly RecurringItem[]
}

/** Returns items after applying the quantity changes between two other lists. */
export function shiftItems(
  items: readonly RecurringItem[],
  { from, to }: { readonly from: readonly RecurringItem[]; readonly to: readonly RecurringItem[] },
): RecurringItem[] {
  const found = new Map<string, RecurringItem>()
  const add = (of: readonly RecurringItem[], sign: 1 | -1) => {
    for (const item of of) {
      const kind = keyOf({ ...item, quantity: 1, keepsPrice: false })
      const quantity = (found.get(kind)?.quantity ?? 0) + sign * item.quantity
      found.set(kind, { ...toRecurringItem(item), quantity })
    }
  }
  add(items, 1)
  add(to, 1)
  add(from, -1)
  return [...found.values()].filter(({ quantity }) => quantity > 0)
}

/** Days that are charged together, and the length in days of the period whose price applies. */
export interface ProratedPeriod {
  readonly from: string
  readonly to: string
  readonly ofDays: number
}

/**
 * Splits the time between two days into full and partial periods. Days before the first full period are charged as a
 * share of the preceding periods.
 */
export function splitIntoProratedPeriods(cycle: BillingCycle, { from, to }: BillingPeriod): ProratedPeriod[] {
  const pieces: ProratedPeriod[] = []
  for (let n = findBillingPeriodNumber(cycle, from); ; n++) {
    const whole = nthBillingPeriod(cycle, n)
    if (Temporal.PlainDate.compare(whole.from, to) >= 0) return pieces
    const begin = later(whole.from, from).toString()
    const end = earlier(whole.to, to).toString()
    pieces.push({ from: begin, to: end, ofDays: daysInPeriod(whole) })
  }
}

const later = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (Temporal.PlainDate.compare(a, b) > 0 ? a : b)
const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (Temporal.PlainDate.compare(a, b) < 0 ? a : b)

export interface ChargeTerms {
  readonly currency: Currency
  readonly pieces: readonly ProratedPeriod[]
  readonly discount: Discount | null
  readonly covers: (item: RecurringItem) => boolean
}

/** Cost of one item for the days that are charged together, in pence excluding VAT. */
export interface SegmentCost {
  readonly item: RecurringItem
  readonly from: string
  readonly to: string
  readonly days: number
  readonly ofDays: number
  readonly amount: number
  readonly discount: number
  readonly net: number
}

const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days

/**
 * Calculates the costs of a timeline. Each segment is charged its share of the period by whole days, minus its share of
 * the discount. The result depends only on the final timeline, not on the changes that led to it.
 */
export function calculateSegmentCosts(
  timeline: ItemTimeline,
  { currency, pieces, discount, covers }: ChargeTerms,
): SegmentCost[] {
  const parts = pieces.flatMap((piece) =>
    timeline.flatMap((s) => {
      const from = laterDay(s.from, piece.from)
      const to = s.until !== null && s.until < piece.to ? s.until : piece.to
      if (from >= to) return []
      const days = daysBetween(from, to)
      const amount = recurringItemAmount(s, days, piece.ofDays)
      return [{ item: toRecurringItem(s), from, to, days, ofDays: piece.ofDays, amount }]
    }),
  )
  const { lines } = calculateTotals({
    ...NO_DOCUMENT_TAX,
    currency,
    discount,
    lines: parts.map(({ item, amount }) => ({ quantity: 1, unitAmount: amount, discountable: covers(item) })),
  })
  return parts.map((part, n) => ({ ...part, discount: lines[n]?.discount ?? 0, net: lines[n]?.net ?? part.amount }))
}

/**
 * Returns the price of a full period of an item after its own discount, or of some days of it, in pence excluding VAT.
 */
export const recurringItemAmount = (
  { amount, quantity, discountPercent }: Pick<RecurringItem, 'amount' | 'quantity' | 'discountPercent'>,
  days = 1,
  ofDays = 1,
): number =>
  calculateLineAmount({ quantity, unitAmount: amount, discountPercent: discountPercent ?? null }, days, ofDays)

/** Returns the price of a full period of some items, in pence, excluding VAT and before any coupon discount. */
export const sumRecurringItems = (items: readonly RecurringItem[]): number =>
  items.reduce((sum, item) => sum + recurringItemAmount(item), 0)

/** Returns the price of a full period of the items on a day, like `sumRecurringItems`. */
export const fullPeriodAmount = (items: readonly ItemSegment[], day: string): number =>
  sumRecurringItems(itemsOnDay(items, day))

export const toBillingPeriod = (from: string, to: string): BillingPeriod => ({
  from: Temporal.PlainDate.from(from),
  to: Temporal.PlainDate.from(to),
})

/** Returns the period from the first to the last day of the lines; empty if no line has a period. */
export function combineLinePeriods(lines: readonly { readonly period?: BillingPeriod }[]): { period?: BillingPeriod } {
  const days = lines.flatMap(({ period }) => (period ? [period.from.toString(), period.to.toString()] : [])).toSorted()
  const [from, to] = [days.at(0), days.at(-1)]
  return from && to ? { period: toBillingPeriod(from, to) } : {}
}

/** Charge or credit for one item in a change, with the sentence for its line. */
export interface CostDifference {
  readonly item: RecurringItem
  readonly from: string
  readonly to: string
  readonly net: number
  readonly sentence: string
}

/** Returns the charges and credits when one timeline replaces another, segment by segment. */
export function calculateCostDifferences(
  before: ItemTimeline,
  after: ItemTimeline,
  terms: ChargeTerms,
): CostDifference[] {
  const place = (cost: SegmentCost) => `${keyOf(cost.item)} ${cost.from}`
  const old = new Map(calculateSegmentCosts(before, terms).map((cost) => [place(cost), cost]))
  const now = new Map(calculateSegmentCosts(after, terms).map((cost) => [place(cost), cost]))
  const found: CostDifference[] = []
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(key), now.get(key)]
    const one = is ?? was
    if (!one) continue
    const net = (is?.net ?? 0) - (was?.net ?? 0)
    if (net === 0) continue
    const ends = [was?.to ?? one.from, is?.to ?? one.from]
    const [from, to] = ends.toSorted() as [string, string]
    const days = daysBetween(from, to)
    const given = { item: one.item, net, ...(days ? { from, to } : { from: one.from, to: one.to }) }
    found.push({ ...given, sentence: sentenceOf(given, days, one.ofDays) })
  }
  return found
}

/** Describes an item, such as `Safety pack × 2 less 12.5%`; a quantity of one is omitted. */
export const describeRecurringItem = (
  item: Pick<RecurringItem, 'description' | 'quantity' | 'discountPercent'>,
): string =>
  [item.description, item.quantity === 1 ? '' : `× ${item.quantity}`, describeLineDiscount(item)]
    .filter(Boolean)
    .join(' ')

/** Formats a range of days, such as `16/11/2026 to 29/11/2026`. `to` is the day after the last day shown. */
export const describeDayRange = (from: string, to: string): string => {
  const [first, last] = [formatIsoDateAsUk(from), describeLastDay(to)]
  return last === first ? first : `${first} to ${last}`
}

/** Formats the day before `to`, which is the last day of a period. */
export const describeLastDay = (to: string): string =>
  formatIsoDateAsUk(Temporal.PlainDate.from(to).subtract({ days: 1 }).toString())

function sentenceOf({ item, from, to, net }: Omit<CostDifference, 'sentence'>, days: number, ofDays: number): string {
  if (days === 0)
    return `${describeRecurringItem(item)}: ${net < 0 ? 'larger' : 'smaller'} share of the discount, ${describeDayRange(from, to)}`
  const part = days === ofDays ? 'full period' : `${days} of ${ofDays} days`
  return `${describeRecurringItem(item)}: ${part}${net < 0 ? ' credited' : ''}, ${describeDayRange(from, to)}`
}
