import { bearerActor, systemActor } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { storeAttachment } from '#modules/portal/mail/attachment.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { remind } from '#server/jobs/remind.ts'
import { sweep } from '#server/jobs/sweep.ts'
import { quoteMailFactsOf } from '../letters/letter.server.ts'
import { quoteAcceptedMail, quoteReminderMail } from '../letters/mail.ts'
import { loadQuoteRules } from '../letters/settings.server.ts'
import { describePayments } from '../lines/sum.ts'
import { quotePdfName, renderQuotePdf } from '../print/pdf.server.ts'
import { quoteAcceptanceState } from '../print/state.ts'
import { quoteAccepted, quoteDeclined } from './events.ts'
import { recordReminder } from './facts.server.ts'
import { queueQuoteMail } from './letters.server.ts'
import { type QuoteRow, quote } from './quote.ts'
import { notifyQuoteOwner } from './quote-notice.server.ts'
import { quoteStatusId } from './status.ts'

const expireQuotes = schedule({
  name: 'quotes-expire',
  every: { minutes: 15 },
  run: (engine) =>
    sweep(
      engine,
      {
        of: quote,
        where: { status: quoteStatusId('open') },
        condition: (next) => `t.expires_at <= ${next(engine.clock.now().toString())}::timestamptz`,
        reason: 'expire quotes',
      },
      async (c, row) => void (await c.act(quote, 'expire', row, {})),
    ),
})

/** Reminds customers before their quote expires, on the days in the client's settings. */
const remindCustomers = remind({
  name: 'quote.expiry',
  of: quote,
  on: 'expiresAt',
  daily: '09:00',
  daysBefore: {
    most: 90,
    of: async (c) => {
      const rules = await loadQuoteRules(c)
      return [rules.firstReminder, rules.secondReminder].filter((days) => days > 0)
    },
  },
  where: { status: quoteStatusId('open'), sendEmail: true },
  unless: (c, row) => !row.emailTo || quoteAcceptanceState(row, c.now) !== 'open' || sentToday(row, c.now),
  send: async (c, row) => {
    await queueQuoteMail(c, row, quoteReminderMail(await quoteMailFactsOf(c, row)), 'quote-reminder')
    await recordReminder(c, row)
  },
})

const sentToday = (row: { sentAt: string | null }, now: Instant) =>
  row.sentAt !== null && Temporal.Instant.compare(Temporal.Instant.from(row.sentAt), now.subtract({ hours: 24 })) > 0

/** Thanks the customer with the signed quote attached, as the link to it expires. */
const thank = eventHandler(quoteAccepted, {
  name: 'quote.thank-customer',
  queue: 'events',
  send: async ({ engine, clientId }, { quote: id }) => {
    const reader = bearerActor(clientId, { username: 'customer', name: 'The customer' }, [
      { type: quote.type, id, verbs: ['read'] },
    ])
    const signed = await engine.one(quote, reader, id)
    if (!signed.sendEmail || !signed.emailTo || signed.signedCopyAt) return
    const bytes = await renderQuotePdf(engine, clientId, signed)
    const why = { actor: systemActor(clientId, 'e-mail a signed quote to its customer'), requestId: 'letter' }
    await engine.inTenant(clientId, why, async (c) => {
      const row = await c.lock(quote, id)
      // On a retry after a crash it may have been sent already.
      if (row.signedCopyAt === null) await postSigned(c, row, bytes)
      return () => undefined
    })
  },
})

async function postSigned(c: Context, row: QuoteRow, bytes: Buffer): Promise<void> {
  const signedAt = Temporal.Instant.from(row.decidedAt ?? c.now.toString())
  const mail = quoteAcceptedMail({ ...(await quoteMailFactsOf(c, row)), signedBy: row.decidedBy, signedAt })
  const pdf = await storeAttachment(c, { filename: quotePdfName(row), contentType: 'application/pdf', bytes })
  await queueQuoteMail(c, row, mail, 'quote-accepted', [pdf])
  await c.set(quote, row, { signedCopyAt: c.now.toString() }, 'thank')
}

const tellAccepted = eventHandler(quoteAccepted, {
  name: 'quote.thank',
  queue: 'events',
  run: async (c, accepted) => {
    const [row] = await c.lockAll(quote, { id: accepted.quote })
    if (!row) return
    const { owner } = await quoteMailFactsOf(c, row)
    await mailOwner(c, row, owner.email, `${row.decidedBy} has accepted ${row.reference}`)
    await notifyQuoteOwner(c, row)
  },
})

const tellDeclined = eventHandler(quoteDeclined, {
  name: 'quote.tell-declined',
  queue: 'events',
  run: async (c, declined) => {
    const [row] = await c.lockAll(quote, { id: declined.quote })
    if (!row) return
    const { owner } = await quoteMailFactsOf(c, row)
    await mailOwner(c, row, owner.email, `${row.company || row.emailTo} has declined ${row.reference}`)
    await notifyQuoteOwner(c, row)
  },
})

/** Sends a short e-mail to the owner, who signs in to see the details. */
async function mailOwner(c: Context, row: QuoteRow, to: string, subject: string): Promise<void> {
  if (!to) return
  const lines = [
    `${subject}: ${describePayments(row)}.`,
    row.reason ? `Reason: ${row.reason}` : '',
    `Customer: ${row.company}`,
  ]
  await c.emit(emailRequested, { to, subject, body: lines.filter(Boolean).join('\n\n'), template: 'quote-word' })
}

export const quoteHandlers = [thank, tellAccepted, tellDeclined]
export const quoteSchedules = [expireQuotes, remindCustomers]
