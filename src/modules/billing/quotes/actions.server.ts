import { Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { composeEmail } from '#kernel/system-email.ts'
import { formatUkDate, type Instant, lastMinuteOfDay, londonDate } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { recordQuoteSent } from '#modules/crm/contacts/note.server.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import type { ActionResult } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { discountIn, requestDiscountApproval, requireDiscountApproval } from '../approvals/discount.server.ts'
import { findExcessDiscount, quoteDiscountTerms } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { releaseCoupon, reserveCoupon } from '../coupons/coupons.server.ts'
import { findBuyerProblems } from '../customers/buyer.server.ts'
import { customer } from '../customers/customer.ts'
import { createQuoteLink, loadQuoteMailFacts, loadQuoteSettings, refuseRepeatedEmail } from '../emails/emails.server.ts'
import { quoteEmail, quoteReminderEmail } from '../emails/mail.ts'
import { catalogueItemPriceFields, findStaleQuoteLines, loadPlansAndSkus } from '../lines/lines.server.ts'
import { allQuoteLines, mapQuoteLineLists, QUOTE_LINE_LISTS } from '../lines/lines.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { quoteAcceptanceState } from '../print/acceptance-state.ts'
import { forecastInvoices } from '../subscriptions/renewal.server.ts'
import {
  acceptQuote,
  acceptQuoteByPhone,
  addQuoteNoteToContact,
  convertQuote,
  copyableQuoteValues,
  declineQuote,
  expireQuote,
  type QuoteActionHandlers,
  recordQuoteReminder,
} from './decide.server.ts'
import { type QuoteRow, type QuoteValues, quote, quoteNumberSequence, quoteStatusId } from './quote.ts'
import { computeQuoteFingerprint, loadCurrentQuoteValues, queueQuoteMail } from './routes.server.ts'

/** Requests approval for a draft's current discount. */
const askApproval: QuoteActionHandlers['askApproval'] = async (c) => {
  const { row, input } = c
  const given = discountIn(row, await loadCurrentQuoteValues(c, c, row), c.now)
  await requestDiscountApproval(c, row, given, { reason: input.reason, next: 'send the quote' })
  return {}
}

/** Maximum number of days for which a quote can remain open. */
const FURTHEST_DAYS = 365
const FURTHEST_START_YEARS = 2

const isBeyondMaxExpiry = (at: string, now: Instant): boolean =>
  Date.parse(at) > now.add({ hours: 24 * FURTHEST_DAYS }).epochMilliseconds

const EXPIRY_TOO_LATE = 'Please choose a date within the next year'

/** Returns the problems with a quote's dates and e-mail address. */
export function findQuoteTermProblems(
  { expiresAt, billingCycleAnchor, emailTo }: QuoteValues,
  now: Instant,
): Violation[] {
  const wrong: Violation[] = []
  if (expiresAt && isBeyondMaxExpiry(expiresAt, now)) wrong.push(violation('expiresAt', EXPIRY_TOO_LATE))
  if (typeof billingCycleAnchor === 'number') {
    const day = londonDate(Temporal.Instant.fromEpochMilliseconds(billingCycleAnchor * 1000))
    const today = londonDate(now)
    if (Temporal.PlainDate.compare(day, today) < 0)
      wrong.push(violation('billingCycleAnchor', 'Billing can’t start before today'))
    else if (Temporal.PlainDate.compare(day, today.add({ years: FURTHEST_START_YEARS })) > 0)
      wrong.push(violation('billingCycleAnchor', `Billing must start within the next ${FURTHEST_START_YEARS} years`))
  }
  if (emailTo && !isEmail(emailTo)) wrong.push(violation('emailTo', EMAIL_MISSING))
  return wrong
}

const EMAIL_MISSING = 'Please enter the e-mail address to send the quote to'

type Call = Parameters<QuoteActionHandlers['send']>[0]

/**
 * Sends a draft: checks it against today's catalogue, freezes the prices, coupon and totals, queues the e-mail, and
 * closes the link to the revision that the draft replaces.
 */
const sendQuote: QuoteActionHandlers['send'] = async (c) => {
  const { row } = c
  if (row.parent !== null) await c.lock(quote, row.parent)
  const wrong = await findBuyerProblems(c, row)
  if (row.parent !== null) await replace(c, row.parent)
  const values = await checkedValues(c, wrong)
  const set = {
    ...values,
    nextInvoices: forecastInvoices(c, { ...row, ...values } as QuoteRow),
    status: quoteStatusId('open'),
    sentAt: c.now.toString(),
  }
  const sent = { ...row, ...set }
  if (row.sendEmail) await queueQuoteMail(c, sent, composeEmail(quoteEmail, await loadQuoteMailFacts(c, sent)))
  const to = row.sendEmail ? `, with an e-mail to ${sent.emailTo}` : ''
  const told = `Quote ${row.reference} (${describeQuotePayments(sent)}) made live${to}.`
  if (row.contact !== null)
    await recordQuoteSent(c, row.contact, { notes: told, about: iriOf(quote, row.id) }, row.owner)
  return { set }
}

/**
 * Returns the quote's values as they will be sent. Throws 422 with all problems, and 409 if the quote differs from the
 * preview or its discount needs approval.
 */
async function checkedValues(c: Call, ofBuyer: readonly Violation[]): Promise<QuoteValues> {
  const { row, input, now } = c
  const lines = allQuoteLines(row)
  const wrong = findStaleQuoteLines(c.actor, row, await loadPlansAndSkus(c, lines), Boolean(row.supplier?.vatNumber))
  if (!lines.length) wrong.push(violation('plans', 'Add at least one line before you send this quote'))
  wrong.push(...ofBuyer)
  const emailTo = input.emailTo || row.emailTo
  if (row.sendEmail && !isEmail(emailTo)) wrong.push(violation('emailTo', EMAIL_MISSING))
  const { validDays } = await loadQuoteSettings(c)
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
  const today = await loadCurrentQuoteValues(c, c, row)
  wrong.push(...findExcessDiscount(row, today.totals))
  if (wrong.length) throw problem.invalid(wrong)
  assertSeen(c, today)
  await requireDiscountApproval(c, row, discountIn(row, today, now), 'The quote was not sent.')
  return { ...today, expiresAt, emailTo, message: input.message ?? row.message }
}

const plansOf = ({ row }: Call) => row.plans.flatMap((line) => (line.plan === null ? [] : iriOf(plan, line.plan)))

/**
 * Throws 409 unless the quote about to be sent matches the preview named by its fingerprint or, without a fingerprint,
 * the total of the saved quote.
 */
function assertSeen({ row, input }: Call, today: QuoteValues): void {
  if (input.fingerprint ? input.fingerprint === computeQuoteFingerprint(row, today) : today.total === row.total) return
  const [now, then] = [today.total ?? 0, row.total].map((pence) => formatMoney(pence, row.currency))
  throw problem.conflict(
    now === then
      ? 'This quote has changed since you previewed it, so it was not sent. Check the preview and send it again.'
      : `The total of this quote has changed from ${then} to ${now}, so the quote was not sent. Check the preview and send it again.`,
    'preview_outdated',
  )
}

/** Closes the previous revision. Throws 409 if the customer has just accepted that revision. */
async function replace(c: Call, parent: number): Promise<void> {
  const former = await c.lock(quote, parent)
  if (former.state === 'accepted')
    throw problem.conflict(
      `${former.decidedBy} has already accepted ${former.reference}, so this quote was not sent. To add anything, create a new quote.`,
    )
  const isOver = former.state === 'open' || former.state === 'expired'
  const status = isOver ? { status: quoteStatusId('cancelled') } : {}
  if (isOver) await releaseCoupon(c, former)
  await c.set(quote, former, { replacedBy: c.row.id, ...status }, 'replace')
}

async function createDraft(c: Context, values: QuoteValues): Promise<ActionResult<typeof quote>> {
  const { id } = await (await c.create(quote, values)).saved()
  return { answer: () => c.engine.one(quote, c.actor, id) }
}

/**
 * Returns the lines at today's prices. Lines for plans and SKUs no longer on sale are left unchanged, so that the user
 * can decide.
 */
async function repriceLines(c: Context, row: QuoteRow) {
  const catalogue = await loadPlansAndSkus(c, allQuoteLines(row))
  return mapQuoteLineLists((list) =>
    row[list].map((line) => {
      const kind = QUOTE_LINE_LISTS[list]
      const article = kind === 'additional' ? undefined : catalogue[kind].get(line[kind] ?? 0)
      if (!article || article.notSold) return line
      return {
        ...line,
        ...catalogueItemPriceFields(article),
        ...(article.vat === null ? {} : { taxPercent: article.vat }),
      }
    }),
  )
}

/**
 * Returns the quote's values for another customer, with the customer's coupon unless the quote has a discount of its
 * own.
 */
async function customerOf(c: Context, id: number, row: QuoteRow): Promise<QuoteValues> {
  const other = await c.get(customer, id)
  if (!other) return {}
  const { contact, companyName, email } = other
  const coupon = quoteDiscountTerms(row, row.currency) ? null : other.coupon
  return { customer: id, contact, company: companyName ?? '', emailTo: email, coupon }
}

function assertNotReplaced(row: QuoteRow): void {
  if (row.replacedBy !== null)
    throw problem.conflict(`${row.reference} has been replaced by a newer revision. Use that revision.`)
}

export const quoteActionHandlers: QuoteActionHandlers = {
  send: sendQuote,
  askApproval,
  opened: ({ row, now }) =>
    row.openedAt === null && quoteAcceptanceState(row, now) === 'open' ? { set: { openedAt: now.toString() } } : {},
  accept: acceptQuote,
  acceptByPhone: acceptQuoteByPhone,
  convert: convertQuote,
  decline: declineQuote,
  expire: expireQuote,
  remind: async (c) => {
    const { row, input } = c
    if (!row.emailTo) throw problem.conflict('This quote has no e-mail address. Copy the link to the quote instead.')
    if (!input.again) await refuseRepeatedEmail(c, quote, row.id, 'remind')
    await queueQuoteMail(c, row, composeEmail(quoteEmail, await loadQuoteMailFacts(c, row)))
    await recordQuoteReminder(c, row)
    return {}
  },
  link: async (c) => {
    const { row } = c
    const expiresAt = row.expiresAt === null ? c.now : Temporal.Instant.from(row.expiresAt)
    const link = await createQuoteLink(c, row.id, expiresAt, { creatorName: authorOf(c.actor).name, addressee: '' })
    await c.set(quote, row, {}, 'link')
    return { answer: () => ({ link }) }
  },
  revise: async (c) => {
    const { row } = c
    assertNotReplaced(row)
    const revisions = await c.find(quote, { number: row.number })
    const open = revisions.find((q) => q.parent === row.id && q.state === 'draft')
    if (open)
      throw problem.conflict(`${open.createdBy} has already started ${open.reference}. Open that draft instead.`)
    const revision = 1 + Math.max(...revisions.map((q) => q.revision))
    return createDraft(c, {
      ...copyableQuoteValues(row),
      ownedBy: row.ownedBy,
      number: row.number,
      revision,
      parent: row.id,
    })
  },
  copy: async (c) => {
    const { row, input } = c
    const other = typeof input.customer === 'number' ? await customerOf(c, input.customer, row) : {}
    const { number } = await issueSequenceNumber(c, quoteNumberSequence)
    return createDraft(c, {
      ...copyableQuoteValues(row),
      ...(await repriceLines(c, row)),
      message: '',
      number,
      revision: 1,
      ...other,
    })
  },
  extend: async (c) => {
    const { row, input, now } = c
    assertNotReplaced(row)
    const until = lastMinuteOfDay(Temporal.PlainDate.from(input.until))
    if (until.epochMilliseconds <= now.epochMilliseconds)
      throw problem.invalid([violation('until', 'Please choose a future date')])
    if (isBeyondMaxExpiry(until.toString(), now)) throw problem.invalid([violation('until', EXPIRY_TOO_LATE)])
    const wrong = await findBuyerProblems(c, row)
    if (wrong.length) throw problem.invalid(wrong)
    if (row.state === 'expired') await reserveCoupon(c, row, { currency: row.currency })
    const set = { status: quoteStatusId('open'), expiresAt: until.toString(), reason: input.reason }
    await addQuoteNoteToContact(c, row, `Quote ${row.reference} extended to ${formatUkDate(until)}: ${input.reason}`)
    if (row.sendEmail && row.emailTo)
      await queueQuoteMail(
        c,
        { ...row, ...set },
        composeEmail(quoteReminderEmail, await loadQuoteMailFacts(c, { ...row, ...set })),
      )
    return { set }
  },
  cancel: async (c) => {
    const { row, input } = c
    await releaseCoupon(c, row)
    if (row.state !== 'draft')
      await addQuoteNoteToContact(
        c,
        row,
        `Quote ${row.reference} (${describeQuotePayments(row)}) cancelled: ${input.reason}`,
      )
    return { set: { status: quoteStatusId('cancelled'), reason: input.reason, decidedAt: c.now.toString() } }
  },
}
