import { problem, violation } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { lastMinute, londonDate } from '#kernel/time.ts'
import { noteQuoteSent } from '#rooms/crm/offers.server.ts'
import { whyNot } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { couponTerms } from '../catalogue/redeem.server.ts'
import { factsOf } from '../letters/letter.server.ts'
import { quoteMail } from '../letters/mail.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { catalogueOf } from '../lines/catalogue.server.ts'
import { staleLines } from '../lines/lines.server.ts'
import { allLines } from '../lines/lines.ts'
import { paymentsWords } from '../lines/sum.ts'
import { supplierOf } from '../paper/supplier.server.ts'
import { isOwnCoupon, type QuoteActions, type QuoteValues, totalsOf } from './facts.server.ts'
import { post } from './letters.server.ts'
import { quote } from './quote.ts'
import { statusOf } from './status.ts'

type Call = Parameters<QuoteActions['send']>[0]

/**
 * Sends a draft: checks it against today's catalogue, freezes prices, coupon and totals, puts the letter into the outbox, and
 * takes the revision that it replaces out of the customer's reach.
 */
export const send: QuoteActions['send'] = async (c) => {
  const { row } = c
  const set = { ...(await checkedValues(c)), status: statusOf('open'), sentAt: c.now.toString() }
  if (row.parent !== null) await replace(c, row.parent)
  const sent = { ...row, ...set }
  if (row.sendEmail) await post(c, sent, quoteMail(await factsOf(c, sent)), 'quote')
  const to = row.sendEmail ? ` to ${sent.emailTo}` : ''
  const told = `Sent quote ${row.reference} (${paymentsWords(sent)})${to}.`
  if (row.contact !== null) await noteQuoteSent(c, row.contact, { notes: told, about: iriOf(quote, row.id) }, row.owner)
  return { set }
}

/** What the quote says from now on. Throws 422 with everything that stands in the way. */
async function checkedValues(c: Call): Promise<QuoteValues> {
  const { row, input, now } = c
  const lines = allLines(row)
  const wrong = staleLines(row, await catalogueOf(c, lines))
  if (!lines.length) wrong.push(violation('plans', 'Add at least one line before you send this quote'))
  const terms = row.coupon === null ? undefined : await couponTerms(c, row.coupon, true)
  const refused = terms && whyNot(terms, await couponUse(c, terms.id))
  if (refused) wrong.push(violation('coupon', refused))
  const emailTo = input.emailTo || row.emailTo
  if (row.sendEmail && !emailTo)
    wrong.push(violation('emailTo', 'Please enter the e-mail address that the quote goes to'))
  const { validDays } = await settingsOf(c)
  const expiresAt = input.expiresAt ?? row.expiresAt ?? lastMinute(londonDate(now).add({ days: validDays })).toString()
  if (Date.parse(expiresAt) <= now.epochMilliseconds)
    wrong.push(violation('expiresAt', 'Please choose a day that is still to come'))
  if (wrong.length) throw problem.invalid(wrong)
  return {
    ...totalsOf(row, row, terms),
    supplier: await supplierOf(c),
    expiresAt,
    emailTo,
    message: input.message ?? row.message,
  }
}

const couponUse = async (c: Call, couponId: number) => ({
  now: c.now,
  plans: c.row.plans.flatMap((line) => (line.plan === null ? [] : iriOf(plan, line.plan))),
  currency: c.row.currency,
  redeemed: await isOwnCoupon(c, c.row.customer, couponId),
})

/** The former revision can't be accepted any more, unless somebody was quicker. */
async function replace(c: Call, parent: number): Promise<void> {
  const former = await c.lock(quote, parent)
  if (former.state === 'accepted')
    throw problem.conflict(
      `${former.decidedBy} has accepted ${former.reference} in the meantime. Nothing was sent. Make a new quote for what is to be added.`,
    )
  const isOver = former.state === 'open' || former.state === 'expired'
  const status = isOver ? { status: statusOf('cancelled') } : {}
  await c.set(quote, former, { replacedBy: c.row.id, ...status }, 'replace')
}
