import { isEmail } from '#kernel/email.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { lastMinuteOfDay, londonDate } from '#kernel/time.ts'
import { noteQuoteSent } from '#modules/crm/contacts/quote-sent.server.ts'
import { plan } from '../catalogue/plan.ts'
import { releaseCoupon, reserveCoupon } from '../coupons/redemption.server.ts'
import { quoteMailFactsOf } from '../letters/letter.server.ts'
import { quoteMail } from '../letters/mail.ts'
import { loadQuoteRules } from '../letters/settings.server.ts'
import { loadArticleCatalogue } from '../lines/catalogue.server.ts'
import { findStaleLines } from '../lines/lines.server.ts'
import { allLines } from '../lines/lines.ts'
import { describePayments } from '../lines/sum.ts'
import { forecastInvoices } from '../subscriptions/upcoming.server.ts'
import { requireDiscountApproval } from './discount-limit.server.ts'
import type { QuoteActions } from './facts.server.ts'
import { queueQuoteMail } from './letters.server.ts'
import { currentQuoteValues, quoteFingerprint } from './preview.server.ts'
import { type QuoteRow, type QuoteValues, quote } from './quote.ts'
import { quoteStatusId } from './status.ts'
import { EMAIL_MISSING, EXPIRY_TOO_LATE, findBuyerProblems, isBeyondMaxExpiry } from './terms.server.ts'

type Call = Parameters<QuoteActions['send']>[0]

/**
 * Sends a draft: checks it against today's catalogue, freezes prices, coupon and totals, queues the e-mail, and closes
 * the link of the revision it replaces.
 */
export const sendQuote: QuoteActions['send'] = async (c) => {
  const { row } = c
  if (row.parent !== null) await replace(c, row.parent)
  const values = await checkedValues(c)
  const set = {
    ...values,
    nextInvoices: forecastInvoices(c, { ...row, ...values } as QuoteRow),
    status: quoteStatusId('open'),
    sentAt: c.now.toString(),
  }
  const sent = { ...row, ...set }
  if (row.sendEmail) await queueQuoteMail(c, sent, quoteMail(await quoteMailFactsOf(c, sent)), 'quote')
  const to = row.sendEmail ? ` to ${sent.emailTo}` : ''
  const told = `Quote ${row.reference} (${describePayments(sent)}) sent${to}.`
  if (row.contact !== null) await noteQuoteSent(c, row.contact, { notes: told, about: iriOf(quote, row.id) }, row.owner)
  return { set }
}

/** Values of the quote as sent. Throws 422 with all problems, and 409 if it differs from the preview. */
async function checkedValues(c: Call): Promise<QuoteValues> {
  const { row, input, now } = c
  const lines = allLines(row)
  const wrong = findStaleLines(c.actor, row, await loadArticleCatalogue(c, lines), Boolean(row.supplier?.vatNumber))
  if (!lines.length) wrong.push(violation('plans', 'Add at least one line before you send this quote'))
  wrong.push(...(await findBuyerProblems(c, row)))
  const emailTo = input.emailTo || row.emailTo
  if (row.sendEmail && !isEmail(emailTo)) wrong.push(violation('emailTo', EMAIL_MISSING))
  const { validDays } = await loadQuoteRules(c)
  const expiresAt =
    input.expiresAt ?? row.expiresAt ?? lastMinuteOfDay(londonDate(now).add({ days: validDays })).toString()
  if (Date.parse(expiresAt) <= now.epochMilliseconds) wrong.push(violation('expiresAt', 'Please choose a future date'))
  else if (isBeyondMaxExpiry(expiresAt, now)) wrong.push(violation('expiresAt', EXPIRY_TOO_LATE))
  try {
    await reserveCoupon(c, row, { plans: plansOf(c), currency: row.currency })
  } catch (e) {
    if (!(e instanceof Problem) || !e.violations) throw e
    wrong.push(...e.violations)
  }
  if (wrong.length) throw problem.invalid(wrong)
  const today = await currentQuoteValues(c, c, row)
  assertSeen(c, today)
  await requireDiscountApproval(c, row, today)
  return { ...today, expiresAt, emailTo, message: input.message ?? row.message }
}

const plansOf = ({ row }: Call) => row.plans.flatMap((line) => (line.plan === null ? [] : iriOf(plan, line.plan)))

/** The sent quote must match the preview named or, without one, the quote as saved. */
function assertSeen({ row, input }: Call, today: QuoteValues): void {
  if (input.fingerprint ? input.fingerprint === quoteFingerprint(row, today) : today.total === row.total) return
  const [now, then] = [today.total ?? 0, row.total].map((pence) => formatMoney(pence, row.currency))
  throw problem.conflict(
    now === then
      ? 'This quote has changed since you previewed it, so it was not sent. Check the preview and send it again.'
      : `The total of this quote is now ${now} instead of ${then}, because something in it has changed. It was not sent. Check the preview and send it again.`,
    'preview_outdated',
  )
}

/** Closes the previous revision, unless it has just been accepted. */
async function replace(c: Call, parent: number): Promise<void> {
  const former = await c.lock(quote, parent)
  if (former.state === 'accepted')
    throw problem.conflict(
      `${former.decidedBy} has accepted ${former.reference} in the meantime, so this quote was not sent. Create a new quote for anything to add.`,
    )
  const isOver = former.state === 'open' || former.state === 'expired'
  const status = isOver ? { status: quoteStatusId('cancelled') } : {}
  if (isOver) await releaseCoupon(c, former)
  await c.set(quote, former, { replacedBy: c.row.id, ...status }, 'replace')
}
