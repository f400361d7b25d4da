import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Problem, problem } from '#kernel/errors.ts'
import { longText } from '#kernel/fields.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDeclaredBody } from '#server/engine/route-input.ts'
import {
  discardReceivedFile,
  ensureTemporaryUploadFolder,
  FileTooLargeError,
  type ReceivedFile,
  receiveToDisk,
} from '#server/files/receive.ts'
import { parseJson } from '#server/http/json.ts'
import { MemoryLimitError, PoolBusyError, ProcessEndedError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool } from '#server/processes/pool.ts'
import { findAnsweredMessage } from '../mail/incoming.server.ts'
import type { MailJob, MailJobResult } from '../mail/mail-worker.server.ts'
import type { ReceivedMail } from '../mail/received-mail.server.ts'
import { recordReceivedMail } from './record.server.ts'

/** One process that parses e-mails from strangers, so it has no environment and can be killed. */
const pool = lazyPool<MailJob, MailJobResult>(() => ({
  program: new URL('../mail/mail-worker.server.ts', import.meta.url),
  workers: 1,
  each: 1,
  queue: 20,
  queueEach: 20,
  timeoutMs: 20_000,
  idleMs: 60_000,
  keeps: 200 * 2 ** 20,
  memory: 768 * 2 ** 20,
}))

/** An e-mail with its files on disk, or the reason why it can't be read. */
type ReadResult = { readonly mail: ReceivedMail<ReceivedFile> } | { readonly why: string }

/** Reads an e-mail. Throws 429 if too many e-mails are waiting. */
async function readMessage(job: MailJob): Promise<ReadResult> {
  try {
    const { mail } = await pool().ask(job)
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

/** Maximum difference in seconds between the signature's time and the current time, in the past or future. */
const FRESH_SECONDS = 300
/** Maximum size of an e-mail as received. Mail services send at most 25 MB, and phones attach photos of 2 to 8 MB. */
const MAX_MEGABYTES = 25
/** `MAX_MEGABYTES` in Base64 characters. */
const MAX_CHARACTERS = Math.ceil((MAX_MEGABYTES * 2 ** 20) / 3) * 4
/** Maximum size of a body, including line breaks in its Base64. */
const MAX_BODY_BYTES = MAX_CHARACTERS * 1.1
/** Maximum size of a body that is parsed at once. A larger one must have the message as its first property. */
const MAX_PARSED_BYTES = 1_500_000

const tooLarge = () => new Problem(413, `The e-mail is too large. The limit is ${MAX_MEGABYTES} MB.`)
const badSignature = () => problem.forbidden('The signature is missing, wrong or too old.')

/** Parses the signature's header: `t=1764000000,v1=<hex>`. Throws 403 if it is missing or too old. */
function parseSignature(header: string | string[] | undefined, seconds: number) {
  const [, at = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec([header ?? ''].flat().join()) ?? []
  if (!given || Math.abs(seconds - Number(at)) > FRESH_SECONDS) throw badSignature()
  return { at, given: Buffer.from(given, 'hex') }
}

const INPUT = {
  message: longText({
    required: true,
    max: MAX_CHARACTERS,
    help: 'The e-mail as received (RFC 5322), in base64; at most 25 MB.',
  }),
}

/**
 * Yields the characters of the message in a JSON body. A large body is not parsed as a whole, so the message must be
 * its first property. Throws 400 for any other body.
 */
async function* messageOf(c: RouteContext): AsyncGenerator<Buffer> {
  // The request stays open after an error, so that the sender gets the response.
  const body = c.request.stream?.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  const parts: Buffer[] = []
  let bytes = 0
  let pending: string | undefined
  for await (const chunk of body) {
    bytes += chunk.length
    if (pending === undefined) {
      parts.push(chunk)
      if (bytes <= MAX_PARSED_BYTES) continue
      const text = Buffer.concat(parts).toString('latin1')
      const start = /^\s*\{\s*"message"\s*:\s*"/.exec(text)?.[0].length
      if (start === undefined) throw problem.invalidJson('A body of more than 1.5 MB must begin with {"message":"')
      pending = text.slice(start)
    } else pending = pending + chunk.toString('latin1')
    const { characters, rest } = takeCharacters(pending)
    pending = rest
    if (characters) yield Buffer.from(characters, 'latin1')
  }
  if (pending === undefined) yield Buffer.from(await parseSmallBody(c, Buffer.concat(parts).toString('utf8')))
  else if (!/^"\s*\}\s*$/.test(pending)) throw problem.invalidJson('The body is not valid JSON.')
}

/** Takes the characters of a JSON string up to its end or an incomplete escape sequence. Throws 400 for other escapes. */
function takeCharacters(text: string): { characters: string; rest: string } {
  if (text.startsWith('"')) return { characters: '', rest: text.slice(0, 100) }
  const quote = text.indexOf('"')
  const end = quote >= 0 ? quote : text.endsWith('\\') ? text.length - 1 : text.length
  const characters = text.slice(0, end).replace(/\\(.)/g, (_, c: string) => {
    if (c !== '/' && c !== 'n' && c !== 'r') throw problem.invalidJson('The message is not in base64.')
    return c === '/' ? c : c === 'n' ? '\n' : '\r'
  })
  return { characters, rest: text.slice(end) }
}

async function parseSmallBody(c: RouteContext, text: string): Promise<string> {
  const body = parseJson(text.trim())
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw problem.invalidJson('The body must be a JSON object.')
  const { input, wrong } = await parseDeclaredBody({ ...c, body: body as Record<string, unknown> }, INPUT)
  if (wrong.length) throw problem.invalid(wrong)
  return input.message ?? ''
}

/**
 * Writes the message to a file on disk, in Base64. Throws 403 unless it was signed with the shared secret
 * (`x-signature: t=1764000000,v1=<HMAC-SHA256 of "t.message" in hex>`), and 413 if it is too large.
 */
async function receiveSignedMessage(c: RouteContext, secret: string): Promise<ReceivedFile> {
  if (Number(c.request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const { at, given } = parseSignature(c.request.headers['x-signature'], Date.now() / 1000)
  const hmac = createHmac('sha256', secret).update(`${at}.`)
  const authenticated = async function* () {
    for await (const chunk of messageOf(c)) {
      hmac.update(chunk)
      yield chunk
    }
  }
  const file = await receiveToDisk(Readable.from(authenticated()), MAX_CHARACTERS).catch((e: unknown) => {
    throw e instanceof FileTooLargeError ? tooLarge() : e
  })
  if (timingSafeEqual(hmac.digest(), given)) return file
  await discardReceivedFile(file)
  throw badSignature()
}

/** Route that receives e-mails forwarded by the mail server: replies, and reports about e-mails of the portal. */
const incoming: Route = {
  method: 'POST',
  path: '/api/email/inbound',
  title: 'Receive an e-mail from the mail server, signed with MAIL_INBOUND_SECRET',
  allow: 'anonymous',
  secret: true,
  streamed: true,
  input: INPUT,
  refuses: [403, 413, 429, 503],
  handle: async (c) => {
    const { mailInboundSecret } = c.engine.config
    if (!mailInboundSecret) throw problem.notFound('Incoming e-mail is not configured: MAIL_INBOUND_SECRET is not set.')
    const message = await receiveSignedMessage(c, mailInboundSecret)
    const folder = await mkdtemp(join(await ensureTemporaryUploadFolder(), 'mail-'))
    try {
      const read = await readMessage({ path: message.path, folder })
      if ('why' in read) return { taken: false, why: read.why }
      const { mail } = read
      const ours = await findAnsweredMessage(c.engine, mail.original)
      if (!mail.original || !ours) return { taken: false, why: 'The message is not a reply to one of our e-mails.' }
      const { clientId } = mail.original
      const change = { actor: createSystemActor(clientId, 'receive an e-mail'), requestId: c.request.id }
      return await recordReceivedMail(c.engine, { clientId, change, ours, mail })
    } finally {
      await Promise.all([discardReceivedFile(message), rm(folder, { recursive: true, force: true })])
    }
  },
}

export const receivedMail = feature({ routes: [incoming] })
