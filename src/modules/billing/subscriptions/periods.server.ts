import { problem, type Violation, violation } from '#kernel/errors.ts'
import { type BillingCycle, billingPeriodOn } from '#kernel/money/periods.ts'
import type { ActionInputOf } from '#kernel/resource.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { earlierDay, formatIsoDateAsUk, laterDay, londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { couponCoversPlan, couponDiscount, couponTermsOn } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { pickLineVat } from '../lines/line-vat.ts'
import { type CatalogueItem, loadPlansAndSkus } from '../lines/lines.server.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import {
  type SUBSCRIPTION_CHANGE_INPUT,
  type SubscriptionAction,
  type SubscriptionChangeKind,
  type subscription,
  subscriptionItem,
} from './subscription.ts'
import {
  type ChargeTerms,
  describeItemChange,
  describeLastDay,
  describeRecurringItem,
  type ItemSegment,
  type ItemTimeline,
  isSameRecurringItem,
  itemsOnDay,
  pausedItemsOn,
  type RecurringItem,
  replaceItemsFrom,
  type ScheduledItemChange,
  scheduledItemChanges,
  splitIntoProratedPeriods,
  toPausedItems,
  toRecurringItem,
} from './timeline.ts'

export type SubscriptionRow = RowOf<typeof subscription>
export type SubscriptionValues = ValuesOf<typeof subscription>
export type SubscriptionItemRow = RowOf<typeof subscriptionItem>
/** A segment of the item timeline, already saved or about to be saved. */
export type StoredItemSegment = ItemSegment & { readonly id?: number }

const day = (iso: string) => Temporal.PlainDate.from(iso)

/** Returns today's date in London, such as `2026-02-28`. */
export const currentLondonIsoDate = ({ now }: Pick<Context, 'now'>): string => londonDate(now).toString()

export const toBillingCycle = ({
  anchor,
  interval,
  intervalCount,
}: Pick<SubscriptionRow, 'anchor' | 'interval' | 'intervalCount'>): BillingCycle => ({
  anchor: day(anchor),
  rhythm: interval,
  count: intervalCount,
})

/** Loads a subscription's saved items, including those that have ended. */
const loadCurrentItems = (
  c: Pick<Context, 'find'>,
  { id }: Pick<SubscriptionRow, 'id'>,
): Promise<SubscriptionItemRow[]> => c.find(subscriptionItem, { subscription: id })

/** Subscription fields that determine how its days are charged. */
type Charged = Pick<
  SubscriptionRow,
  | 'anchor'
  | 'interval'
  | 'intervalCount'
  | 'chargedFrom'
  | 'currentFrom'
  | 'renewsOn'
  | 'currency'
  | 'couponTerms'
  | 'discounted'
>

/**
 * Returns the terms on which the current period is charged. A fixed discount doesn't apply to the days before the first
 * full period.
 */
export function toChargeTerms(row: Charged): ChargeTerms {
  const { currency } = row
  const couponTerms = couponTermsOn(row.couponTerms, row.currentFrom)
  const isBroken = row.currentFrom < row.anchor
  const from = laterDay(row.currentFrom, row.chargedFrom)
  const discount =
    couponTerms && row.discounted && !(isBroken && couponTerms.percentOff === null) ? couponDiscount(couponTerms) : null
  return {
    currency,
    pieces:
      from < row.renewsOn
        ? splitIntoProratedPeriods(toBillingCycle(row), { from: day(from), to: day(row.renewsOn) })
        : [],
    discount,
    covers: (item) => isItemDiscounted(row, item),
  }
}

export const isItemDiscounted = ({ couponTerms }: Pick<SubscriptionRow, 'couponTerms'>, item: RecurringItem): boolean =>
  item.discountable &&
  (!couponTerms || couponCoversPlan(couponTerms, item.plan === null ? undefined : iriOf(plan, item.plan)))

/** Saves the new items. Existing items keep their records, and items that are no longer in the timeline are deleted. */
export async function saveSubscriptionItems(
  c: Context,
  { id }: SubscriptionRow,
  before: readonly SubscriptionItemRow[],
  after: readonly StoredItemSegment[],
): Promise<void> {
  const right = c.withoutPermissionCheck('save a subscription’s items after a change')
  const kept = new Map(after.flatMap((one) => (one.id === undefined ? [] : [[one.id, one]])))
  for (const row of before) {
    const one = kept.get(row.id)
    if (!one) await right.remove(subscriptionItem, row)
    else if (one.until !== row.until) await right.set(subscriptionItem, row, { until: one.until }, 'change')
  }
  for (const { id: known, ...one } of after)
    if (known === undefined) await right.create(subscriptionItem, { ...one, subscription: id })
}

export type SubscriptionChangeInput = ActionInputOf<typeof SUBSCRIPTION_CHANGE_INPUT>

/** Effect of a change, before its amounts are calculated. */
export interface PlannedSubscriptionChange {
  readonly kind: SubscriptionChangeKind
  /** First day on which the change applies. */
  readonly day: string
  readonly sentence: string
  /** Item timeline already charged; empty if the current period has not been charged yet. */
  readonly charged: ItemTimeline
  readonly before: readonly SubscriptionItemRow[]
  readonly after: readonly StoredItemSegment[]
  readonly set: SubscriptionValues
  /** True if the difference is settled now. Otherwise the difference is charged with the first full period. */
  readonly settles: boolean
  /** True if the unused days are not credited. */
  readonly keepsCredit: boolean
}

/** Plans a change. Throws 409 or 422 if the change is impossible, such as pausing before the first charge. */
export async function planSubscriptionChange(
  c: Context,
  row: SubscriptionRow,
  asked: SubscriptionChangeInput,
): Promise<PlannedSubscriptionChange> {
  const before = await loadCurrentItems(c, row)
  const today = currentLondonIsoDate(c)
  assertState(row, asked.way, today)
  const day = earlierDay(today, row.renewsOn)
  const base = {
    kind: asked.way,
    day,
    before,
    charged: row.charged ? before : [],
    after: before,
    set: {},
    settles: row.charged,
    keepsCredit: false,
  }
  const open = itemsOnDay(before, day)
  const next = itemsOnDay(before, row.renewsOn)
  const isScheduled = open.length > 0 && scheduledItemChanges(before, row.renewsOn).length > 0
  switch (asked.way) {
    case 'cancelAtPeriodEnd':
      return {
        ...base,
        after: isScheduled ? replaceItemsFrom(before, row.renewsOn, open) : before,
        set: { cancelAtPeriodEnd: true },
        sentence: `Ends after this period, on ${describeLastDay(row.renewsOn)}.${isScheduled ? ' Changes from the next period are withdrawn.' : ''}`,
      }
    case 'keep':
      return {
        ...base,
        set: { cancelAtPeriodEnd: false, cancelReason: null, cancelNotes: '' },
        sentence: 'Continues after this period.',
      }
    case 'cancelNow': {
      const set = {
        status: 'cancelled',
        endedOn: day,
        cancelledAt: c.now.toString(),
        cancelAtPeriodEnd: false,
        pausedOn: null,
      } as const
      const keepsCredit = asked.credit !== true
      const words =
        row.charged && row.status !== 'paused'
          ? keepsCredit
            ? ' without a credit'
            : ', crediting the unused days'
          : ''
      return {
        ...base,
        after: replaceItemsFrom(before, day, []),
        set,
        settles: true,
        keepsCredit,
        sentence: `Cancelled on ${formatIsoDateAsUk(day)}${words}.`,
      }
    }
    case 'pause': {
      const set = { status: 'paused', pausedOn: day, pausedItems: toPausedItems(before, day, row.renewsOn) } as const
      return {
        ...base,
        after: replaceItemsFrom(before, day, []),
        set,
        sentence: `Paused on ${formatIsoDateAsUk(day)}, crediting the unused days.`,
      }
    }
    case 'resume':
      return resume(base, row, today)
    case 'withdraw': {
      const { items, sentence } = withdrawn(row, before, next, asked)
      return { ...base, after: replaceItemsFrom(before, row.renewsOn, items), settles: false, sentence }
    }
    default: {
      const isLater = asked.when === 'nextPeriod'
      const edit = await itemEdit(c, row, { open, next, isLater }, asked)
      const items = edit.of(next)
      if (isLater)
        return {
          ...base,
          kind: 'scheduled',
          day: row.renewsOn,
          after: replaceItemsFrom(before, row.renewsOn, items),
          settles: false,
          sentence: `From ${formatIsoDateAsUk(row.renewsOn)}: ${describeItemChange(edit)}.`,
        }
      const after = replaceItemsFrom(before, day, edit.of(open))
      return {
        ...base,
        after: isScheduled ? replaceItemsFrom(after, row.renewsOn, items) : after,
        keepsCredit: asked.credit !== true,
        sentence: edit.sentence,
      }
    }
  }
}

/** Returns the items of the next period without a scheduled change. Throws 422 if there is no such change. */
function withdrawn(
  row: SubscriptionRow,
  before: readonly SubscriptionItemRow[],
  next: readonly SubscriptionItemRow[],
  { item }: SubscriptionChangeInput,
): { items: readonly SubscriptionItemRow[]; sentence: string } {
  const change = scheduledItemChanges(before, row.renewsOn).find(
    ({ ends, begins }) => item && (ends?.id === item || begins?.id === item),
  )
  if (!change) throw problem.invalid([violation('item', 'Please choose a change from the next period')])
  const items = [...next.filter((one) => one !== change.begins), ...(change.ends ? [change.ends] : [])]
  if (!items.length)
    throw problem.invalid([violation('item', 'No item would remain. Withdraw the removal of another item first')])
  return {
    items,
    sentence: `Withdrawn, from ${formatIsoDateAsUk(row.renewsOn)}: ${describeItemChange(change)}.`,
  }
}

/** Throws 409 if the subscription's status doesn't allow the action. */
function assertState(row: SubscriptionRow, way: SubscriptionAction, today: string): void {
  const refuse = (sentence: string) => problem.conflict(sentence, 'wrong_state')
  if (row.status === 'cancelled') throw refuse('This subscription is cancelled. Sell a new one instead.')
  if (row.status === 'paused' && way !== 'resume' && way !== 'cancelNow')
    throw refuse('This subscription is paused. Resume it first.')
  if (way === 'resume' && row.status !== 'paused') throw refuse('This subscription is not paused.')
  if (way === 'keep' && !row.cancelAtPeriodEnd)
    throw refuse('This subscription is not set to end, so there is nothing to undo.')
  if (way === 'cancelAtPeriodEnd' && row.cancelAtPeriodEnd)
    throw refuse('This subscription is already set to end after this period.')
  if (way === 'pause' && !row.charged)
    throw refuse('Nothing has been charged for this subscription yet. Change or cancel the subscription instead.')
  if (row.status !== 'paused' && way !== 'cancelNow' && today >= row.renewsOn)
    throw refuse(
      row.lapsedOn !== null
        ? 'This subscription has lapsed: the next period will be invoiced once the amount due is paid. Wait for the payment, or cancel the subscription.'
        : 'The next period of this subscription has started but is not invoiced yet. The billing run must invoice it first.',
    )
}

function resume(
  base: Omit<PlannedSubscriptionChange, 'sentence'>,
  row: SubscriptionRow,
  today: string,
): PlannedSubscriptionChange {
  const sentence = `Resumed on ${formatIsoDateAsUk(today)}.`
  const back = { status: row.pastDueOn === null ? 'active' : 'past_due', pausedOn: null, pausedItems: null } as const
  const after = replaceItemsFrom(base.before, today, pausedItemsOn(row.pausedItems ?? [], today))
  if (today < row.renewsOn) {
    const next = replaceItemsFrom(after, row.renewsOn, pausedItemsOn(row.pausedItems ?? [], row.renewsOn))
    return { ...base, day: today, after: next, set: back, sentence, settles: true }
  }
  const { from, to } = billingPeriodOn(toBillingCycle(row), Temporal.PlainDate.from(today))
  const left = row.couponPeriodsLeft
  const discounted = row.couponTerms !== null && left !== 0
  const period = {
    currentFrom: from.toString(),
    renewsOn: to.toString(),
    charged: true,
    discounted,
    couponPeriodsLeft: left === null || !discounted ? left : left - 1,
  }
  return { ...base, day: today, charged: [], after, set: { ...back, ...period }, sentence, settles: true }
}

interface ItemEdit extends ScheduledItemChange<RecurringItem> {
  readonly sentence: string
  /** Returns a list of items with the edit. */
  of(items: readonly SubscriptionItemRow[]): readonly RecurringItem[]
}

interface EditableItems {
  readonly open: readonly SubscriptionItemRow[]
  readonly next: readonly SubscriptionItemRow[]
  readonly isLater: boolean
}

/** Returns what a change does to the items, with a sentence. Throws 409 or 422 for an invalid change. */
async function itemEdit(
  c: Context,
  row: SubscriptionRow,
  { open, next, isLater }: EditableItems,
  { way, item, plan, quantity }: SubscriptionChangeInput,
): Promise<ItemEdit> {
  const from = formatIsoDateAsUk(row.renewsOn)
  if (isLater && row.cancelAtPeriodEnd)
    throw problem.conflict(
      `This subscription ends after this period, so nothing can change from ${from}. Keep the subscription first.`,
      'wrong_state',
    )
  const chosen = open.find((one) => one.id === item)
  const wrong: Violation[] = []
  if (way !== 'add' && !chosen) wrong.push(violation('item', 'Please choose one of the current items'))
  if (chosen && way !== 'add' && !next.includes(chosen))
    wrong.push(violation('item', `This item already changes on ${from}. Withdraw that change first`))
  if (way === 'quantity' && !quantity) wrong.push(violation('quantity', 'Please enter the new quantity'))
  const found = way === 'add' || way === 'swap' ? await planFor(c, row, plan) : undefined
  if (typeof found === 'string') wrong.push(violation('plan', found))
  const article = typeof found === 'object' ? found : undefined
  const others = (isLater ? next : [...open, ...next]).filter((one) => way === 'add' || one !== chosen)
  if (article && others.some((one) => one.plan === article.id))
    wrong.push(violation('plan', `“${article.name}” is already included. Change the quantity instead`))
  if (wrong.length) throw problem.invalid(wrong)
  if (way === 'add' && article) {
    const begins = itemFrom(article, quantity ?? 1)
    return { begins, of: (items) => [...items, begins], sentence: `${describeRecurringItem(begins)} added.` }
  }
  if (!chosen) throw problem.invalid([violation('item', 'Please choose an item')])
  const rest = (items: readonly SubscriptionItemRow[]) => items.filter((one) => one !== chosen)
  if (way === 'remove') {
    if (!rest(next).length || !(isLater || rest(open).length))
      throw problem.invalid([violation('item', 'This is the only item. Cancel the subscription instead')])
    return { ends: chosen, of: rest, sentence: `${describeRecurringItem(chosen)} removed.` }
  }
  const begins = article
    ? itemFrom(article, quantity ?? chosen.quantity)
    : { ...toRecurringItem(chosen), quantity: quantity ?? chosen.quantity }
  if (isSameRecurringItem(begins, chosen))
    throw problem.invalid([
      article
        ? violation('plan', 'Nothing would change. Choose a different plan or quantity')
        : violation('quantity', 'This is the current quantity. Enter a different quantity'),
    ])
  const sentence = article
    ? `${describeRecurringItem(chosen)} switched to ${describeRecurringItem(begins)}.`
    : `${describeRecurringItem(chosen)}: quantity is now ${begins.quantity}.`
  return { ends: chosen, begins, of: (items) => [...rest(items), begins], sentence }
}

/** Returns the plan if it fits this subscription, or the reason why it doesn't. */
async function planFor(
  c: Context,
  row: SubscriptionRow,
  id: number | null | undefined,
): Promise<CatalogueItem | string> {
  const article = id ? (await loadPlansAndSkus(c, [{ plan: id, sku: null }])).plan.get(id) : undefined
  if (!article) return 'Please choose a plan'
  if (article.notSold) return article.notSold
  if (article.currency !== row.currency)
    return `“${article.name}” is in ${article.currency}, but this subscription is in ${row.currency}`
  if (article.interval !== row.interval || article.intervalCount !== row.intervalCount)
    return `“${article.name}” is billed ${describeBillingInterval(article.interval ?? '', article.intervalCount)}, but this subscription is billed ${describeBillingInterval(row.interval, row.intervalCount)}. Sell the plan with a quote, which creates a separate subscription`
  return article
}

const itemFrom = (article: CatalogueItem, quantity: number): RecurringItem => ({
  plan: article.id,
  product: article.product,
  description: article.name,
  amount: article.amount,
  quantity,
  // The percentage comes from the VAT rate table.
  ...pickLineVat({ taxCode: article.taxCode }),
  discountable: true,
})
