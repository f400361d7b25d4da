import { Readable } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { PORTAL_NAME_PLACEHOLDER, SECRET_LINK_PLACEHOLDER, sanitiseNameForEmail } from '#kernel/system-email.ts'
import { isEmail } from '#kernel/validate.ts'
import type { Config } from '#server/config.ts'
import { type ExternalHandlerContext, eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { schedule } from '#server/engine/schedule.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { findBrandName } from '../clients/client.server.ts'
import { type ClaimedEmail, EmailSendAttempt, messageIdSecret } from './claim.server.ts'
import { type EmailRequest, emailRequested, emailsDue, type QueuedEmailAttachment } from './letter.ts'
import { unsubscribeText, unsubscribeUrl } from './stop-link.ts'

/** Time-outs in milliseconds: for connecting, for the server's greeting and for each response. */
const SMTP_TIMEOUTS_MS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

/** Settings of the connection pool. The limits are those of the mail library. */
const POOL = { pool: true, maxConnections: 5, maxMessages: 100, maxRequeues: 2, idleTimeout: 5_000 } as const

/** An e-mail as passed to the mail server. */
type OutgoingEmail = SendMailOptions & { readonly messageId: string }

/**
 * Callback that runs when the server is ready to receive the content, before the content is sent. Throws to prevent
 * sending.
 */
type Gate = () => Promise<void>

class Post {
  readonly url: string
  private readonly it: Transporter
  private readonly gates = new Map<string, Gate>()
  constructor(url: string, it: Transporter) {
    this.url = url
    this.it = it
    it.use('stream', (mail, done) => {
      const { message } = mail
      const gate = this.gates.get(String(mail.data.messageId))
      const stream = message.createReadStream.bind(message)
      message.createReadStream = (options) =>
        Readable.from(
          behind(gate, () => stream(options)),
          { objectMode: false },
        )
      done()
    })
  }

  async send(parcel: OutgoingEmail, gate: Gate): Promise<void> {
    this.gates.set(parcel.messageId, gate)
    try {
      await this.it.sendMail(parcel)
    } finally {
      this.gates.delete(parcel.messageId)
    }
  }

  close(): void {
    this.it.close()
  }
}

async function* behind(gate: Gate | undefined, stream: () => Readable): AsyncGenerator<Buffer> {
  if (!gate) throw new Error('An e-mail can’t be sent without a final check')
  await gate()
  yield* stream()
}

let post: Promise<Post> | undefined
let known = ''

/** Returns the connection pool for the mail server at this URL. */
function connectMailServer(url: string): Promise<Post> {
  if (post && known === url) return post
  void post?.then((old) => old.close())
  known = url
  post = import('nodemailer').then(
    ({ createTransport }) => new Post(url, createTransport({ url, ...POOL, ...SMTP_TIMEOUTS_MS })),
  )
  return post
}

/** A refusal by a mail server, or a failure to send to it. */
interface MailRefusal {
  /** True for permanent refusals: a 5xx reply that concerns the e-mail itself, not the sender. */
  readonly final: boolean
  /** True if the server has replied. The outcome is then known. */
  readonly answered: boolean
  readonly reason: string
}

const MAX_REASON_LENGTH = 300

function classifyMailError(e: unknown): MailRefusal {
  const { code, responseCode, message } = e as Error & { code?: string; responseCode?: number }
  const ofLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    final: ofLetter && (responseCode ?? 0) >= 500,
    answered: responseCode !== undefined,
    reason: message.slice(0, MAX_REASON_LENGTH),
  }
}

/** An e-mail, with the brand name under which its recipient knows the portal. */
interface BrandedEmail extends EmailRequest {
  readonly name: string
}

/**
 * Finds the portal's name for e-mails to a client's users: the reseller's brand name for a reseller's clients,
 * otherwise the provider's.
 */
const findPortalName = async ({
  engine,
  clientId,
}: Pick<ExternalHandlerContext, 'engine' | 'clientId'>): Promise<string> =>
  sanitiseNameForEmail(await findBrandName(engine, clientId))

/** Replaces the placeholder with the portal's brand name for the client's users. */
export async function addPortalNameToEmail(
  to: Pick<ExternalHandlerContext, 'engine' | 'clientId'>,
  letter: EmailRequest,
): Promise<BrandedEmail> {
  const name = await findPortalName(to)
  const say = (words: string) => words.replaceAll(PORTAL_NAME_PLACEHOLDER, () => name)
  return { ...letter, subject: say(letter.subject), body: say(letter.body), name }
}

/**
 * Formats the sender: for the provider, the operator's setting; for other brands, the brand's name with the same e-mail
 * address.
 */
const formatSender = (
  { mailFrom, provider }: Pick<Config, 'mailFrom' | 'provider'>,
  { name }: Pick<BrandedEmail, 'name'>,
) =>
  name === sanitiseNameForEmail(provider)
    ? mailFrom
    : { name, address: /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim() }

/**
 * Creates the secret link and puts it into the e-mail. The link is valid immediately, and only its hash is stored. Returns `undefined` if the link may
 * no longer be created, in which case the e-mail is not sent.
 */
export async function addSecretLinkToEmail(
  { engine, clientId }: Pick<ExternalHandlerContext, 'engine' | 'clientId'>,
  letter: EmailRequest,
): Promise<EmailRequest | undefined> {
  if (!letter.link) return letter
  const { kind, about } = letter.link
  const link = await registryOf(engine).links.get(kind)?.make(engine, clientId, about)
  if (link === undefined) return undefined
  return { ...letter, body: letter.body.replaceAll(SECRET_LINK_PLACEHOLDER, () => link) }
}

/**
 * Time after which an e-mail is no longer retried. The queue gives up after about eight attempts in an hour and a half.
 */
const GIVEN_UP = "interval '4 hours'"

/**
 * Schedule that removes old daily counts, and the attachments of e-mails that are no longer retried. These e-mails are
 * marked as failed or, if the mail server may have accepted them, as possibly sent.
 */
const emailCleanupSchedule = schedule({
  name: 'portal.letters',
  every: { minutes: 60 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows("DELETE FROM letter_file WHERE created_at < now() - interval '31 days'")
      await tx.rows('DELETE FROM letter_day WHERE day < current_date - 31')
      await tx.rows(
        `UPDATE message SET state = CASE WHEN handed_at IS NULL THEN 'failed' ELSE 'perhaps sent' END
         WHERE (state = 'sending' AND claimed_until < now() OR state = 'waiting') AND tried_at < portal_now() - ${GIVEN_UP}`,
      )
    }),
})

/** Content of a stored e-mail; `undefined` if it may no longer be sent. */
type Contents = Pick<ClaimedEmail, 'subject' | 'body' | 'files'> | undefined

/**
 * Sends the e-mail in an event. An e-mail with a secret link is stored without its body, because only the recipient may
 * use the link. Without SMTP, the link is printed only on a terminal, because a server's output is logged.
 */
const sendEmail = eventHandler(emailRequested, {
  name: 'mail.send',
  queue: 'mail',
  send: async (to, payload) => {
    const named = await addPortalNameToEmail(to, payload)
    await sendKept(to, [await keep(to, named)], async () => {
      const whole = await addSecretLinkToEmail(to, named)
      return whole && { ...whole, files: whole.attachments }
    })
  },
})

const sendDueEmails = eventHandler(emailsDue, {
  name: 'mail.send-due',
  queue: 'mail',
  send: (to, { messages }) => sendKept(to, messages),
})

/**
 * Sends waiting e-mails. Skips those that were sent, are being sent by another process or have an unknown outcome.
 * Throws if any e-mail should be retried.
 */
async function sendKept(
  to: ExternalHandlerContext,
  ids: readonly number[],
  contentsOf: (m: ClaimedEmail) => Contents | Promise<Contents> = (m) => m,
): Promise<void> {
  const claim = new EmailSendAttempt(to)
  try {
    const { mine, elsewhere } = await claim.take(ids)
    const name = await findPortalName(to)
    const sent = await Promise.allSettled(mine.map(async (m) => sendOne(to, claim, m, name, await contentsOf(m))))
    const again = sent.find((one) => one.status === 'rejected')
    if (again) throw again.reason
    if (elsewhere) throw new Error(`${elsewhere} of these e-mails are being sent by another process`)
  } finally {
    claim.end()
  }
}

async function sendOne(
  to: ExternalHandlerContext,
  claim: EmailSendAttempt,
  m: ClaimedEmail,
  name: BrandedEmail['name'],
  contents: Contents,
): Promise<void> {
  const { id } = m
  const { smtpUrl } = to.engine.config
  if (!contents || !smtpUrl) {
    if (contents) tellOperator(to, { ...m, ...contents })
    return claim.settle({ id, state: 'kept', error: null })
  }
  let handed = false
  try {
    const post = await connectMailServer(smtpUrl)
    await post.send(await parcelOf(to, { ...m, ...contents }, name), async () => {
      await claim.hand(id)
      handed = true
    })
  } catch (e) {
    const { final, answered, reason } = classifyMailError(e)
    if (handed && !answered) return claim.settle({ id, state: 'perhaps sent', error: reason })
    await claim.settle({ id, state: final ? 'failed' : 'waiting', error: reason })
    if (!final) throw e
    return
  }
  await claim.settle({ id, state: 'sent', error: null })
}

/** Stores an e-mail with its final text, or updates it if it has already been stored. Returns its ID. */
async function keep({ engine, clientId, id }: ExternalHandlerContext, l: EmailRequest): Promise<number> {
  const [kept] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ id: number }>(
      `INSERT INTO message (client_id, letter, recipient, subject, body, template, confidential, author, attachments, about, from_name, reply_to, token)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, replace(gen_random_uuid()::text, '-', ''))
       ON CONFLICT (client_id, letter) DO UPDATE SET subject = excluded.subject, body = excluded.body, from_name = excluded.from_name,
         reply_to = excluded.reply_to RETURNING id`,
      [
        clientId,
        id,
        l.to,
        l.subject,
        l.confidential ? 'This e-mail contains a personal link and is not shown.' : l.body,
        l.template,
        l.confidential,
        l.author,
        l.attachments.map((a) => a.filename),
        l.about,
        l.from ? sanitiseNameForEmail(l.from.name) : '',
        l.from && isEmail(l.from.replyTo) ? l.from.replyTo : '',
      ],
    ),
  )
  if (!kept) throw new Error('An e-mail could not be stored')
  return kept.id
}

/** True if no e-mail can reach the address, as those of the demo data (RFC 2606, section 2). */
const isExampleAddress = (address: string): boolean => address.endsWith('.example')

function tellOperator({ engine }: ExternalHandlerContext, l: ClaimedEmail): void {
  if (l.confidential && !engine.config.databaseUrl && !isExampleAddress(l.recipient))
    process.stdout.write(
      `\nNo mail server is set up. To ${l.recipient}: ${l.subject}\n${/https?:\S+/.exec(l.body)?.[0] ?? ''}\n`,
    )
}

/** Builds an outgoing e-mail. If recipients may opt out, it contains an unsubscribe link (RFC 8058). */
async function parcelOf(to: ExternalHandlerContext, m: ClaimedEmail, name: string): Promise<OutgoingEmail> {
  const { config } = to.engine
  const say = (words: string) => words.replaceAll(PORTAL_NAME_PLACEHOLDER, () => name)
  const stop = m.stoppable ? unsubscribeUrl(config, { clientId: to.clientId, ...m }) : undefined
  return {
    from: formatSender(config, { name: m.fromName || name }),
    ...(m.replyTo ? { replyTo: m.replyTo } : {}),
    messageId: messageIdOf(config, { clientId: to.clientId, ...m }),
    to: m.recipient,
    subject: say(m.subject),
    text: say(stop ? `${m.body}\n\n${unsubscribeText(stop.page)}` : m.body),
    attachments: await Promise.all(m.files.map((file) => attachmentOf(to, file))),
    dsn: { id: messageIdSecret(m.token), return: 'headers', notify: ['failure'], recipient: m.recipient },
    ...(stop
      ? {
          headers: {
            'List-Unsubscribe': `<${stop.oneClick}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }
      : {}),
  }
}

/** Builds the message ID that identifies an e-mail in replies and bounces. The ID can't be guessed. */
const messageIdOf = (config: Config, m: { clientId: number; id: number; token: string }): string =>
  `<letter.${m.clientId}.${m.id}.${messageIdSecret(m.token)}@${hostOf(config)}>`

const hostOf = ({ publicUrl, mailFrom }: Config): string =>
  publicUrl ? new URL(publicUrl).hostname : (/@([\w.-]+)/.exec(mailFrom)?.[1] ?? 'localhost')

/** Loads an attachment for sending. Throws if it is missing. */
async function attachmentOf(
  to: ExternalHandlerContext,
  { filename, contentType, file, base64, key }: QueuedEmailAttachment,
) {
  if (key !== undefined) {
    const store = await fileStoreFor(to.engine.config)
    return { filename, contentType, content: await store.get(key) }
  }
  const content = file === undefined ? base64 : await readKept(to, file)
  if (content === undefined) throw new Error(`The attachment “${filename}” of this e-mail is no longer stored`)
  return { filename, contentType, content, encoding: 'base64' as const }
}

async function readKept({ engine, clientId }: ExternalHandlerContext, id: number): Promise<string | undefined> {
  const [kept] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ base64: string }>('SELECT base64 FROM letter_file WHERE client_id = $1 AND id = $2', [clientId, id]),
  )
  return kept?.base64
}

export const mail = feature({
  handlers: [sendEmail, sendDueEmails],
  schedules: [emailCleanupSchedule],
})
