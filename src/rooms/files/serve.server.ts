import { create as disposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine.ts'
import { endingOf, isInline, kindOfType } from '#server/files/kinds.ts'
import { MissingFile } from '#server/files/port.ts'
import { readRange } from '#server/files/ranges.ts'
import { storeOf } from '#server/files/store.ts'
import type { Authenticate } from '#server/http/app.ts'
import { factsOf } from '#server/http/request.ts'
import { uploadedDocument } from './uploadedDocument.ts'

interface Stored {
  client_id: number
  name: string
  type: string
  size: number
  checksum: string
  file_key: string
  view_key: string | null
  view_type: string | null
  view_size: number | null
  thumbnail_key: string | null
}

/** Which bytes of a document are wanted, and as what they are sent. */
interface Version {
  readonly key: string
  readonly type: string
  /** Bytes, where known. */
  readonly size: number | undefined
  readonly tag: string
  readonly inline: boolean
}

const original = (d: Stored, inline: boolean): Version => ({
  key: d.file_key,
  type: d.type,
  size: d.size,
  tag: `"${d.checksum}"`,
  inline: inline && isInline(d.type),
})

const shown = (d: Stored): Version =>
  d.view_key && d.view_type
    ? {
        key: d.view_key,
        type: d.view_type,
        size: d.view_size ?? undefined,
        tag: `"${d.checksum}-view"`,
        inline: true,
      }
    : original(d, true)

const thumbnail = (d: Stored): Version => {
  if (!d.thumbnail_key) throw problem.notFound('This file has no picture of itself.')
  return { key: d.thumbnail_key, type: 'image/webp', size: undefined, tag: `"${d.checksum}-small"`, inline: true }
}

/** The name of a download ends as its content does. */
function downloadName(name: string, type: string): string {
  const kind = kindOfType(type)
  return !kind || kind.endings.includes(endingOf(name)) ? name : `${name.replace(/\.[^.]*$/, '')}.${kind.endings[0]}`
}

/**
 * The bytes of uploaded documents. They are streamed, so they have routes of their own beside the engine's; who may read the
 * record may read its bytes, which is asked each time.
 */
export function serveFiles(app: FastifyInstance, engine: Engine, authenticate: Authenticate): void {
  const at = `${uploadedDocument.url}/:id`
  const answer =
    (choose: (d: Stored, query: Record<string, unknown>) => Version) =>
    async (request: FastifyRequest, reply: FastifyReply) =>
      send(request, reply, engine, await find(request, engine, authenticate), choose)
  app.get(
    `${at}/file`,
    answer((d, query) => (query.original === 'true' ? original(d, false) : shown(d))),
  )
  app.get(`${at}/thumbnail`, answer(thumbnail))
}

async function find(request: FastifyRequest, engine: Engine, authenticate: Authenticate): Promise<Stored> {
  const facts = factsOf(request)
  const actor = facts.token === undefined ? undefined : await authenticate(facts.token, facts)
  if (!actor)
    throw problem.signIn(facts.token === undefined ? undefined : 'Your session has ended. Please sign in again.')
  const id = (request.params as { id: string }).id
  if (!/^\d{1,15}$/.test(id)) throw problem.notFound()
  // The engine decides whether this record is in reach; row-level security holds the second look to the same tenants.
  await engine.one(uploadedDocument, actor, Number(id))
  const [found] = await engine.db.tx({ clientId: actor.clientId, userId: actor.userId }, (tx) =>
    tx.rows<Stored>('SELECT * FROM uploaded_document WHERE client_id IN ($1, 0) AND id = $2', [
      actor.clientId,
      Number(id),
    ]),
  )
  if (!found) throw problem.notFound()
  return found
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  engine: Engine,
  document: Stored,
  choose: (d: Stored, query: Record<string, unknown>) => Version,
) {
  const { key, type, size, tag, inline } = choose(document, request.query as Record<string, unknown>)
  reply.headers({
    etag: tag,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(size === undefined ? {} : { 'accept-ranges': 'bytes' }),
  })
  if (String(request.headers['if-none-match'] ?? '').includes(tag)) return reply.code(304).send()
  const same = request.headers['if-range'] === undefined || request.headers['if-range'] === tag
  const range = size === undefined || !same ? undefined : readRange(request.headers.range, size)
  if (range === 'none') {
    reply.header('content-range', `bytes */${size}`)
    return reply.code(416).send()
  }
  const store = await storeOf(engine.config)
  const bytes = await store.get(key, range).catch((e: unknown) => {
    if (!(e instanceof MissingFile)) throw e
    request.log.error(e)
    throw problem.notFound('The content of this file is missing from the file store. Please tell your provider.')
  })
  reply.headers({
    'content-type': type === 'text/plain' || type === 'text/csv' ? `${type}; charset=utf-8` : type,
    'content-disposition': disposition(downloadName(document.name, type), { type: inline ? 'inline' : 'attachment' }),
  })
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    reply.header('content-length', range.end - range.start + 1)
  } else if (size !== undefined) reply.header('content-length', size)
  return reply.send(bytes)
}
