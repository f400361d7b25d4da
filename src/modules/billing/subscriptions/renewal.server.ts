import { findBillingPeriodNumber, nthBillingPeriod } from '#kernel/money/periods.ts'
import { formatMoney } from '#kernel/money.ts'
import { calculateLineAmount } from '#kernel/money-totals.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { formatUkDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { couponDiscount, couponTermsOn } from '../catalogue/coupon-rules.ts'
import { customer } from '../customers/customer.ts'
import { computeInvoiceTotals } from '../invoices/amounts.ts'
import type { InvoiceDraftInput, InvoiceDraftLine } from '../invoices/issue.server.ts'
import { isInvoiceLineDiscounted } from '../invoices/issue.server.ts'
import { pickLineVat } from '../lines/line-vat.ts'
import { UPCOMING_INVOICE_COUNT, type UpcomingInvoice, type UpcomingInvoices } from '../lines/lines.ts'
import type { QuoteRow } from '../quotes/quote.ts'
import { subscriptionsChanged } from './events.ts'
import {
  currentLondonIsoDate,
  isItemDiscounted,
  type StoredItemSegment,
  type SubscriptionItemRow,
  type SubscriptionRow,
  type SubscriptionValues,
  saveSubscriptionItems,
  toBillingCycle,
  toChargeTerms,
} from './periods.server.ts'
import { findDuePriceNotices, type PriceNoticeRow } from './price-notice.server.ts'
import {
  billingAnchorFor,
  couponTermsForLines,
  createAndIssueInvoices,
  firstInvoiceLines,
  initialSubscriptionValues,
  readSignedQuote,
  toSubscriptionItem,
} from './sell.server.ts'
import { priceNotice, subscription, subscriptionChange, subscriptionItem } from './subscription.ts'
import {
  calculateSegmentCosts,
  combineLinePeriods,
  describeDayRange,
  describeLastDay,
  describeRecurringItem,
  fullPeriodAmount,
  itemsOnDay,
  type RecurringItem,
  replaceItemsFrom,
  toBillingPeriod,
  toRecurringItem,
} from './timeline.ts'

const RENEWAL_REASON = 'renew a subscription under its terms'

/** A subscription whose next period has started. */
export interface DueRenewal {
  readonly row: SubscriptionRow
  readonly before: readonly SubscriptionItemRow[]
  readonly after: readonly StoredItemSegment[]
  readonly set: SubscriptionValues
  readonly lines: readonly InvoiceDraftLine[]
  readonly coupon: CouponTerms | null
  /** Notices of new prices that apply from this period. */
  readonly notices: readonly PriceNoticeRow[]
}

/**
 * Statuses that are renewed automatically. Lapsed subscriptions are not renewed, because they wait until they are paid
 * or ended.
 */
export const RENEWABLE_STATUSES = ['trialing', 'active', 'past_due'] as const
const isInvoicedOn = (row: SubscriptionRow): boolean => row.lapsedOn === null || row.cancelAtPeriodEnd

/** Returns the SQL condition for subscriptions to renew, for the given table alias. */
export const renewableSubscriptionSql = (of: string): string =>
  `${of}.status IN ('${RENEWABLE_STATUSES.join("', '")}') AND (${of}.lapsed_on IS NULL OR ${of}.cancel_at_period_end)`

/**
 * Invoices all due periods of customers, one period at a time, with one invoice per customer. Subscriptions with
 * another discount, currency or purchase order get a separate invoice. Idempotent. Returns the number of invoiced
 * periods.
 */
export async function renewCustomerSubscriptions(
  c: Context,
  customers: readonly number[],
  { letter = true } = {},
): Promise<number> {
  let periods = 0
  const renewed = new Set<number>()
  for (let left = [...customers]; left.length; ) {
    const today = currentLondonIsoDate(c)
    const rows = await c.lockAll(subscription, { customer: left, status: [...RENEWABLE_STATUSES] })
    const due = rows.filter((row) => row.renewsOn <= today && isInvoicedOn(row))
    const first = (id: number) => due.flatMap((row) => (row.customer === id ? [row.renewsOn] : [])).toSorted()[0]
    const firsts = new Map(left.map((id) => [id, first(id)]))
    const now = due.filter((row) => row.renewsOn === firsts.get(row.customer))
    if (!now.length) break
    const items = Map.groupBy(
      await c.find(subscriptionItem, { subscription: now.map((row) => row.id) }),
      (item) => item.subscription,
    )
    const notices = await findDuePriceNotices(c, now)
    const next = now.map((row) => nextRenewalOf(c, row, items.get(row.id) ?? [], notices))
    const of = Map.groupBy(next, ({ row }) => row.customer)
    await billTogether(c, [...of.values()].flatMap(groupByInvoice), letter)
    periods += now.length
    for (const id of of.keys()) renewed.add(id)
    const more = [
      ...due.filter((row) => !now.includes(row)),
      ...next.flatMap(({ row, set }) => ((set.renewsOn ?? today) <= today && !set.endedOn ? [row] : [])),
    ]
    left = left.filter((id) => more.some((row) => row.customer === id))
  }
  // Customers that are not linked to a client have no applications.
  for (const id of renewed)
    if ((await c.withoutPermissionCheck(RENEWAL_REASON).lock(customer, id)).client !== null)
      await c.emit(subscriptionsChanged, { customer: id })
  return periods
}

/** Returns a subscription's next step: its end, if the subscription is set to end; otherwise, another period. */
export function nextRenewalOf(
  c: Pick<Context, 'now'>,
  row: SubscriptionRow,
  before: readonly SubscriptionItemRow[],
  due: readonly PriceNoticeRow[] = [],
): DueRenewal {
  const ends = row.renewsOn
  const left = row.charged ? [] : linesFor(row, before)
  if (row.cancelAtPeriodEnd) {
    const set = { status: 'cancelled', endedOn: ends, cancelledAt: c.now.toString(), cancelAtPeriodEnd: false } as const
    return {
      row,
      before,
      after: replaceItemsFrom(before, ends, []),
      set,
      lines: left,
      coupon: left.length && row.discounted ? row.couponTerms : null,
      notices: [],
    }
  }
  const items = itemsOnDay(before, ends)
  const notices = due.filter((one) => one.subscription === row.id)
  const noticeOf = (item: RecurringItem) =>
    notices.find((one) => one.plan === item.plan && one.formerAmount === item.amount && !item.keepsPrice)
  // The signed price continues to apply, unless the customer was notified of a new one.
  const priced = items.map((item) => {
    const notice = noticeOf(item)
    return notice ? { ...toRecurringItem(item), amount: notice.amount } : toRecurringItem(item)
  })
  const applied = items.flatMap((item) => noticeOf(item) ?? [])
  const isPriced = priced.some((one, n) => one.amount !== items[n]?.amount)
  const after = isPriced ? replaceItemsFrom(before, ends, priced) : before
  const period = nthBillingPeriod(
    toBillingCycle(row),
    findBillingPeriodNumber(toBillingCycle(row), Temporal.PlainDate.from(ends)),
  )
  const periodsLeft = row.couponPeriodsLeft
  const discounted = row.couponTerms !== null && periodsLeft !== 0
  const set: SubscriptionValues = {
    currentFrom: ends,
    renewsOn: period.to.toString(),
    charged: true,
    discounted,
    couponPeriodsLeft: periodsLeft === null || !discounted ? periodsLeft : periodsLeft - 1,
    amount: fullPeriodAmount(after, ends),
    ...(row.status === 'trialing' ? { status: 'active' } : {}),
  }
  const whole = itemsOnDay(after, ends).map((item): InvoiceDraftLine => {
    const { plan, product, description, quantity, amount, discountPercent } = item
    const discountable = discounted && isItemDiscounted(row, item)
    const price = { quantity, unitAmount: amount, discountPercent: discountPercent ?? null }
    return { plan, product, description, ...price, ...pickLineVat(item), discountable, period }
  })
  return {
    row,
    before,
    after,
    set,
    lines: [...left, ...whole],
    coupon: discounted ? couponTermsOn(row.couponTerms, ends) : null,
    notices: applied,
  }
}

/**
 * Returns the invoice lines for the days before the first full period, which are charged by the day if they have not
 * been charged yet. Fixed discounts apply to full periods only.
 */
function linesFor(row: SubscriptionRow, items: readonly SubscriptionItemRow[]): InvoiceDraftLine[] {
  const percent = row.discounted && row.couponTerms?.percentOff != null
  return calculateSegmentCosts(items, { ...toChargeTerms(row), discount: null }).flatMap(
    ({ item, from, to, days, ofDays, amount }) =>
      amount === 0
        ? []
        : [
            {
              plan: item.plan,
              product: item.product,
              description: `${describeRecurringItem(item)}: ${days} of ${ofDays} days, ${describeDayRange(from, to)}`,
              quantity: 1,
              unitAmount: amount,
              ...pickLineVat(item),
              discountable: percent && isItemDiscounted(row, item),
              period: toBillingPeriod(from, to),
            },
          ],
  )
}

/** Groups renewals by invoice. Each invoice has one currency and purchase order, and at most one discount. */
function groupByInvoice(next: readonly DueRenewal[]): DueRenewal[][] {
  const groups: DueRenewal[][] = []
  const name = ({ row }: DueRenewal) => `${row.currency} ${row.poNumber}`
  for (const one of next) {
    const group = groups.find(
      (g) => g[0] && name(g[0]) === name(one) && (!one.coupon || g.every((other) => !other.coupon)),
    )
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups
}

async function billTogether(c: Context, groups: readonly (readonly DueRenewal[])[], letter: boolean): Promise<void> {
  const asked = groups.flatMap((group) => {
    const draft = draftOf(group)
    return draft ? [{ group, draft }] : []
  })
  const invoices = await createAndIssueInvoices(
    c,
    asked.map(({ draft }) => draft),
    { letter },
  )
  const billed = new Map(asked.map(({ group }, n) => [group, invoices[n]]))
  const right = c.withoutPermissionCheck(RENEWAL_REASON)
  const all = groups.flatMap((group) => group.map((one) => ({ ...one, invoice: billed.get(group)?.id ?? null })))
  for (const { row, before, after } of all) await saveSubscriptionItems(c, row, before, after)
  await settleAll(
    right.createAll(
      subscriptionChange,
      all.map(({ row, set, lines: own, notices, invoice }) => ({
        subscription: row.id,
        kind: set.status === 'cancelled' ? 'ended' : 'renewed',
        day: row.renewsOn,
        description:
          set.status === 'cancelled'
            ? `Ended after the last period, on ${describeLastDay(row.renewsOn)}.`
            : `Renewed, ${describeDayRange(row.renewsOn, set.renewsOn ?? row.renewsOn)}.${notices.map(describeAppliedNotice).join('')}`,
        lines: [],
        net: own.reduce((sum, l) => sum + calculateLineAmount(l), 0),
        invoice: own.length ? invoice : null,
        ...(set.status === 'cancelled' ? { reason: row.cancelReason, notes: row.cancelNotes } : {}),
      })),
    ),
    right.setAll(
      priceNotice,
      all.flatMap(({ notices }) => notices.map((row) => ({ row, values: { state: 'applied' as const } }))),
      'apply',
    ),
    right.setAll(
      subscription,
      all.map(({ row, set }) => ({ row, values: set })),
      'renew',
    ),
  )
}

const describeAppliedNotice = ({ description, formerAmount, amount, currency, createdAt }: PriceNoticeRow) =>
  ` ${description}: ${formatMoney(formerAmount, currency)} → ${formatMoney(amount, currency)}, notified on ${formatUkDate(Temporal.Instant.from(createdAt))}.`

/** Returns the draft invoice for a group, or undefined if nothing is charged. */
function draftOf(group: readonly DueRenewal[]): InvoiceDraftInput | undefined {
  const lines = group.flatMap((one) => one.lines)
  const [first] = group
  if (!first || !lines.length) return undefined
  return {
    customer: first.row.customer,
    currency: first.row.currency,
    origin: 'subscription',
    subscription: group.length === 1 ? first.row.id : null,
    poNumber: first.row.poNumber,
    coupon: group.find((one) => one.coupon)?.coupon ?? null,
    lines,
    ...combineLinePeriods(lines),
  }
}

/** Maximum number of periods searched for the next charge. Some periods are free of charge. */
const FURTHEST = 60

type Virtual = { readonly row: SubscriptionRow; readonly items: readonly SubscriptionItemRow[] }

/** Returns a quote's first invoices, as acceptance today and later billing runs would create them. */
export function forecastInvoices(
  c: Pick<Context, 'now'>,
  row: QuoteRow,
  count: number = UPCOMING_INVOICE_COUNT,
): UpcomingInvoices {
  const start = currentLondonIsoDate(c)
  const anchor = billingAnchorFor(row, start)
  const isLater = anchor > start
  const signed = readSignedQuote(row)
  const now = signed.lines.filter(({ line }) => !(isLater && line.interval))
  const coupon = isLater ? couponTermsForLines(row.couponTerms, now) : row.couponTerms
  const first = now.length ? [invoiceOf(row, start, firstInvoiceLines(row, now, anchor), coupon)] : []
  let subscriptions = signed.intervals.map((interval, n): Virtual => {
    const items = interval.lines.map(({ line }) => toSubscriptionItem(line, row, null))
    return {
      row: {
        ...initialSubscriptionValues(row, items, interval, { start, anchor, isLater }),
        id: n,
        cancelAtPeriodEnd: false,
        poNumber: '',
      } as SubscriptionRow,
      items: items.map(
        (item) => ({ ...item, id: n, subscription: n, from: start, until: null }) as unknown as SubscriptionItemRow,
      ),
    }
  })
  const later: UpcomingInvoice[] = []
  for (let n = 0; n < FURTHEST && subscriptions.length && first.length + later.length < count; n++) {
    const [day] = subscriptions.map((one) => one.row.renewsOn).toSorted()
    if (!day) break
    const due = subscriptions.filter((one) => one.row.renewsOn === day)
    const next = due.map((one) => nextRenewalOf(c, one.row, one.items))
    for (const together of groupByInvoice(next)) {
      const lines = together.flatMap((one) => one.lines)
      if (lines.length) later.push(invoiceOf(row, day, lines, together.find((one) => one.coupon)?.coupon ?? null))
    }
    subscriptions = subscriptions.map((one) => {
      const moved = next.find((of) => of.row === one.row)
      return moved ? { row: { ...one.row, ...moved.set } as SubscriptionRow, items: moved.after.map(asRow) } : one
    })
  }
  return { accepted: start, invoices: [...first, ...later].slice(0, count) }
}

const asRow = (kept: StoredItemSegment) => kept as unknown as SubscriptionItemRow

function invoiceOf(
  { currency }: QuoteRow,
  day: string,
  lines: readonly InvoiceDraftLine[],
  coupon: CouponTerms | null,
): UpcomingInvoice {
  const off = coupon ? couponDiscount(coupon) : {}
  const { net, tax, gross } = computeInvoiceTotals(
    {
      currency,
      percentOff: 'percentOff' in off ? Number(off.percentOff) || null : null,
      amountOff: 'amountOff' in off ? Number(off.amountOff) || null : null,
    },
    lines.map((line) => ({ ...line, discountable: isInvoiceLineDiscounted({ coupon }, line) })),
  )
  const words = lines.map(({ description, quantity }) =>
    quantity === 1 ? description : `${description} × ${quantity}`,
  )
  return { day, words: words.join(', '), net, tax, total: gross }
}
