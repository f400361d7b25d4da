import { formatMoney } from '#kernel/money.ts'
import { systemActor } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { now, ukDate } from '#kernel/time.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import type { Context } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row } from '#server/data/plan.ts'
import type { Engine } from '#server/engine.ts'
import { listener } from '#server/runs/listener.ts'
import { schedule } from '#server/runs/schedule.ts'
import { factsOf, post } from '../letters/letter.server.ts'
import { acceptedMail, reminderMail } from '../letters/mail.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { quoteAccepted, quoteDeclined } from './events.ts'
import { quote } from './quote.ts'
import { statusOf } from './status.ts'

/** One quote, locked, in a transaction of its own: what one of them lacks stops none of the others. */
const onQuote = (engine: Engine, { client, id }: Due, run: (c: Context, row: Row) => Promise<void> | void) =>
  engine.inTenant(client, { actor: systemActor(client, 'quotes'), requestId: `quote ${id}` }, async (c) => {
    const row = await held(c, id)
    if (row) await run(c, row)
    return () => undefined
  })

/** The quote, locked. */
async function held({ work }: Context, id: number): Promise<Row | undefined> {
  const [row] = await hold(work.tx, quote, work.clientId, (next) => `t.id = ${next(id)}::bigint`)
  return row
}

interface Due {
  readonly client: number
  readonly id: number
}
const due = (engine: Engine, where: string) =>
  engine.db.tx('system', (tx) =>
    tx.rows<Due>(
      `SELECT q.client_id AS client, q.id FROM quote q LEFT JOIN quote_settings s ON s.client_id = q.client_id
       WHERE q.status_id = 2 AND ${where} ORDER BY q.expires_at LIMIT 1000`,
    ),
  )

/** An open quote that is past its day becomes an expired one, and its contact's timeline says so. */
const expire = schedule({
  name: 'quotes-expire',
  every: { minutes: 15 },
  run: async (engine) => {
    for (const found of await due(engine, 'q.expires_at <= now()'))
      await onQuote(engine, found, ({ work }, row) => {
        if (row.state !== 'open' || Date.parse(String(row.expiresAt)) > now().epochMilliseconds) return
        work.update(quote, row, { status: statusOf('expired') }, 'expire')
        const at = ukDate(Temporal.Instant.from(String(row.expiresAt)))
        if (row.contact !== null)
          work.create(note, {
            contact: row.contact,
            user: row.owner,
            author: row.ownedBy,
            notes: `Quote ${textOf(row.reference)} (${formatMoney(Number(row.total), String(row.currency))} including VAT) expired on ${at} without an answer.`,
          })
      })
  },
})

const within = (column: string) =>
  `(coalesce(s.${column}, ${column === 'first_reminder' ? 7 : 1}) > 0 AND q.expires_at <= now() + make_interval(days => coalesce(s.${column}, ${column === 'first_reminder' ? 7 : 1})))::int`

/** Reminders before a quote expires: as many as its days say by now, one letter at a time. */
const remind = schedule({
  name: 'quotes-remind',
  every: { daily: '09:00' },
  run: async (engine) => {
    const owed = `${within('first_reminder')} + ${within('second_reminder')}`
    const where = `q.expires_at > now() AND q.send_email AND q.email_to <> '' AND q.sent_at < now() - interval '1 day' AND q.reminders_sent < ${owed}`
    for (const found of await due(engine, where))
      await onQuote(engine, found, async (c, row) => {
        if (row.state !== 'open') return
        const rules = await settingsOf(c.work)
        const left = (Date.parse(String(row.expiresAt)) - now().epochMilliseconds) / 86_400_000
        const owed = [rules.firstReminder, rules.secondReminder].filter((days) => days > 0 && left <= days).length
        if (left <= 0 || Number(row.remindersSent) >= owed) return
        await post(c, textOf(row.emailTo), reminderMail(await factsOf(engine, c.work, row)), 'quote-reminder')
        c.work.update(quote, row, { remindersSent: owed }, 'remind')
      })
  },
})

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
export const quoteSchedules = [expire, remind]
