import type { Instant } from '#kernel/time.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import { keepAttachment } from '#rooms/portal/offers.server.ts'
import type { Context } from '#server/engine/context.ts'
import { listener } from '#server/engine/listener.ts'
import { schedule } from '#server/engine/schedule.ts'
import { remind } from '#server/runs/remind.ts'
import { sweep } from '#server/runs/sweep.ts'
import { factsOf } from '../letters/letter.server.ts'
import { acceptedMail, reminderMail } from '../letters/mail.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { paymentsWords } from '../lines/sum.ts'
import { pdfName, pdfOf } from '../paper/pdf.server.ts'
import { stateOf } from '../paper/state.ts'
import { quoteAccepted, quoteDeclined } from './events.ts'
import { noteReminder, type QuoteRow } from './facts.server.ts'
import { post } from './letters.server.ts'
import { quote } from './quote.ts'
import { tellOwner } from './quote-notice.server.ts'
import { statusOf } from './status.ts'

/** Open quotes that are past their day become expired ones. */
const expireQuotes = schedule({
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
      async (c, row) => void (await c.act(quote, 'expire', row, {})),
    ),
})

/** Reminds customers before their quote expires, on the days that the client has settled. */
const remindCustomers = remind({
  name: 'quote.expiry',
  of: quote,
  on: 'expiresAt',
  daily: '09:00',
  at: {
    most: 90,
    of: async (c) => {
      const rules = await settingsOf(c)
      return [rules.firstReminder, rules.secondReminder].filter((days) => days > 0)
    },
  },
  where: { status: statusOf('open'), sendEmail: true },
  unless: (c, row) => !row.emailTo || stateOf(row, c.now) !== 'open' || sentToday(row, c.now),
  send: async (c, row) => {
    await post(c, row, reminderMail(await factsOf(c, row)), 'quote-reminder')
    await noteReminder(c, row)
  },
})

const sentToday = (row: { sentAt: string | null }, now: Instant) =>
  row.sentAt !== null && Temporal.Instant.compare(Temporal.Instant.from(row.sentAt), now.subtract({ hours: 24 })) > 0

/** Thanks for an acceptance, with the signed quote, and word to the owner. */
const thank = listener(quoteAccepted, {
  name: 'quote.thank',
  lane: 'events',
  run: async (c, accepted) => {
    const [row] = await c.lockAll(quote, { id: accepted.quote })
    if (!row) return
    const facts = await factsOf(c, row)
    const signedAt = Temporal.Instant.from(row.decidedAt ?? accepted.acceptedAt)
    const mail = acceptedMail({ ...facts, signedBy: row.decidedBy, signedAt })
    if (row.sendEmail && row.emailTo) await post(c, row, mail, 'quote-accepted', [await signedPdf(c, row.id)])
    await mailOwner(c, row, facts.owner.email, `${row.decidedBy} has accepted ${row.reference}`)
    await tellOwner(c, row)
  },
})

/** What was signed, for the customer to keep: the link to it ends some day. */
async function signedPdf(c: Context, id: number) {
  const signed = await c.engine.one(quote, c.actor, id)
  const bytes = await pdfOf(c.engine, c.clientId, signed)
  return keepAttachment(c, { filename: pdfName(signed), contentType: 'application/pdf', bytes })
}

/** Word to the owner that a customer has declined. */
const tellDeclined = listener(quoteDeclined, {
  name: 'quote.tell-declined',
  lane: 'events',
  run: async (c, declined) => {
    const [row] = await c.lockAll(quote, { id: declined.quote })
    if (!row) return
    const { owner } = await factsOf(c, row)
    await mailOwner(c, row, owner.email, `${row.company || row.emailTo} has declined ${row.reference}`)
    await tellOwner(c, row)
  },
})

/** A short letter to the owner, who signs in to see the rest. */
async function mailOwner(c: Context, row: QuoteRow, to: string, subject: string): Promise<void> {
  if (!to) return
  const lines = [
    `${subject}: ${paymentsWords(row)}.`,
    row.reason ? `The reason: ${row.reason}` : '',
    `Customer: ${row.company}`,
  ]
  await c.after(letter, { to, subject, body: lines.filter(Boolean).join('\n\n'), template: 'quote-word' })
}

export const quoteListeners = [thank, tellDeclined]
export const quoteSchedules = [expireQuotes, remindCustomers]
