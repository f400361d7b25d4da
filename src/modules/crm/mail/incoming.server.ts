import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { longText } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import type { Route } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { mailMessage } from './message.ts'
import {
  decodeHeader,
  findOwnMessageId,
  headerAddress,
  type MimePart,
  parseBounce,
  parseMail,
  replyTextOf,
} from './mime.ts'
import { findSignedMessage } from './stop.server.ts'
import { suppressAddress } from './suppression.server.ts'

/** Validity of a signature in seconds, in both directions. */
const FRESH_SECONDS = 300
/** Maximum length of an incoming e-mail in Base64 characters, some 700 kB. */
const LONGEST = 1_000_000
const MOST_WORDS = 20_000

/**
 * Throws 403 unless signed recently with the shared secret: `x-signature: t=1764000000,v1=<HMAC-SHA256 of "t.message"
 * in hex>`.
 */
function mustBeSigned(secret: string, header: string | string[] | undefined, said: string, seconds: number): void {
  const [, at = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec([header ?? ''].flat().join()) ?? []
  const right = createHmac('sha256', secret).update(`${at}.${said}`).digest()
  const fits = given !== '' && timingSafeEqual(right, Buffer.from(given, 'hex'))
  if (!fits || Math.abs(seconds - Number(at)) > FRESH_SECONDS)
    throw problem.forbidden('The signature is missing, wrong or too old.')
}

/** E-mails forwarded by the mail server: replies and delivery failure reports. */
const incoming: Route = routeWith(
  { message: longText({ required: true, max: LONGEST, help: 'The e-mail as received (RFC 5322), in base64.' }) },
  {
    method: 'POST',
    path: '/api/email/inbound',
    title: 'Receive an e-mail from the mail server, signed with MAIL_INBOUND_SECRET',
    allow: 'anonymous',
    secret: true,
    refuses: [403],
    handle: async (c) => {
      const { mailInboundSecret } = c.engine.config
      if (!mailInboundSecret)
        throw problem.notFound('Incoming e-mail is not configured: MAIL_INBOUND_SECRET is not set.')
      const { message: given } = c.input
      mustBeSigned(mailInboundSecret, c.request.headers['x-signature'], given, Date.now() / 1000)
      const letter = parseMail(Buffer.from(given, 'base64').toString('latin1'))
      const named = findOwnMessageId(letter)
      const ours = await findSignedMessage(c.engine, named)
      if (!named || !ours) return { taken: false, why: 'It is not a reply to one of our e-mails.' }
      const change = { actor: systemActor(named.clientId, 'receive an e-mail'), requestId: c.request.id }
      return c.engine.inTenant(named.clientId, change, async (unit) => {
        const bounce = parseBounce(letter)
        const taken = bounce ? await noteBounce(unit, ours.id, bounce) : await keepAnswer(unit, ours.id, letter)
        return () => ({ taken, ...(bounce ? { bounced: true } : {}) })
      })
    },
  },
)

/** Records a bounce. A non-existent address is suppressed. */
async function noteBounce(c: Context, id: number, { status, why }: { status: string; why: string }): Promise<boolean> {
  const row = await c.lock(mailMessage, id)
  if (row.state === 'bounced') return false
  await c.set(mailMessage, row, { state: 'bounced', error: why.slice(0, 255) }, 'bounce')
  if (/^5\.1\.\d+$/.test(status) && row.recipient)
    await suppressAddress(c, { address: row.recipient, reason: 'bounced', detail: why.slice(0, 300), message: id })
  if (row.contact !== null)
    await noteOnContact(c, row.contact, {
      notes: `The e-mail “${row.subject}” to ${row.recipient} was returned: ${why}`,
      about: iriOf(mailMessage, id),
    })
  return true
}

/** Adds a reply to the thread of the original e-mail, once. */
async function keepAnswer(c: Context, id: number, letter: MimePart): Promise<boolean> {
  const row = await c.lock(mailMessage, id)
  const words = replyTextOf(letter).slice(0, MOST_WORDS)
  const subject = decodeHeader(letter.headers.get('subject')).slice(0, 255)
  const sender = headerAddress(letter.headers.get('from')).slice(0, 255)
  const own = letter.headers.get('message-id') ?? `${sender} ${letter.headers.get('date')} ${words}`
  const [kept] = await c.work.tx.rows<{ id: number }>(
    `INSERT INTO message (client_id, recipient, sender, subject, body, state, incoming, contact_id, account_id, user_id, answer_to, foreign_id, created_at)
     VALUES ($1, $2, $3, $4, $5, 'received', true, $6, $7, $8, $9, $10, portal_now())
     ON CONFLICT (client_id, foreign_id) WHERE foreign_id IS NOT NULL DO NOTHING RETURNING id`,
    [
      c.clientId,
      headerAddress(letter.headers.get('to')).slice(0, 254),
      sender,
      subject,
      words,
      row.contact,
      row.account,
      row.user,
      row.id,
      createHash('sha256').update(own).digest('hex'),
    ],
  )
  if (!kept) return false
  c.work.touched.add('message')
  if (row.contact !== null)
    await noteOnContact(c, row.contact, {
      notes: `${sender} replied to “${row.subject}”:\n${words}`.slice(0, 2000),
      about: iriOf(mailMessage, kept.id),
    })
  return true
}

export const incomingMailRoutes: readonly Route[] = [incoming]
