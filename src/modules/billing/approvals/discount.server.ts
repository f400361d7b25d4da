import { hash } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, type Instant, londonDate } from '#kernel/time.ts'
import { isSamePerson } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { billingUrls } from '../billing-urls.ts'
import { loadQuoteSettings } from '../emails/emails.server.ts'
import { isDiscountAboveLimit } from '../emails/settings.ts'
import { type MeasuredDiscount, measureDiscount } from '../lines/line.ts'
import { allQuoteLines } from '../lines/lines.ts'
import { describeMeasuredDiscount, describeQuoteDiscount } from '../lines/payment-words.ts'
import { billingNav } from '../nav.ts'
import { discountApproval, type QuoteRow, type QuoteValues, quote } from '../quotes/quote.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { describeMissingApprover, findApprovers } from './money-limit.server.ts'

/** A discount of a quote, or of a subscription sold with it. */
export interface Discount extends MeasuredDiscount {
  readonly words: string
  /** Fingerprint of a discount. It is the same for the same customer, terms, amounts and lines. */
  readonly print: string
}

/** A quote whose discount is approved, or whose subscription is changed. */
type DiscountedQuote = Pick<QuoteRow, 'id' | 'customer' | 'currency' | 'createdBy' | 'pricedBy'>

/** Returns the usernames of a quote's author and of the people who priced it. They can't approve its discount. */
const sellersOf = ({ createdBy, pricedBy }: Pick<QuoteRow, 'createdBy' | 'pricedBy'>): string[] => [
  createdBy,
  ...pricedBy,
]

export const fingerprintDiscount = (whole: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(whole), 'base64url')

export function discountIn(row: QuoteRow, { totals, couponTerms }: QuoteValues, now: Instant): Discount {
  const { currency, billingCycleAnchor, prorate } = row
  const start = { today: londonDate(now).toString(), billingCycleAnchor, prorate }
  const lines = allQuoteLines(row)
  const measured = measureDiscount({ currency, lines, coupon: couponTerms ?? null, start })
  // The use count of a coupon is not part of an approval.
  const { timesRedeemed: _, ...terms } = couponTerms ?? {}
  const sold = lines.map((l) => [
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
  // Approvals of quotes whose billing starts on acceptance have the same fingerprint as in earlier versions.
  const starts = billingCycleAnchor === null ? [] : [billingCycleAnchor, prorate]
  return {
    ...measured,
    words: describeDiscounts(
      couponTerms && totals ? describeQuoteDiscount(couponTerms, totals) : '',
      lines,
      billingCycleAnchor === null || prorate
        ? null
        : londonDate(Temporal.Instant.fromEpochMilliseconds(billingCycleAnchor * 1000)).toString(),
    ),
    print: fingerprintDiscount([row.customer, row.currency, ...sums, row.coupon, terms, sold, ...starts]),
  }
}

/** Describes discounts, such as `50% off every payment, 10% off 2 lines, free until billing starts on 01/02/2027`. */
export function describeDiscounts(
  coupon: string,
  lines: readonly { readonly discountPercent?: number | null }[],
  chargedFrom: string | null,
): string {
  const percents = lines.flatMap(({ discountPercent }) => discountPercent || [])
  const free = chargedFrom === null ? '' : `free until billing starts on ${formatIsoDateAsUk(chargedFrom)}`
  return [coupon, describeLineDiscounts(percents), free].filter(Boolean).join(', ')
}

/** Describes the discounts of lines, such as `10% to 25% off 3 lines`; empty if there are none. */
function describeLineDiscounts(percents: readonly number[]): string {
  if (!percents.length) return ''
  const [least, most] = [Math.min(...percents), Math.max(...percents)]
  const off = least === most ? `${most}%` : `${least}% to ${most}%`
  return `${off} off ${percents.length} ${percents.length === 1 ? 'line' : 'lines'}`
}

const isDiscountAbove = async (c: RecordReader, discount: Discount): Promise<boolean> =>
  isDiscountAboveLimit(discount, await loadQuoteSettings(c))

/** Returns whether a discount needs approval, and the state of its latest request; `null` for one within the limit. */
export async function loadDiscountApprovalState(c: RecordReader, of: DiscountedQuote, given: Discount) {
  const { discountLimitPercent: limitPercent, discountLimitAmount: limitAmount } = await loadQuoteSettings(c)
  if (!(await isDiscountAbove(c, given))) return null
  const asked = (await c.find(discountApproval, { quote: of.id })).filter(({ print }) => print === given.print)
  const approved = asked.find(({ state, decidedBy }) => state === 'approved' && !sellersOf(of).includes(decidedBy))
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

/**
 * Throws 409 for a discount above the limit, unless exactly this discount has been approved. `undone` ends the message,
 * such as `The quote was not sent.`
 */
export async function requireDiscountApproval(
  c: Context,
  of: DiscountedQuote,
  given: Discount,
  undone: string,
): Promise<void> {
  const approval = await loadDiscountApprovalState(c, of, given)
  if (!approval || approval.state === 'approved') return
  const off = `The discount of ${describeMeasuredDiscount(given, of.currency)}`
  if (approval.state === 'waiting')
    throw problem.conflict(`${off} is waiting for approval. ${undone}`, 'approval_needed')
  if (approval.state === 'rejected')
    throw problem.conflict(`${off} was declined: ${approval.answer}. ${undone}`, 'approval_needed')
  if (!(await findApprovers(c, [authorOf(c.actor).username, ...sellersOf(of)])).length)
    throw problem.conflict(
      `${off} is above the limit. ${describeMissingApprover(c, 'discount', 'quote')} ${undone}`,
      'no_second_person',
    )
  throw problem.conflict(
    `${off} is above the limit and needs a second person’s approval. Choose “Request approval”. ${undone}`,
    'approval_needed',
  )
}

/** Maximum length of the description of a discount. */
const MAX_WORDS_LENGTH = 255

/**
 * Requests approval of a discount. Earlier requests of the same quote that are still waiting are withdrawn. Throws 409
 * if no approval is needed or the same discount is already waiting for approval or approved. `next` names the step
 * after an approval, such as `send the quote`.
 */
export async function requestDiscountApproval(
  c: Context,
  of: DiscountedQuote,
  given: Discount,
  { reason, next }: { readonly reason: string; readonly next: string },
): Promise<void> {
  if (!(await isDiscountAbove(c, given)))
    throw problem.conflict(`The discount is within the limit, so you can ${next}.`)
  const right = c.withoutPermissionCheck('request a discount approval')
  const asked = await c.lockAll(discountApproval, { quote: of.id })
  const same = asked.findLast(({ print }) => print === given.print)
  if (same?.state === 'waiting' || same?.state === 'approved')
    throw problem.conflict(
      same.state === 'waiting'
        ? 'This request is already waiting for approval.'
        : `This discount is already approved, so you can ${next}.`,
    )
  const approvers = await findApprovers(c, [authorOf(c.actor).username, ...sellersOf(of)])
  if (!approvers.length) throw problem.conflict(describeMissingApprover(c, 'discount', 'quote'), 'no_second_person')
  for (const one of asked)
    if (one.state === 'waiting')
      await (await right.set(discountApproval, one, { state: 'withdrawn' }, 'withdraw')).saved()
  const { subtotal, discount, words, print } = given
  const made = await right.create(discountApproval, {
    quote: of.id,
    customer: of.customer,
    currency: of.currency,
    subtotal,
    discount,
    couponWords: words.slice(0, MAX_WORDS_LENGTH),
    print,
    reason: reason.trim(),
  })
  await notifyDiscountApprovers(c, (await made.saved()).id, approvers)
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

const notifyDiscountApprovers = (
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
 * Decides a discount request and notifies the requester. Throws 403 if the user made the request, or created or priced
 * the quote.
 */
async function decide(c: Context, of: RowOf<typeof discountApproval>) {
  const decidedBy = authorOf(c.actor).username
  const written = await c.get(quote, of.quote)
  if (await isSamePerson(c, [of.author, ...(written ? sellersOf(written) : [])]))
    throw problem.forbidden(
      'A discount must be approved by somebody other than the person who requested approval, wrote the quote or entered its prices.',
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
