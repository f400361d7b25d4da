import { problem, violation } from '#kernel/errors.ts'
import { lastMinuteOfDay, ukDate } from '#kernel/time.ts'
import { nextNumber } from '#server/data/sequences.ts'
import type { ActionResult } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { releaseCoupon, reserveCoupon } from '../coupons/redemption.server.ts'
import { customer } from '../customers/customer.ts'
import { quoteMailFactsOf } from '../letters/letter.server.ts'
import { createQuoteLink } from '../letters/link.server.ts'
import { quoteMail, quoteReminderMail } from '../letters/mail.ts'
import { loadArticleCatalogue } from '../lines/catalogue.server.ts'
import { articlePrice } from '../lines/lines.server.ts'
import { allLines, LINE_LISTS, mapLineLists } from '../lines/lines.ts'
import { describePayments } from '../lines/sum.ts'
import { quoteAcceptanceState } from '../print/state.ts'
import { acceptQuote, acceptQuoteByPhone, convertQuote, declineQuote, expireQuote } from './decide.server.ts'
import { requestDiscountApproval } from './discount-limit.server.ts'
import { addContactNote, copyableValuesOf, type QuoteActions, recordReminder } from './facts.server.ts'
import { queueQuoteMail } from './letters.server.ts'
import { type QuoteRow, type QuoteValues, quote, quoteNumberSequence } from './quote.ts'
import { sendQuote } from './send.server.ts'
import { quoteStatusId } from './status.ts'
import { EXPIRY_TOO_LATE, isBeyondMaxExpiry } from './terms.server.ts'

async function createDraft(c: Context, values: QuoteValues): Promise<ActionResult<typeof quote>> {
  const { id } = await (await c.create(quote, values)).saved()
  return { answer: () => c.engine.one(quote, c.actor, id) }
}

/** Lines at today's prices; articles no longer sold are kept unchanged for the user to decide. */
async function repriceLines(c: Context, row: QuoteRow) {
  const catalogue = await loadArticleCatalogue(c, allLines(row))
  return mapLineLists((list) =>
    row[list].map((line) => {
      const kind = LINE_LISTS[list]
      const article = kind === 'additional' ? undefined : catalogue[kind].get(line[kind] ?? 0)
      if (!article || article.notSold) return line
      return { ...line, ...articlePrice(article), ...(article.vat === null ? {} : { taxPercent: article.vat }) }
    }),
  )
}

async function customerOf(c: Context, id: number): Promise<QuoteValues> {
  const other = await c.get(customer, id)
  if (!other) return {}
  const { contact, companyName, email, coupon } = other
  return { customer: id, contact, company: companyName ?? '', emailTo: email, coupon }
}

function assertNotReplaced(row: QuoteRow): void {
  if (row.replacedBy !== null)
    throw problem.conflict(`${row.reference} has been replaced by a newer revision. Use that one.`)
}

export const createQuoteActions: QuoteActions = {
  send: sendQuote,
  askApproval: requestDiscountApproval,
  opened: ({ row, now }) =>
    row.openedAt === null && quoteAcceptanceState(row, now) === 'open' ? { set: { openedAt: now.toString() } } : {},
  accept: acceptQuote,
  acceptByPhone: acceptQuoteByPhone,
  convert: convertQuote,
  decline: declineQuote,
  expire: expireQuote,
  remind: async (c) => {
    const { row } = c
    if (!row.emailTo) throw problem.conflict('This quote has no e-mail address. Copy its link instead.')
    await queueQuoteMail(c, row, quoteMail(await quoteMailFactsOf(c, row)), 'quote')
    await recordReminder(c, row)
    return {}
  },
  link: async (c) => {
    const { row } = c
    const link = await createQuoteLink(c, row.id, row.expiresAt === null ? c.now : Temporal.Instant.from(row.expiresAt))
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
    return createDraft(c, { ...copyableValuesOf(row), number: row.number, revision, parent: row.id })
  },
  copy: async (c) => {
    const { row, input } = c
    const other = typeof input.customer === 'number' ? await customerOf(c, input.customer) : {}
    const { number } = await nextNumber(c, quoteNumberSequence)
    return createDraft(c, {
      ...copyableValuesOf(row),
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
    if (row.state === 'expired') await reserveCoupon(c, row, { currency: row.currency })
    const set = { status: quoteStatusId('open'), expiresAt: until.toString(), reason: input.reason }
    await addContactNote(c, row, `Quote ${row.reference} extended to ${ukDate(until)}: ${input.reason}`)
    if (row.sendEmail && row.emailTo)
      await queueQuoteMail(
        c,
        { ...row, ...set },
        quoteReminderMail(await quoteMailFactsOf(c, { ...row, ...set })),
        'quote',
      )
    return { set }
  },
  cancel: async (c) => {
    const { row, input } = c
    await releaseCoupon(c, row)
    if (row.state !== 'draft')
      await addContactNote(c, row, `Quote ${row.reference} (${describePayments(row)}) cancelled: ${input.reason}`)
    return { set: { status: quoteStatusId('cancelled'), reason: input.reason, decidedAt: c.now.toString() } }
  },
}
