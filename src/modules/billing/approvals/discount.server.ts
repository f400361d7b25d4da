import { hash } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import { isSamePerson } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { billingUrls } from '../billing-urls.ts'
import { loadQuoteSettings } from '../emails/emails.server.ts'
import { isDiscountAboveLimit } from '../emails/settings.ts'
import { describeQuoteDiscount, type MeasuredDiscount, measureDiscount } from '../lines/line.ts'
import { allQuoteLines } from '../lines/lines.ts'
import { billingNav } from '../nav.ts'
import { discountApproval, type QuoteRow, type QuoteValues, quote } from '../quotes/quote.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'

interface Discount extends MeasuredDiscount {
  readonly words: string
  /** Fingerprint of a discount. It is the same for the same customer, terms, amounts and lines. */
  readonly print: string
}

export function discountIn(row: QuoteRow, { totals, couponTerms }: QuoteValues, now: Instant): Discount {
  const { currency, taxPercent, billingCycleAnchor, prorate } = row
  const start = { today: londonDate(now).toString(), billingCycleAnchor, prorate }
  const measured = measureDiscount({
    currency,
    taxPercent,
    lines: allQuoteLines(row),
    coupon: couponTerms ?? null,
    start,
  })
  // An approval does not cover the use count of a coupon.
  const { timesRedeemed: _, ...terms } = couponTerms ?? {}
  const lines = allQuoteLines(row).filter((line) => line.discountPercent)
  const sold = allQuoteLines(row).map((l) => [
    l.plan,
    l.sku,
    l.description,
    l.quantity,
    l.unitAmount,
    l.discountPercent,
    l.interval,
    l.intervalCount,
  ])
  const { discount = 0, subtotal = 0, lineDiscount = 0 } = totals ?? {}
  const sums = [subtotal + lineDiscount, discount + lineDiscount]
  // Approvals of quotes whose billing starts on acceptance keep the fingerprint of earlier versions.
  const starts = billingCycleAnchor === null ? [] : [billingCycleAnchor, prorate]
  const whole = [row.customer, row.currency, ...sums, row.coupon, terms, sold, ...starts]
  const words = [
    couponTerms && totals ? describeQuoteDiscount(couponTerms, totals) : '',
    describeLineDiscounts(lines.map((line) => line.discountPercent ?? 0)),
  ]
  return {
    ...measured,
    words: words.filter(Boolean).join(', '),
    print: hash('sha256', JSON.stringify(whole), 'base64url'),
  }
}

/** Describes the discounts of lines, such as `10% to 25% off 3 lines`; empty if there are none. */
function describeLineDiscounts(percents: readonly number[]): string {
  if (!percents.length) return ''
  const [least, most] = [Math.min(...percents), Math.max(...percents)]
  const off = least === most ? `${most}%` : `${least}% to ${most}%`
  return `${off} off ${percents.length} ${percents.length === 1 ? 'line' : 'lines'}`
}

export const isDiscountAbove = async (c: RecordReader, discount: Discount): Promise<boolean> =>
  isDiscountAboveLimit(discount, await loadQuoteSettings(c))

/**
 * Returns whether a quote's current discount needs approval, and the state of its latest request; `null` for a discount
 * within the limit.
 */
export async function discountApprovalState(c: RecordReader, row: QuoteRow, today: QuoteValues, now: Instant) {
  const given = discountIn(row, today, now)
  const { discountLimitPercent: limitPercent, discountLimitAmount: limitAmount } = await loadQuoteSettings(c)
  if (!(await isDiscountAbove(c, given))) return null
  const asked = (await c.find(discountApproval, { quote: row.id })).filter(({ print }) => print === given.print)
  const approved = asked.find(({ state, decidedBy }) => state === 'approved' && decidedBy !== row.createdBy)
  const last = approved ?? asked.at(-1)
  const known = last && (last.state === 'waiting' || last.state === 'rejected' || last === approved) ? last : undefined
  return {
    state: known?.state ?? 'needed',
    discount: given.discount,
    isRecurring: given.isRecurring,
    limitPercent,
    limitAmount,
    request: known ? iriOf(discountApproval, known.id) : null,
    author: known?.author ?? '',
    since: known?.createdAt ?? null,
    answer: known?.answer ?? '',
  }
}

const discountWaitingNotification = declareNotificationType({
  kind: 'discount.waiting',
  label: 'Discounts to approve',
  for: FINANCE_ROLES,
  icon: 'check',
  of: discountApproval,
  words: ({ quote: of, discount, currency }) =>
    `Discount awaiting approval: ${formatMoney(discount, currency)} off ${of.reference}${of.company && ` for ${of.company}`}`,
  path: (_, __, { clientId }) => billingUrls(clientId).approvals,
  waits: billingNav.approvals.area,
  todo: 'to approve',
  mail: true,
})

const DECISIONS: Readonly<Record<string, string>> = { approved: 'approved', rejected: 'declined' }

const discountDecidedNotification = declareNotificationType({
  kind: 'discount.decided',
  label: 'Decisions on discounts you requested',
  for: SELLING_ROLES,
  icon: 'check',
  of: discountApproval,
  words: ({ quote: of, state, answer }) =>
    `Discount on ${of.reference} ${DECISIONS[state] ?? 'decided'}${answer && `: ${answer}`}`,
  path: ({ quote: of }, _, { clientId }) => billingUrls(clientId).quote(of.id),
  mail: false,
})

export const discountNotifications = [discountWaitingNotification, discountDecidedNotification]

export const notifyDiscountApprovers = (
  c: Context,
  id: number,
  approvers: readonly Pick<RowOf<typeof user>, 'id'>[],
): Promise<void> =>
  notifyUsers(
    c,
    discountWaitingNotification,
    approvers.map((one) => ({ to: one.id, about: id })),
  )

/**
 * Decides a discount request and notifies the requester. Throws 403 if the user made the request or wrote the quote.
 */
async function decide(c: Context, of: RowOf<typeof discountApproval>) {
  const decidedBy = authorOf(c.actor).username
  const written = await c.get(quote, of.quote)
  if (await isSamePerson(c, [of.author, written?.createdBy]))
    throw problem.forbidden(
      'A discount must be approved by somebody other than the person who requested approval or wrote the quote.',
    )
  const [requester] = await c
    .withoutPermissionCheck('notify the requester of a discount')
    .find(user, { username: of.author, isRetired: false })
  if (requester) await notifyUsers(c, discountDecidedNotification, [{ to: requester.id, about: of.id }])
  return { decidedBy, decidedAt: c.now.toString() }
}

export const discountApprovalBehaviour = behaviour(discountApproval, {
  actions: {
    approve: async (c) => ({ set: { ...(await decide(c, c.row)), state: 'approved' as const } }),
    reject: async (c) => ({
      set: { ...(await decide(c, c.row)), state: 'rejected' as const, answer: c.input.reason.trim() },
    }),
  },
})
