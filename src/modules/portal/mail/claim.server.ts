import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { domainToUnicode } from 'node:url'
import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type Instant, LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { foldEmail } from '#kernel/validate.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { Tx } from '#server/db/db.ts'
import type { ExternalHandlerContext } from '#server/engine/handler.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'
import { client } from '../clients/client.ts'
import type { QueuedEmailAttachment } from './letter.ts'
import { type EmailRequest, emailAccepted, emailMessageIri, NO_CONSENT_ERROR } from './letter.ts'

type Attachment = EmailRequest['attachments'][number]

/** Stores an attachment once, for all e-mails that include it. */
export async function storeAttachment(
  c: Context,
  file: { readonly filename: string; readonly contentType: string; readonly bytes: Buffer },
): Promise<Attachment> {
  const { filename, contentType, bytes } = file
  const [kept] = await c.work.tx.rows<{ id: number }>(
    'INSERT INTO letter_file (client_id, name, type, base64) VALUES ($1, $2, $3, $4) RETURNING id',
    [c.clientId, filename, contentType, bytes.toString('base64')],
  )
  return { filename, contentType, file: kept?.id ?? 0 }
}

/**
 * An e-mail about a record, with its delivery status. `kept` means that the e-mail was only stored, because no mail
 * server is set up. `stopped` means that the recipient has opted out. `perhaps sent` means that the outcome is unknown.
 * `error` contains the reason for a failure.
 */
interface EmailStatus {
  readonly '@id': string
  readonly recipient: string
  readonly template: string
  readonly state: 'waiting' | 'sending' | 'sent' | 'perhaps sent' | 'bounced' | 'stopped' | 'kept' | 'failed'
  readonly error: string | null
  /** Instant in ISO 8601 format. */
  readonly createdAt: string
}

/** Loads the e-mails that were sent about a record, latest first, at most a hundred. The caller must check access to the record. */
export async function loadEmailsAbout(tx: Tx, clientId: number, about: string): Promise<EmailStatus[]> {
  const rows = await tx.rows<Omit<EmailStatus, '@id'> & { id: number }>(
    `SELECT id, recipient, template, state, error,
       ${isoUtcSql('created_at')} AS "createdAt"
     FROM message WHERE client_id = $1 AND about = $2 AND about <> '' AND NOT incoming ORDER BY id DESC LIMIT 100`,
    [clientId, about],
  )
  return rows.map(({ id, ...row }) => ({ '@id': emailMessageIri(id), '@type': 'Message', ...row }))
}

/** Does the same as `loadEmailsAbout`, in a transaction of its own. */
export const findEmailsAboutRecord = (engine: Engine, clientId: number, about: string): Promise<EmailStatus[]> =>
  engine.db.tx({ clientId }, (tx) => loadEmailsAbout(tx, clientId, about))

/**
 * Deducts the recipients of free-text e-mails from the client's daily allowance. Throws 429 with Retry-After if too few
 * are left. Runs in the caller's transaction. Until that transaction ends, the client's other transactions wait for the
 * allowance.
 */
export const consumeRecipientAllowance = (c: Context, count: number): Promise<void> =>
  takeLetters(c.work.tx, c.clientId, c.now, count)

/** Deducts one recipient from the client's daily allowance, if any is left. Returns whether one was. */
export async function tryConsumeRecipientAllowance(c: Context): Promise<boolean> {
  const taken = await c.work.tx.rows(
    `INSERT INTO letter_day (client_id, day, recipients)
     SELECT c.id, $2::date, 1 FROM client c WHERE c.id = $1 AND c.${client.columns.lettersPerDay} > 0
     ON CONFLICT (client_id, day) DO UPDATE SET recipients = letter_day.recipients + 1
       WHERE letter_day.recipients < (SELECT ${client.columns.lettersPerDay} FROM client WHERE id = $1)
     RETURNING recipients`,
    [c.clientId, londonDate(c.now).toString()],
  )
  return taken.length > 0
}

/**
 * Deducts account e-mails from the client's daily allowance, in the given transaction. There is no limit for the
 * provider's users.
 */
export async function consumeAccountEmailAllowance(
  tx: Tx,
  by: Pick<Actor, 'clientId'>,
  clientId: number,
  now: Instant,
  count: number,
): Promise<void> {
  if (by.clientId !== PROVIDER_CLIENT_ID) await takeLetters(tx, clientId, now, count)
}

/** Returns a client's daily allowance of recipients, and the part that is left today. */
export async function readRecipientAllowance(
  tx: Pick<Tx, 'rows'>,
  clientId: number,
  now: Instant,
): Promise<{ readonly perDay: number; readonly left: number }> {
  const [row] = await tx.rows<{ perDay: number; used: number }>(
    `SELECT c.${client.columns.lettersPerDay} AS "perDay", coalesce(d.recipients, 0) AS used
     FROM client c LEFT JOIN letter_day d ON d.client_id = c.id AND d.day = $2::date WHERE c.id = $1`,
    [clientId, londonDate(now).toString()],
  )
  const { perDay = 0, used = 0 } = row ?? {}
  return { perDay, left: Math.max(0, perDay - used) }
}

async function takeLetters(tx: Tx, clientId: number, now: Instant, count: number): Promise<void> {
  const today = londonDate(now)
  const [row] = await tx.rows<{ recipients: number; most: number }>(
    `INSERT INTO letter_day (client_id, day, recipients) VALUES ($1, $2::date, $3)
     ON CONFLICT (client_id, day) DO UPDATE SET recipients = letter_day.recipients + $3
     RETURNING recipients, (SELECT ${client.columns.lettersPerDay} FROM client WHERE id = $1) AS most`,
    [clientId, today.toString(), count],
  )
  const most = row?.most ?? 0
  if ((row?.recipients ?? 0) <= most) return
  const tomorrow = today.add({ days: 1 }).toZonedDateTime({ timeZone: LONDON_TIME_ZONE }).toInstant()
  const seconds = Math.ceil((tomorrow.epochMilliseconds - now.epochMilliseconds) / 1000)
  throw problem.busy(
    `Your company can e-mail ${most.toLocaleString('en-GB')} recipients a day, and this e-mail would exceed the limit. Please send it tomorrow, or ask your provider for a higher limit.`,
    Math.max(1, seconds),
  )
}

interface Waiting<In, Out> {
  readonly value: In
  readonly resolve: (out: Out) => void
  readonly reject: (e: unknown) => void
}

/**
 * Combines individual calls into batches. Calls made while a batch is running join the next batch. Results are returned
 * in call order. `lingerMs` is the number of milliseconds for which a batch waits for more calls before it starts.
 */
function batchCalls<In, Out>(
  work: (values: readonly In[]) => Promise<readonly Out[]>,
  { lingerMs = 0 } = {},
): (value: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let busy = false
  const go = async () => {
    busy = true
    while (waiting.length) {
      // Waits briefly, so that calls made at about the same time join one batch.
      await (lingerMs ? sleep(lingerMs) : Promise.resolve())
      const portion = waiting
      waiting = []
      try {
        const answers = await work(portion.map(({ value }) => value))
        for (const [i, { resolve }] of portion.entries()) resolve(answers[i] as Out)
      } catch (e) {
        for (const { reject } of portion) reject(e)
      }
    }
    busy = false
  }
  return (value) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ value, resolve, reject })
      if (!busy) void go()
    })
}

/**
 * Returns the addresses to which no e-mail may be sent. All spellings of an address count: capital letters,
 * invisible characters, a dot at the end, and both forms of an international domain name. `reason` limits the search to
 * suppressions for that reason.
 */
export async function findSuppressedAddresses(
  tx: Tx,
  clientId: number,
  addresses: readonly string[],
  reason: 'asked' | null = null,
): Promise<Set<string>> {
  const forms = new Map(addresses.map((address) => [address, spellingsOf(address)]))
  const rows = await tx.rows<{ key: string }>(
    `SELECT email_key(address) AS key FROM email_suppression
     WHERE client_id = $1 AND NOT retired AND email_key(address) = ANY($2::text[]) AND ($3::text IS NULL OR reason = $3)`,
    [clientId, [...forms.values()].flat(), reason],
  )
  const found = new Set(rows.map(({ key }) => key))
  return new Set(addresses.filter((address) => forms.get(address)?.some((form) => found.has(form))))
}

/** Returns the forms in which an address may have been stored: with its domain in ASCII and, as before, in Unicode. */
function spellingsOf(address: string): string[] {
  const ascii = foldEmail(address)
  const at = ascii.lastIndexOf('@') + 1
  return [ascii, ascii.slice(0, at) + domainToUnicode(ascii.slice(at))]
}

/** Secret in an e-mail's message ID. Replies quote it, so it differs from the secret of the unsubscribe link. */
export const messageIdSecret = (token: string): string => hash('sha256', `Message-ID ${token}`, 'hex').slice(0, 32)

/** An e-mail that this process has claimed for sending. */
export interface ClaimedEmail {
  readonly id: number
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly token: string
  readonly stoppable: boolean
  readonly confidential: boolean
  readonly files: readonly QueuedEmailAttachment[]
  /** Sender name; if empty, the portal's name is used. */
  readonly fromName: string
  readonly replyTo: string
}

type MailState = 'waiting' | 'sent' | 'kept' | 'failed' | 'perhaps sent'

interface Outcome {
  readonly id: number
  readonly state: MailState
  readonly error: string | null
}

/** Time since the last heartbeat after which another process may claim an e-mail. */
const CLAIM_TIMEOUT = "interval '2 minutes'"
const BEAT_MS = 30_000
/**
 * Number of further e-mails that are marked as handed over together with the current one. If the process dies, it is
 * unknown whether these e-mails were sent.
 */
const AHEAD = 20
/** Milliseconds to wait before saving outcomes, so that several outcomes are saved together. */
const OUTCOME_BATCH_MS = 15

/**
 * The e-mails that one attempt of a job sends. Each e-mail is claimed first. Before its content is sent, the claim is
 * checked, and the e-mail is marked as handed over together with the next ones. From then until the mail server's reply
 * is saved, only the mail server knows the outcome.
 */
export class EmailSendAttempt {
  private readonly to: ExternalHandlerContext
  private readonly token = randomUUID()
  /** E-mails that have not been handed over yet, in order. */
  private readonly next = new Set<number>()
  private readonly handed = new Map<number, Promise<boolean>>()
  private readonly beat = setInterval(() => void this.renew().catch(() => {}), BEAT_MS)
  constructor(to: ExternalHandlerContext) {
    this.to = to
  }

  /**
   * Claims waiting e-mails. If a process has died, its e-mails are sent again if no content had been sent; otherwise
   * they are marked as possibly sent. E-mails to recipients who have opted out are stopped. `elsewhere` is the number
   * of e-mails that other processes are sending.
   */
  take(ids: readonly number[]): Promise<{ mine: ClaimedEmail[]; elsewhere: number }> {
    return this.tx(async (tx) => {
      const due = await tx.rows<{ id: number; recipient: string }>(
        "SELECT id, recipient FROM message WHERE client_id = $1 AND id = ANY($2::bigint[]) AND stoppable AND state IN ('waiting', 'sending')",
        [this.to.clientId, ids],
      )
      const suppressed = await findSuppressedAddresses(
        tx,
        this.to.clientId,
        due.map(({ recipient }) => recipient),
      )
      const stopped = due.filter(({ recipient }) => suppressed.has(recipient)).map(({ id }) => id)
      // Consent may have been withdrawn since the e-mail was queued.
      const barred = await tx.rows<{ id: number }>(
        `SELECT m.id FROM message m JOIN contact c ON c.client_id = m.client_id AND c.id = m.contact_id
         WHERE m.client_id = $1 AND m.id = ANY($2::bigint[]) AND m.marketing
           AND marketing_bar(c.client_id, c.legal_form, c.company_number, m.recipient) IS NOT NULL`,
        [this.to.clientId, due.map(({ id }) => id)],
      )
      const mine = await tx.rows<ClaimedEmail & { state: string }>(
        `UPDATE message m SET claim = CASE WHEN m.handed_at IS NULL THEN $3 ELSE m.claim END, claimed_until = now() + ${CLAIM_TIMEOUT}, tried_at = portal_now(), error = s.reason,
           state = CASE WHEN m.handed_at IS NOT NULL THEN 'perhaps sent' WHEN s.reason IS NOT NULL THEN 'stopped' ELSE 'sending' END
         FROM (SELECT w.id, CASE WHEN w.id = ANY($4::bigint[]) THEN 'They do not want letters' WHEN w.id = ANY($5::bigint[]) THEN $6 END AS reason
               FROM message w WHERE w.client_id = $1 AND w.id = ANY($2::bigint[])
                 AND (w.state = 'waiting' OR w.state = 'sending' AND w.claimed_until < now()) FOR UPDATE) s
         WHERE m.client_id = $1 AND m.id = s.id
         RETURNING m.id, m.state, m.recipient, m.subject, m.body, m.token, m.stoppable, m.confidential, m.files,
           m.from_name AS "fromName", m.reply_to AS "replyTo"`,
        [this.to.clientId, ids, this.token, stopped, barred.map(({ id }) => id), NO_CONSENT_ERROR],
      )
      const [others] = await tx.rows<{ n: number }>(
        "SELECT count(*)::int AS n FROM message WHERE client_id = $1 AND id = ANY($2::bigint[]) AND state = 'sending' AND claim <> $3",
        [this.to.clientId, ids, this.token],
      )
      const ours = mine.filter(({ state }) => state === 'sending')
      for (const { id } of ours) this.next.add(id)
      return { mine: ours, elsewhere: others?.n ?? 0 }
    })
  }

  /** Saves that an e-mail's content is about to be sent. Throws if another process has claimed the e-mail. */
  async hand(id: number): Promise<void> {
    if (!(await (this.handed.get(id) ?? this.handFrom(id)))) throw new Error('Another process has claimed this e-mail')
  }

  /** Marks an e-mail as handed over, together with the next ones. Returns false if the claim is no longer valid. */
  private handFrom(id: number): Promise<boolean> {
    const ids = [id, ...[...this.next].filter((one) => one !== id).slice(0, AHEAD)]
    const ours = this.tx((tx) =>
      tx.rows<{ id: number }>(
        `UPDATE message SET handed_at = now(), claimed_until = now() + ${CLAIM_TIMEOUT}
         WHERE client_id = $1 AND id = ANY($2::bigint[]) AND claim = $3 AND state = 'sending' AND handed_at IS NULL AND claimed_until > now()
         RETURNING id`,
        [this.to.clientId, ids, this.token],
      ),
    ).then((rows) => new Set(rows.map((row) => row.id)))
    for (const one of ids) {
      this.next.delete(one)
      const isOurs = ours.then((all) => all.has(one))
      // Prevents an unhandled rejection. Each caller that awaits the promise still receives the error.
      isOurs.catch(() => undefined)
      this.handed.set(one, isOurs)
    }
    return this.handed.get(id) as Promise<boolean>
  }

  /** Saves the outcome of an e-mail. */
  readonly settle = batchCalls(
    async (all: readonly Outcome[]) => {
      await this.tx(async (tx) => {
        const rows = await tx.rows<{ about: string; template: string; sentAt: string }>(
          `UPDATE message m SET state = o.state, error = o.error, claimed_until = NULL,
           handed_at = CASE WHEN o.state = 'waiting' THEN NULL ELSE m.handed_at END,
           sent_at = CASE WHEN o.state = 'sent' THEN portal_now() ELSE m.sent_at END
         FROM unnest($2::bigint[], $3::text[], $4::text[]) o(id, state, error)
         WHERE m.client_id = $1 AND m.id = o.id AND m.claim = $5 AND m.state IN ('sending', 'perhaps sent')
         RETURNING m.about, m.template, CASE WHEN m.state = 'sent' THEN ${isoUtcSql('m.sent_at')} END AS "sentAt"`,
          [this.to.clientId, all.map((o) => o.id), all.map((o) => o.state), all.map((o) => o.error), this.token],
        )
        for (const one of rows.filter(({ about, sentAt }) => about && sentAt))
          await writeOutboxEvent(this.to.engine, tx, this.to.clientId, emailAccepted, one)
      })
      return all.map(() => undefined)
    },
    { lingerMs: OUTCOME_BATCH_MS },
  )

  end(): void {
    clearInterval(this.beat)
    this.to.engine.notifyCommit(new Set(['message', 'outbox']))
  }

  private renew(): Promise<unknown> {
    return this.tx((tx) =>
      tx.rows(
        `UPDATE message SET claimed_until = now() + ${CLAIM_TIMEOUT} WHERE client_id = $1 AND claim = $2 AND state = 'sending' AND claimed_until > now()`,
        [this.to.clientId, this.token],
      ),
    )
  }

  private tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.to.engine.db.tx({ clientId: this.to.clientId }, work)
  }
}
