import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { problem, violation } from '#kernel/errors.ts'
import { longText } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { createBearerActor, createSystemActor } from '#kernel/roles.ts'
import { findBrandName } from '#modules/portal/clients/client.server.ts'
import { parseUnsubscribeToken } from '#modules/portal/mail/stop-link.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { MemoryLimitError, PoolBusyError, ProcessEndedError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool } from '#server/processes/pool.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { type MailMergeKind, mergeTextError } from '../merge-fields/merge.ts'
import type { MailJob, MailJobResult } from './mail-worker.server.ts'
import { mailMessage } from './message.ts'
import type { ReceivedMail } from './received-mail.server.ts'
import { emailSuppression } from './suppression.ts'
import { emailTemplate } from './template.ts'

/** One process that parses e-mails from strangers, so it has no environment and can be killed. */
const pool = lazyPool<MailJob, MailJobResult>(() => ({
  program: new URL('./mail-worker.server.ts', import.meta.url),
  workers: 1,
  each: 1,
  queue: 20,
  queueEach: 20,
  timeoutMs: 10_000,
  idleMs: 60_000,
  keeps: 200 * 2 ** 20,
  memory: 512 * 2 ** 20,
}))

/** Reads an e-mail, or returns why it can't be read. Throws 429 if too many e-mails are waiting. */
async function readMessage(message: string): Promise<{ readonly mail: ReceivedMail } | { readonly why: string }> {
  try {
    const { mail } = await pool().ask({ message })
    return mail ? { mail } : { why: 'The message can’t be read as an e-mail.' }
  } catch (e) {
    if (e instanceof PoolBusyError)
      throw problem.busy('Many e-mails are being received. Please send this one again.', 30)
    const isTooComplex = e instanceof TimeLimitError || e instanceof MemoryLimitError
    if (isTooComplex || (e instanceof ProcessEndedError && e.signal === 'SIGABRT'))
      return { why: 'The message is too complex to read.' }
    throw e
  }
}

/** Returns whether an address is suppressed. Letter case is ignored. */
export async function isSuppressedAddress(c: Pick<Context, 'work' | 'clientId'>, address: string): Promise<boolean> {
  const found = await c.work.tx.rows(
    'SELECT 1 FROM email_suppression WHERE client_id = $1 AND lower(address) = lower($2) AND NOT retired',
    [c.clientId, address],
  )
  return found.length > 0
}

/** Suppresses an address. Returns false if it is already suppressed. */
async function suppressAddress(
  c: Context,
  {
    address,
    reason,
    detail,
    message,
  }: { address: string; reason: 'asked' | 'bounced'; detail: string; message: number },
): Promise<boolean> {
  if (await isSuppressedAddress(c, address)) return false
  await c
    .withoutPermissionCheck('recipients may opt out')
    .create(emailSuppression, { address, reason, detail, message })
  return true
}

export const mailBehaviours = [
  behaviour(emailSuppression, {
    beforeSave: async (c) => {
      if (!c.before && (await isSuppressedAddress(c, c.values.address ?? '')))
        throw problem.invalid([violation('address', 'This e-mail address has already opted out')])
      if (c.before && c.changes.address !== undefined && c.changes.address !== c.before.address)
        throw problem.conflict(
          'The e-mail address of an opt-out can’t be changed. Please lift this opt-out and add another.',
        )
      if (c.changes.retired && !c.values.liftedReason?.trim())
        throw problem.invalid([violation('liftedReason', 'Please explain why e-mails may be sent again')])
      return undefined
    },
  }),
  behaviour(emailTemplate, {
    beforeSave: ({ values }) => {
      const kind: MailMergeKind = values.kind ?? 'lead'
      const wrong = (['subject', 'body'] as const).flatMap((name) => {
        const refusal = mergeTextError(kind, values[name] ?? '')
        return refusal ? [violation(name, refusal)] : []
      })
      if (wrong.length) throw problem.invalid(wrong)
      return undefined
    },
  }),
]

/** Returns the e-mail with this ID, or `undefined` if the secret doesn't match. */
async function findSignedMessage(
  engine: Engine,
  named: { readonly clientId: number; readonly id: number; readonly token: string } | undefined,
): Promise<RowOf<typeof mailMessage> | undefined> {
  if (!named) return undefined
  const row = await engine.readIn(named.clientId, 'find the e-mail that a reply answers', (c) =>
    c.get(mailMessage, named.id),
  )
  const [kept, given] = [Buffer.from(row?.token ?? ''), Buffer.from(named.token)]
  return row && kept.length === given.length && timingSafeEqual(kept, given) ? row : undefined
}

/** Returns the e-mail to which an unsubscribe link belongs. Throws 404 if the link is invalid. */
async function letterOf({ engine, params }: RouteContext) {
  const named = parseUnsubscribeToken(params.token)
  const row = await findSignedMessage(engine, named)
  if (!named || !row?.stoppable || !row.recipient)
    throw problem.notFound('This link is incomplete or has been changed. Please open it from the e-mail again.')
  return { clientId: named.clientId, row, recipient: row.recipient }
}

const PATH = '/api/email/unsubscribe/{token}'

/** Masks an address, such as `a…@acme.example`, so that only its owner recognises it. */
const veiled = (address: string): string => address.replace(/^(.).*(?=@)/, '$1…')

export const unsubscribeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'Get the recipient for an unsubscribe link, and whether the recipient has opted out',
    allow: 'anonymous',
    handle: async (c) => {
      const { clientId, recipient } = await letterOf(c)
      const from = await findBrandName(c.engine, clientId)
      const stopped = await c.engine.readIn(clientId, 'look up an opt-out', (r) =>
        r.exists(emailSuppression, { address: recipient, retired: false }),
      )
      return { address: veiled(recipient), from, stopped }
    },
  },
  {
    method: 'POST',
    path: PATH,
    title: 'Opt out of e-mails, on the unsubscribe page or by a mail program’s one-click request (RFC 8058)',
    allow: 'anonymous',
    ignoreBody: true,
    handle: async (c) => {
      const { clientId, row, recipient } = await letterOf(c)
      const by = createBearerActor(clientId, { username: 'recipient', name: 'The recipient' }, [])
      await c.engine.inTenant(clientId, { actor: by, requestId: c.request.id }, async (unit) => {
        const isNew = await suppressAddress(unit, {
          address: recipient,
          reason: 'asked',
          detail: 'Opted out with the link in an e-mail',
          message: row.id,
        })
        if (isNew && row.contact !== null)
          await addNoteToContact(unit, row.contact, {
            notes: `${recipient} has opted out of e-mails`,
            about: iriOf(mailMessage, row.id),
          })
        return () => undefined
      })
      return { address: veiled(recipient), stopped: true }
    },
  },
]

/** Maximum difference in seconds between the signature's time and the current time, in the past or future. */
const FRESH_SECONDS = 300
/** Maximum length of an incoming e-mail in Base64 characters, about 700 kB. */
const MAX_BASE64_CHARACTERS = 1_000_000
const MAX_TEXT_CHARACTERS = 20_000

/**
 * Throws 403 unless the request was recently signed with the shared secret: `x-signature: t=1764000000,v1=<HMAC-SHA256
 * of "t.message" in hex>`.
 */
function mustBeSigned(secret: string, header: string | string[] | undefined, said: string, seconds: number): void {
  const [, at = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec([header ?? ''].flat().join()) ?? []
  const right = createHmac('sha256', secret).update(`${at}.${said}`).digest()
  const fits = given !== '' && timingSafeEqual(right, Buffer.from(given, 'hex'))
  if (!fits || Math.abs(seconds - Number(at)) > FRESH_SECONDS)
    throw problem.forbidden('The signature is missing, wrong or too old.')
}

/** Route that receives e-mails forwarded by the mail server: replies and delivery failure reports. */
const incoming: Route = routeWithInput(
  {
    message: longText({
      required: true,
      max: MAX_BASE64_CHARACTERS,
      help: 'The e-mail as received (RFC 5322), in base64.',
    }),
  },
  {
    method: 'POST',
    path: '/api/email/inbound',
    title: 'Receive an e-mail from the mail server, signed with MAIL_INBOUND_SECRET',
    allow: 'anonymous',
    secret: true,
    refuses: [403, 429],
    handle: async (c) => {
      const { mailInboundSecret } = c.engine.config
      if (!mailInboundSecret)
        throw problem.notFound('Incoming e-mail is not configured: MAIL_INBOUND_SECRET is not set.')
      const { message: given } = c.input
      mustBeSigned(mailInboundSecret, c.request.headers['x-signature'], given, Date.now() / 1000)
      const read = await readMessage(given)
      if ('why' in read) return { taken: false, why: read.why }
      const { mail } = read
      const { original, bounce } = mail
      const ours = await findSignedMessage(c.engine, original)
      if (!original || !ours) return { taken: false, why: 'The message is not a reply to one of our e-mails.' }
      const change = { actor: createSystemActor(original.clientId, 'receive an e-mail'), requestId: c.request.id }
      return c.engine.inTenant(original.clientId, change, async (unit) => {
        const taken = bounce ? await recordBounce(unit, ours.id, bounce) : await addReply(unit, ours.id, mail)
        return () => ({ taken, ...(bounce ? { bounced: true } : {}) })
      })
    },
  },
)

/**
 * Records that an e-mail bounced and adds a note to its lead. If the report says that the recipient's address is
 * invalid, the address is suppressed. Returns false if the bounce has already been recorded.
 */
async function recordBounce(
  c: Context,
  id: number,
  { status, reason }: NonNullable<ReceivedMail['bounce']>,
): Promise<boolean> {
  const row = await c.lock(mailMessage, id)
  if (row.state === 'bounced') return false
  await c.set(mailMessage, row, { state: 'bounced', error: reason.slice(0, 255) }, 'bounce')
  if (/^5\.1\.\d+$/.test(status) && row.recipient)
    await suppressAddress(c, { address: row.recipient, reason: 'bounced', detail: reason.slice(0, 300), message: id })
  if (row.contact !== null)
    await addNoteToContact(c, row.contact, {
      notes: `The e-mail “${row.subject}” to ${row.recipient} was returned: ${reason}`,
      about: iriOf(mailMessage, id),
    })
  return true
}

/**
 * Adds a reply to the thread of the original e-mail, and a note to its lead. Returns false if the same reply has
 * already been added.
 */
async function addReply(c: Context, id: number, mail: ReceivedMail): Promise<boolean> {
  const row = await c.lock(mailMessage, id)
  const text = mail.text.slice(0, MAX_TEXT_CHARACTERS)
  const sender = mail.from.slice(0, 255)
  const [kept] = await c.work.tx.rows<{ id: number }>(
    `INSERT INTO message (client_id, recipient, sender, subject, body, state, incoming, contact_id, account_id, user_id, answer_to, foreign_id, created_at)
     VALUES ($1, $2, $3, $4, $5, 'received', true, $6, $7, $8, $9, $10, portal_now())
     ON CONFLICT (client_id, foreign_id) WHERE foreign_id IS NOT NULL DO NOTHING RETURNING id`,
    [
      c.clientId,
      mail.to.slice(0, 254),
      sender,
      mail.subject.slice(0, 255),
      text,
      row.contact,
      row.account,
      row.user,
      row.id,
      createHash('sha256').update(mail.identity).digest('hex'),
    ],
  )
  if (!kept) return false
  c.work.touched.add('message')
  if (row.contact !== null)
    await addNoteToContact(c, row.contact, {
      notes: `${sender} replied to “${row.subject}”:\n${text}`.slice(0, 2000),
      about: iriOf(mailMessage, kept.id),
    })
  return true
}

export const incomingMailRoutes: readonly Route[] = [incoming]
