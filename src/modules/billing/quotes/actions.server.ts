import { problem, violation } from '#kernel/errors.ts'
import { lastMinute, ukDate } from '#kernel/time.ts'
import { nextNumber } from '#server/data/sequences.ts'
import type { ActionResult } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { releaseCoupon, reserveCoupon } from '../coupons/redemption.server.ts'
import { customer } from '../customers/customer.ts'
import { factsOf } from '../letters/letter.server.ts'
import { makeLink } from '../letters/link.server.ts'
import { quoteMail, reminderMail } from '../letters/mail.ts'
import { catalogueOf } from '../lines/catalogue.server.ts'
import { priceOf } from '../lines/lines.server.ts'
import { allLines, eachList, LISTS } from '../lines/lines.ts'
import { paymentsWords } from '../lines/sum.ts'
import { stateOf } from '../print/state.ts'
import { accept, acceptByPhone, convert, decline, expire } from './decide.server.ts'
import { askApproval } from './discount-limit.server.ts'
import { noteReminder, type QuoteActions, takenFrom, tellContact } from './facts.server.ts'
import { post } from './letters.server.ts'
import { type QuoteRow, type QuoteValues, quote, quoteNumbers } from './quote.ts'
import { send } from './send.server.ts'
import { statusOf } from './status.ts'
import { isTooFar, TOO_FAR } from './terms.server.ts'

async function createDraft(c: Context, values: QuoteValues): Promise<ActionResult<typeof quote>> {
  const { id } = await (await c.create(quote, values)).saved()
  return { answer: () => c.engine.one(quote, c.actor, id) }
}

/** Lines at today's prices; articles no longer sold are kept unchanged for the user to decide. */
async function repriceLines(c: Context, row: QuoteRow) {
  const catalogue = await catalogueOf(c, allLines(row))
  return eachList((list) =>
    row[list].map((line) => {
      const kind = LISTS[list]
      const article = kind === 'additional' ? undefined : catalogue[kind].get(line[kind] ?? 0)
      if (!article || article.notSold) return line
      return { ...line, ...priceOf(article), ...(article.vat === null ? {} : { taxPercent: article.vat }) }
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

export const quoteActions: QuoteActions = {
  send,
  askApproval,
  opened: ({ row, now }) =>
    row.openedAt === null && stateOf(row, now) === 'open' ? { set: { openedAt: now.toString() } } : {},
  accept,
  acceptByPhone,
  convert,
  decline,
  expire,
  remind: async (c) => {
    const { row } = c
    if (!row.emailTo) throw problem.conflict('This quote has no e-mail address. Copy its link instead.')
    await post(c, row, quoteMail(await factsOf(c, row)), 'quote')
    await noteReminder(c, row)
    return {}
  },
  link: async (c) => {
    const { row } = c
    const link = await makeLink(c, row.id, row.expiresAt === null ? c.now : Temporal.Instant.from(row.expiresAt))
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
    return createDraft(c, { ...takenFrom(row), number: row.number, revision, parent: row.id })
  },
  copy: async (c) => {
    const { row, input } = c
    const other = typeof input.customer === 'number' ? await customerOf(c, input.customer) : {}
    const { number } = await nextNumber(c, quoteNumbers)
    return createDraft(c, {
      ...takenFrom(row),
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
    const until = lastMinute(Temporal.PlainDate.from(input.until))
    if (until.epochMilliseconds <= now.epochMilliseconds)
      throw problem.invalid([violation('until', 'Please choose a future date')])
    if (isTooFar(until.toString(), now)) throw problem.invalid([violation('until', TOO_FAR)])
    if (row.state === 'expired') await reserveCoupon(c, row, { currency: row.currency })
    const set = { status: statusOf('open'), expiresAt: until.toString(), reason: input.reason }
    await tellContact(c, row, `Quote ${row.reference} extended to ${ukDate(until)}: ${input.reason}`)
    if (row.sendEmail && row.emailTo)
      await post(c, { ...row, ...set }, reminderMail(await factsOf(c, { ...row, ...set })), 'quote')
    return { set }
  },
  cancel: async (c) => {
    const { row, input } = c
    await releaseCoupon(c, row)
    if (row.state !== 'draft')
      await tellContact(c, row, `Quote ${row.reference} (${paymentsWords(row)}) cancelled: ${input.reason}`)
    return { set: { status: statusOf('cancelled'), reason: input.reason, decidedAt: c.now.toString() } }
  },
}
