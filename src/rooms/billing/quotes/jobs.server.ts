import { formatMoney } from '#kernel/money.ts'
import { now, ukDate } from '#kernel/time.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import type { Job } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row } from '#server/data/plan.ts'
import type { Work } from '#server/data/work.ts'
import type { Engine } from '#server/engine.ts'
import { factsOf, post } from '../letters/letter.server.ts'
import { acceptedMail, reminderMail } from '../letters/mail.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { said } from '../lines/words.ts'
import { quote } from './quote.ts'
import { statusOf } from './status.ts'

/** The clock acts for nobody. */
const clock = (clientId: number) => ({
  userId: 0,
  clientId,
  username: 'system',
  name: 'The portal',
  roles: [],
  scopes: [],
})

/** One quote, locked, in a transaction of its own: what one of them lacks stops none of the others. */
const onQuote = (engine: Engine, clientId: number, id: number, run: (work: Work, row: Row) => Promise<void> | void) =>
  engine.inTenant(clientId, { actor: clock(clientId), requestId: `quote ${id}` }, async ({ work }) => {
    const [row] = await hold(work.tx, quote, clientId, (next) => `t.id = ${next(id)}::bigint`)
    if (row) await run(work, row)
    return () => undefined
  })

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
const expire: Job = {
  kind: 'quotes-expire',
  every: '*/15 * * * *',
  run: async (engine) => {
    for (const { client, id } of await due(engine, 'q.expires_at <= now()'))
      await onQuote(engine, client, id, (work, row) => {
        if (row.state !== 'open' || Date.parse(String(row.expiresAt)) > now().epochMilliseconds) return
        work.update(quote, row, { status: statusOf('expired') }, 'expire')
        const at = ukDate(Temporal.Instant.from(String(row.expiresAt)))
        if (row.contact !== null)
          work.create(note, {
            contact: row.contact,
            user: row.owner,
            author: row.ownedBy,
            notes: `Quote ${said(row.reference)} (${formatMoney(Number(row.total), String(row.currency))} including VAT) expired on ${at} without an answer.`,
          })
      })
  },
}

const within = (column: string) =>
  `(coalesce(s.${column}, ${column === 'first_reminder' ? 7 : 1}) > 0 AND q.expires_at <= now() + make_interval(days => coalesce(s.${column}, ${column === 'first_reminder' ? 7 : 1})))::int`

/** Reminders before a quote expires: as many as its days say by now, one letter at a time. */
const remind: Job = {
  kind: 'quotes-remind',
  every: '0 9 * * *',
  run: async (engine) => {
    const owed = `${within('first_reminder')} + ${within('second_reminder')}`
    const where = `q.expires_at > now() AND q.send_email AND q.email_to <> '' AND q.sent_at < now() - interval '1 day' AND q.reminders_sent < ${owed}`
    for (const { client, id } of await due(engine, where))
      await onQuote(engine, client, id, async (work, row) => {
        if (row.state !== 'open') return
        const rules = await settingsOf(work)
        const left = (Date.parse(String(row.expiresAt)) - now().epochMilliseconds) / 86_400_000
        const owed = [rules.firstReminder, rules.secondReminder].filter((days) => days > 0 && left <= days).length
        if (left <= 0 || Number(row.remindersSent) >= owed) return
        await post(work, said(row.emailTo), reminderMail(await factsOf(engine, work, row)), 'quote-reminder')
        work.update(quote, row, { remindersSent: owed }, 'remind')
      })
  },
}

/** What an acceptance sets going: thanks with the signed quote, and word to the owner. */
const accepted: Job = {
  kind: 'quote.accepted',
  run: (engine, payload, clientId) =>
    onQuote(engine, clientId, Number(payload.quote), async (work, row) => {
      const facts = await factsOf(engine, work, row)
      const signedAt = Temporal.Instant.from(String(row.decidedAt))
      if (row.emailTo)
        await post(
          work,
          said(row.emailTo),
          acceptedMail({ ...facts, signedBy: String(row.decidedBy), signedAt }),
          'quote-accepted',
        )
      await word(work, row, facts.owner.email, `${said(row.decidedBy)} has accepted ${said(row.reference)}`)
    }),
}

const declined: Job = {
  kind: 'quote.declined',
  run: (engine, payload, clientId) =>
    onQuote(engine, clientId, Number(payload.quote), async (work, row) => {
      const { owner } = await factsOf(engine, work, row)
      await word(
        work,
        row,
        owner.email,
        `${said(row.company) || said(row.emailTo)} has declined ${said(row.reference)}`,
      )
    }),
}

/** A short letter to the owner, who signs in to see the rest. */
async function word(work: Work, row: Row, to: string, subject: string): Promise<void> {
  const money = formatMoney(Number(row.total), String(row.currency))
  const lines = [
    `${subject}: ${money} including VAT.`,
    row.reason ? `The reason: ${said(row.reason)}` : '',
    `Customer: ${said(row.company)}`,
  ]
  if (to) await work.after('mail', { to, subject, body: lines.filter(Boolean).join('\n\n'), template: 'quote-word' })
}

export const quoteJobs: readonly Job[] = [expire, remind, accepted, declined]
