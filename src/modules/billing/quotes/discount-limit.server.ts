import { hash } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { author, PROVIDER } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import type { Context } from '#server/engine/types.ts'
import { couponWords } from '../catalogue/coupon-rules.ts'
import { loadQuoteRules } from '../letters/settings.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { discountApproval } from './discount-approval.ts'
import type { QuoteActions } from './facts.server.ts'
import { currentQuoteValues } from './preview.server.ts'
import type { QuoteRow, QuoteValues } from './quote.ts'

/** True if there are finance staff other than these people. */
async function hasOtherApprover(c: Context, not: readonly (string | null | undefined)[]): Promise<boolean> {
  const people = await c.withoutPermissionCheck('look up who can approve').find(user, { isRetired: false })
  return people.some(
    ({ username, roles }) => !not.includes(username) && FINANCE_ROLES.some((role) => roles.includes(role)),
  )
}

/** Next step if nobody else can approve. */
const noApproverMessage = ({ clientId }: Pick<Context, 'clientId'>): string =>
  `Nobody else here can approve it: give somebody else the right ${clientId === PROVIDER ? '“Finance”' : '“Invoicing”'}, or raise the limit in the quote settings.`

interface Discount {
  readonly subtotal: number
  readonly discount: number
  readonly words: string
  /** Fingerprint; equal for the same discount of the same amount. */
  readonly print: string
}

function discountIn({ currency, coupon }: QuoteRow, { totals, couponTerms }: QuoteValues): Discount {
  const { subtotal = 0, discount = 0 } = totals ?? {}
  // The number of times a coupon was used is not part of the approval.
  const { timesRedeemed: _, ...terms } = couponTerms ?? {}
  const print = hash('sha256', JSON.stringify([currency, subtotal, discount, coupon, terms]), 'base64url')
  return { subtotal, discount, words: couponTerms ? couponWords(couponTerms) : '', print }
}

async function isAbove(c: Context, { subtotal, discount }: Discount): Promise<boolean> {
  const { discountLimitPercent, discountLimitAmount } = await loadQuoteRules(c)
  return discount > discountLimitAmount || discount * 100 > subtotal * discountLimitPercent
}

/** Throws 409 for a discount above the limit unless exactly this quote has been approved. */
export async function requireDiscountApproval(c: Context, row: QuoteRow, today: QuoteValues): Promise<void> {
  const given = discountIn(row, today)
  if (!(await isAbove(c, given))) return
  const asked = await c.find(discountApproval, { quote: row.id })
  const same = asked.filter(({ print }) => print === given.print)
  if (same.some(({ state, decidedBy }) => state === 'approved' && decidedBy !== row.createdBy)) return
  const off = `The discount of ${formatMoney(given.discount, row.currency)}`
  const last = same.at(-1)
  if (last?.state === 'waiting')
    throw problem.conflict(`${off} is waiting for approval. The quote was not sent.`, 'approval_needed')
  if (last?.state === 'rejected')
    throw problem.conflict(`${off} was declined: ${last.answer}. The quote was not sent.`, 'approval_needed')
  if (!(await hasOtherApprover(c, [author(c.actor).username, row.createdBy])))
    throw problem.conflict(
      `${off} is above the limit. ${noApproverMessage(c)} The quote was not sent.`,
      'no_second_person',
    )
  throw problem.conflict(
    `${off} is above the limit and needs approval by a second person. Choose “Ask for approval”. The quote was not sent.`,
    'approval_needed',
  )
}

/** Requests approval for the discount of a draft as it is now. Earlier waiting requests are withdrawn. */
export const requestDiscountApproval: QuoteActions['askApproval'] = async (c) => {
  const { row, input } = c
  const given = discountIn(row, await currentQuoteValues(c, c, row))
  if (!(await isAbove(c, given)))
    throw problem.conflict('The discount of this quote is within the limit, so you can send it.')
  const right = c.withoutPermissionCheck('request a discount approval')
  const asked = await c.lockAll(discountApproval, { quote: row.id })
  const same = asked.findLast(({ print }) => print === given.print)
  if (same?.state === 'waiting' || same?.state === 'approved')
    throw problem.conflict(
      same.state === 'waiting'
        ? 'This request is already waiting for approval.'
        : 'This discount is already approved, so you can send the quote.',
    )
  if (!(await hasOtherApprover(c, [author(c.actor).username, row.createdBy])))
    throw problem.conflict(noApproverMessage(c), 'no_second_person')
  for (const one of asked)
    if (one.state === 'waiting')
      await (await right.set(discountApproval, one, { state: 'withdrawn' }, 'withdraw')).saved()
  const { subtotal, discount, words, print } = given
  await right.create(discountApproval, {
    quote: row.id,
    customer: row.customer,
    currency: row.currency,
    subtotal,
    discount,
    couponWords: words,
    print,
    reason: input.reason.trim(),
  })
  return {}
}
