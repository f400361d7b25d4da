import { problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { lastMinute, londonDate } from '#kernel/time.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import type { Behaviour } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row } from '#server/data/plan.ts'
import { whyNot } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { couponTerms } from '../catalogue/redeem.server.ts'
import { factsOf, post } from '../letters/letter.server.ts'
import { quoteMail } from '../letters/mail.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { catalogueOf, type Lines, staleLines } from '../lines/lines.server.ts'
import { LIST_NAMES } from '../lines/lines.ts'
import { isOwnCoupon, summed } from './facts.server.ts'
import { quote } from './quote.ts'
import { statusOf } from './status.ts'

type Action = NonNullable<Behaviour['actions']>[string]
type Call = Parameters<Action>[0]

/**
 * Sends a draft: checks it against today's catalogue, freezes prices, coupon and totals, puts the letter into the outbox, and
 * takes the revision that it replaces out of the customer's reach.
 */
export const send: Action = async (c) => {
  const { row, work, engine, now, actor } = c
  const set = { ...(await checked(c)), status: statusOf('open'), sentAt: now.toString() }
  if (row.parent !== null) await replace(c, Number(row.parent))
  const sent: Row = { ...row, ...set }
  if (row.sendEmail) await post(c, textOf(sent.emailTo), quoteMail(await factsOf(engine, work, sent)), 'quote')
  const money = formatMoney(Number(sent.total), String(sent.currency))
  if (row.contact !== null)
    work.create(note, {
      contact: row.contact,
      user: row.owner,
      author: author(actor).username,
      notes: `Sent quote ${textOf(row.reference)} (${money} including VAT)${row.sendEmail ? ` to ${textOf(sent.emailTo)}` : ''}.`,
    })
  return { set }
}

/** What the quote says from now on. Throws 422 with everything that stands in the way. */
async function checked(c: Call): Promise<Record<string, unknown>> {
  const { row, input, work, now } = c
  const lines = Object.fromEntries(LIST_NAMES.map((list) => [list, row[list] as Row[]])) as unknown as Lines
  const all = LIST_NAMES.flatMap((list) => lines[list])
  const wrong = staleLines(lines, await catalogueOf(work, all))
  if (!all.length) wrong.push(violation('plans', 'Add at least one line before you send this quote'))
  const terms = typeof row.coupon === 'number' ? await couponTerms(c, row.coupon, true) : undefined
  const refused = terms && whyNot(terms, await couponUse(c, terms.id, lines))
  if (refused) wrong.push(violation('coupon', refused))
  const emailTo = input.emailTo || row.emailTo
  if (row.sendEmail && !emailTo)
    wrong.push(violation('emailTo', 'Please enter the e-mail address that the quote goes to'))
  const { validDays } = await settingsOf(work)
  const expiresAt = input.expiresAt ?? row.expiresAt ?? lastMinute(londonDate(now).add({ days: validDays })).toString()
  if (Date.parse(textOf(expiresAt)) <= now.epochMilliseconds)
    wrong.push(violation('expiresAt', 'Please choose a day that is still to come'))
  if (wrong.length) throw problem.invalid(wrong)
  return { ...summed(row, lines, terms ?? null), expiresAt, emailTo, message: input.message ?? row.message }
}

async function couponUse({ row, work, now }: Call, coupon: number, lines: Lines) {
  return {
    now,
    plans: lines.plans.map((l) => iriOf(plan, Number(l.plan))),
    currency: String(row.currency),
    redeemed: await isOwnCoupon(work, row.customer, coupon),
  }
}

/** The former revision can't be accepted any more, unless somebody was quicker. */
async function replace({ row, work }: Call, parent: number): Promise<void> {
  const [former] = await hold(work.tx, quote, work.clientId, (next) => `t.id = ${next(parent)}::bigint`)
  if (!former) throw problem.notFound()
  if (former.state === 'accepted')
    throw problem.conflict(
      `${textOf(former.decidedBy)} has accepted ${textOf(former.reference)} in the meantime. Nothing was sent. Make a new quote for what is to be added.`,
    )
  const over = former.state === 'open' || former.state === 'expired'
  work.update(quote, former, { replacedBy: row.id, ...(over ? { status: statusOf('cancelled') } : {}) }, 'replace')
}
