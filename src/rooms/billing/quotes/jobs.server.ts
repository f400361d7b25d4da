import { formatMoney } from '#kernel/money.ts'
import { textOf } from '#kernel/text.ts'
import { type Instant, ukDate } from '#kernel/time.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import type { Context } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row } from '#server/data/plan.ts'
import { listener } from '#server/runs/listener.ts'
import { remind } from '#server/runs/remind.ts'
import { schedule } from '#server/runs/schedule.ts'
import { sweep } from '#server/runs/sweep.ts'
import { factsOf, post } from '../letters/letter.server.ts'
import { acceptedMail, reminderMail } from '../letters/mail.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { quoteAccepted, quoteDeclined } from './events.ts'
import { quote } from './quote.ts'
import { statusOf } from './status.ts'

/** The quote, locked. */
async function held(c: Context, id: number): Promise<Row | undefined> {
  const [row] = await hold(c.work.tx, quote, c.clientId, (next) => `t.id = ${next(id)}::bigint`)
  return row
}

/** An open quote that is past its day becomes an expired one, and its contact's timeline says so. */
const expire = schedule({
  name: 'quotes-expire',
  every: { minutes: 15 },
  run: (engine) =>
    sweep(
      engine,
      {
        of: quote,
        where: { status: statusOf('open') },
        condition: (next) => `t.expires_at <= ${next(engine.clock.now().toString())}::timestamptz`,
        why: 'quotes expire',
      },
      async (c, row) => {
        if (!isPast(row, c.now)) return
        await c.set(quote, row, { status: statusOf('expired') }, 'expire')
        if (row.contact === null) return
        await c.create(note, {
          contact: row.contact,
          user: row.owner,
          author: row.ownedBy,
          notes: `Quote ${row.reference} (${formatMoney(row.total ?? 0, row.currency)} including VAT) expired on ${ukDate(Temporal.Instant.from(String(row.expiresAt)))} without an answer.`,
        })
      },
    ),
})

const isPast = (row: { expiresAt: string | null }, now: Instant) =>
  row.expiresAt !== null && Temporal.Instant.compare(Temporal.Instant.from(row.expiresAt), now) <= 0

/** Reminds customers before their quote expires, on the days that the client has settled. */
const remindCustomers = remind({
  name: 'quote.expiry',
  of: quote,
  on: 'expiresAt',
  daily: '09:00',
  at: {
    most: 90,
    of: async (c) => {
      const rules = await settingsOf(c.work)
      return [rules.firstReminder, rules.secondReminder].filter((days) => days > 0)
    },
  },
  where: { status: statusOf('open'), sendEmail: true },
  unless: (c, row) => !row.emailTo || isPast(row, c.now) || sentToday(row, c.now),
  send: async (c, row) => post(c, row.emailTo, reminderMail(await factsOf(c.engine, c.work, row)), 'quote-reminder'),
})

const sentToday = (row: { sentAt: string | null }, now: Instant) =>
  row.sentAt !== null && Temporal.Instant.compare(Temporal.Instant.from(row.sentAt), now.subtract({ hours: 24 })) > 0

/** Thanks for an acceptance, with the signed quote, and word to the owner. */
const thank = listener(quoteAccepted, {
  name: 'quote.thank',
  lane: 'events',
  run: async (c, accepted) => {
    const row = await held(c, accepted.quote)
    if (!row) return
    const facts = await factsOf(c.engine, c.work, row)
    const signedAt = Temporal.Instant.from(String(row.decidedAt))
    const mail = acceptedMail({ ...facts, signedBy: String(row.decidedBy), signedAt })
    if (row.emailTo) await post(c, textOf(row.emailTo), mail, 'quote-accepted')
    await mailOwner(c, row, facts.owner.email, `${textOf(row.decidedBy)} has accepted ${textOf(row.reference)}`)
  },
})

/** Word to the owner that a customer has declined. */
const tellDeclined = listener(quoteDeclined, {
  name: 'quote.tell-declined',
  lane: 'events',
  run: async (c, declined) => {
    const row = await held(c, declined.quote)
    if (!row) return
    const { owner } = await factsOf(c.engine, c.work, row)
    const who = textOf(row.company) || textOf(row.emailTo)
    await mailOwner(c, row, owner.email, `${who} has declined ${textOf(row.reference)}`)
  },
})

/** A short letter to the owner, who signs in to see the rest. */
async function mailOwner(c: Context, row: Row, to: string, subject: string): Promise<void> {
  if (!to) return
  const money = formatMoney(Number(row.total), String(row.currency))
  const lines = [
    `${subject}: ${money} including VAT.`,
    row.reason ? `The reason: ${textOf(row.reason)}` : '',
    `Customer: ${textOf(row.company)}`,
  ]
  await c.after(letter, { to, subject, body: lines.filter(Boolean).join('\n\n'), template: 'quote-word' })
}

export const quoteListeners = [thank, tellDeclined]
export const quoteSchedules = [expire, remindCustomers]
