import { problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { author } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { lastMinute, ukDate } from '#kernel/time.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import { staffOf } from '#rooms/crm/offers.server.ts'
import type { ActionResult, Behaviour, Context } from '#server/behaviour.ts'
import type { Row } from '#server/data/plan.ts'
import { changeRows } from '#server/data/rows.ts'
import { nextNumber } from '#server/data/sequences.ts'
import { couponTerms } from '../catalogue/redeem.server.ts'
import { factsOf, post } from '../letters/letter.server.ts'
import { makeLink } from '../letters/link.server.ts'
import { quoteMail, reminderMail } from '../letters/mail.ts'
import { catalogueOf, type Lines } from '../lines/lines.server.ts'
import { LIST_NAMES, LISTS } from '../lines/lines.ts'
import { summed } from './facts.server.ts'
import { quote, quoteLine, quoteNumbers } from './quote.ts'
import { send } from './send.server.ts'
import { statusOf } from './status.ts'

type Values = Record<string, unknown>
const DAY_FURTHEST = 365

/** A note in the timeline of the quote's contact, of the person who acts. */
function tell({ work, actor }: Context, row: Row, notes: string): void {
  if (row.contact !== null)
    work.create(note, { contact: row.contact, user: row.owner, author: author(actor).username, notes })
}

/** What a new quote takes over from an older one. */
const TAKEN = [
  'customer',
  'contact',
  'company',
  'coupon',
  'currency',
  'taxPercent',
  'billingCycleAnchor',
  'prorate',
  'sendEmail',
  'emailTo',
  'message',
  'terms',
] as const
const taken = (row: Row): Values => Object.fromEntries(TAKEN.map((k) => [k, row[k]]))

const KEPT = Object.keys(quoteLine.fields).filter((name) => name !== 'quote')
/** A line without what makes it that one. */
const copied = (line: Row): Values => Object.fromEntries(KEPT.map((name) => [name, line[name]]))

const linesOf = (row: Row): Lines =>
  Object.fromEntries(LIST_NAMES.map((list) => [list, (row[list] as Row[]).map(copied)])) as unknown as Lines

/** A new draft with these lines; the answer is the new quote. */
async function draft(c: Context, values: Values, lines: Lines): Promise<ActionResult> {
  const { work, engine, actor } = c
  const terms = typeof values.coupon === 'number' ? await couponTerms(c, values.coupon) : undefined
  const written = work.create(quote, {
    ...values,
    ...summed(values, lines, terms ?? null),
    createdBy: author(actor).username,
  })
  const { id } = await written.saved()
  for (const list of LIST_NAMES) await work.rows(changeRows(list, quote.fields[list], [], lines[list]), id)
  return { answer: () => engine.one(quote, actor, id) }
}

/** Lines at today's prices; what is no longer sold stays as it was, for somebody to decide about. */
async function repriced({ work }: Context, lines: Lines): Promise<Lines> {
  const catalogue = await catalogueOf(
    work,
    LIST_NAMES.flatMap((list) => lines[list]),
  )
  return Object.fromEntries(
    LIST_NAMES.map((list) => [
      list,
      lines[list].map((line) => {
        const kind = LISTS[list]
        const article = kind === 'additional' ? undefined : catalogue[kind].get(line[kind] as number)
        if (!article || article.retired) return line
        const { amount: unitAmount, currency, interval, intervalCount } = article
        return { ...line, unitAmount, currency, interval, intervalCount }
      }),
    ]),
  ) as unknown as Lines
}

/** Whoever revises a quote owns the revision, as whoever copies it owns the copy. */
async function mine(c: Context): Promise<Values> {
  return { ownedBy: author(c.actor).username, owner: (await staffOf(c)) ?? null }
}

function notReplaced(row: Row): void {
  if (row.replacedBy !== null)
    throw problem.conflict(`A newer revision has replaced ${textOf(row.reference)}. Work on that one.`)
}

export const quoteActions: NonNullable<Behaviour<typeof quote>['actions']> = {
  send,
  remind: async (c) => {
    const { row, work, engine } = c
    if (!row.emailTo) throw problem.conflict('This quote has no e-mail address to send to. Make a link instead.')
    await post(c, textOf(row.emailTo), quoteMail(await factsOf(engine, work, row)), 'quote')
    return {}
  },
  link: async (c) => {
    const { row, work, engine } = c
    const link = await makeLink(engine, work, row.id, Temporal.Instant.from(String(row.expiresAt)))
    await c.set(quote, row, {}, 'link')
    return { answer: () => ({ link }) }
  },
  revise: async (c) => {
    const { row, work } = c
    notReplaced(row)
    const [open] = await work.tx.rows<{ reference: string; author: string }>(
      'SELECT reference, created_by AS author FROM quote WHERE client_id = $1 AND parent_id = $2 AND status_id = 1',
      [work.clientId, row.id],
    )
    if (open)
      throw problem.conflict(`${open.author} has begun ${textOf(open.reference)} already. Open that draft instead.`)
    const [last] = await work.tx.rows<{ revision: number }>(
      'SELECT max(revision) AS revision FROM quote WHERE client_id = $1 AND number = $2',
      [work.clientId, row.number],
    )
    const values = {
      ...taken(row),
      ...(await mine(c)),
      number: row.number,
      revision: (last?.revision ?? 1) + 1,
      parent: row.id,
    }
    return draft(c, values, linesOf(row))
  },
  copy: async (c) => {
    const { row, input, work } = c
    const values: Values = {
      ...taken(row),
      ...(await mine(c)),
      number: (await nextNumber(c, quoteNumbers)).number,
      revision: 1,
      message: '',
    }
    if (typeof input.customer === 'number') {
      const [other] = await work.tx.rows<Values>(
        `SELECT id AS customer, contact_id AS contact, coalesce(company_name, '') AS company, email AS "emailTo", coupon_id AS coupon
         FROM customer WHERE client_id = $1 AND id = $2`,
        [work.clientId, input.customer],
      )
      Object.assign(values, other)
    }
    return draft(c, values, await repriced(c, linesOf(row)))
  },
  extend: async (c) => {
    const { row, input, work, engine, now } = c
    notReplaced(row)
    const until = lastMinute(Temporal.PlainDate.from(String(input.until)))
    if (until.epochMilliseconds <= now.epochMilliseconds)
      throw problem.invalid([violation('until', 'Please choose a day that is still to come')])
    if (until.epochMilliseconds > now.add({ hours: 24 * DAY_FURTHEST }).epochMilliseconds)
      throw problem.invalid([violation('until', 'Please choose a day within a year')])
    const set = { status: statusOf('open'), expiresAt: until.toString(), reason: input.reason }
    tell(c, row, `Quote ${textOf(row.reference)} is valid until ${ukDate(until)}: ${textOf(input.reason)}`)
    if (row.sendEmail && row.emailTo)
      await post(c, textOf(row.emailTo), reminderMail(await factsOf(engine, work, { ...row, ...set })), 'quote')
    return { set }
  },
  cancel: (c) => {
    const { row, input } = c
    if (row.state !== 'draft')
      tell(
        c,
        row,
        `Cancelled quote ${textOf(row.reference)} (${formatMoney(Number(row.total), String(row.currency))}): ${textOf(input.reason)}`,
      )
    return { set: { status: statusOf('cancelled'), reason: input.reason, decidedAt: c.now.toString() } }
  },
}
