import { create as disposition } from 'content-disposition'
import { Problem, problem } from '#kernel/errors.ts'
import { type Fields, flag } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import type { Query } from '#server/data/filters.ts'
import { type RequestFacts, type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { ACCEPTED_FILE_TYPES, fileExtensionOf, fileKindOfType, isInlineType } from '#server/files/kinds.ts'
import { cleanFileName } from '#server/files/plain-name.ts'
import { MissingFileError } from '#server/files/port.ts'
import { parseRange } from '#server/files/ranges.ts'
import { fileStoreFor } from '#server/files/store.ts'
import type { FileResource } from './stored-file.ts'

type Stored = RowOf<FileResource>

/** Storage key and content type of the requested version. */
interface Version {
  readonly key: string
  readonly type: string
  /** Bytes, if known. */
  readonly size: number | undefined
  readonly tag: string
  readonly inline: boolean
}

const original = (d: Stored, inline: boolean): Version => ({
  key: d.fileKey,
  type: d.type,
  size: d.size,
  tag: `"${d.checksum}"`,
  inline: inline && isInlineType(d.type),
})

const versionShown = (d: Stored): Version =>
  d.viewKey && d.viewType
    ? {
        key: d.viewKey,
        type: d.viewType,
        size: d.viewSize ?? undefined,
        tag: `"${d.checksum}-view"`,
        inline: true,
      }
    : original(d, true)

const thumbnail = (d: Stored): Version => {
  if (!d.thumbnailKey) throw problem.notFound('This file has no preview picture.')
  return { key: d.thumbnailKey, type: 'image/webp', size: undefined, tag: `"${d.checksum}-small"`, inline: true }
}

/** Gives a download the extension of its content type. */
function downloadName(kept: string, type: string): string {
  const name = cleanFileName(kept)
  const kind = fileKindOfType(type)
  return !kind || kind.endings.includes(fileExtensionOf(name))
    ? name
    : `${name.replace(/\.[^.]*$/, '')}.${kind.endings[0]}`
}

/** Routes for the content of files. Access to the record is checked on each request. */
export const createFileRoutes = (r: FileResource, allow: Roles): readonly Route[] => {
  const route = (
    path: string,
    title: string,
    choose: (d: Stored, query: Query) => Version,
    query: Fields = {},
  ): Route => ({
    method: 'GET',
    path: `${r.url}/{id}/${path}`,
    title,
    query,
    allow,
    file: ACCEPTED_FILE_TYPES,
    refuses: [416],
    handle: async (c) => send(c, await find(c, r), choose),
  })
  return [
    route(
      'file',
      'Get the content of an uploaded file; for a picture the display version or the original',
      (d, query) => (query.original === 'true' ? original(d, false) : versionShown(d)),
      { original: flag({ help: 'The file as it was uploaded.' }) },
    ),
    route('thumbnail', 'Get the thumbnail of an uploaded picture', thumbnail),
  ]
}

async function find({ engine, me, params }: RouteContext, r: FileResource): Promise<Stored> {
  const id = readId(params.id)
  if (id === undefined) throw problem.notFound()
  // The engine checks access to the record; row-level security limits the second read to the same tenants.
  await engine.one(r, me, id)
  const clientId = await engine.tenantOf(r, 'read', me, id)
  const found = await engine.readIn(clientId, 'read an accessible file', (c) => c.get(r, id))
  if (!found) throw problem.notFound()
  return found
}

/** First value of a header, or an empty string. */
const headerOf = ({ headers }: RequestFacts, name: string): string => [headers[name] ?? ''].flat()[0] ?? ''

async function send(
  { engine, query, request }: RouteContext,
  document: Stored,
  choose: (d: Stored, query: Query) => Version,
): Promise<RouteAnswer> {
  const { key, type, size, tag, inline } = choose(document, query)
  const headers: Record<string, string> = {
    etag: tag,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(size === undefined ? {} : { 'accept-ranges': 'bytes' }),
  }
  if (headerOf(request, 'if-none-match').includes(tag)) return new RouteAnswer(304, undefined, headers)
  const same = request.headers['if-range'] === undefined || request.headers['if-range'] === tag
  const range = size === undefined || !same ? undefined : parseRange(headerOf(request, 'range') || undefined, size)
  if (range === 'none')
    throw new Problem(416, `The file has only ${size} bytes.`, { headers: { 'content-range': `bytes */${size}` } })
  const store = await fileStoreFor(engine.config)
  const bytes = await store.get(key, range).catch((e: unknown) => {
    if (!(e instanceof MissingFileError)) throw e
    throw problem.notFound('The content of this file is missing from the file store. Please contact your provider.')
  })
  headers['content-type'] = type === 'text/plain' || type === 'text/csv' ? `${type}; charset=utf-8` : type
  headers['content-disposition'] = disposition(downloadName(document.name ?? 'file', type), {
    type: inline ? 'inline' : 'attachment',
  })
  if (!range)
    return new RouteAnswer(200, bytes, size === undefined ? headers : { ...headers, 'content-length': size.toString() })
  return new RouteAnswer(206, bytes, {
    ...headers,
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
    'content-length': (range.end - range.start + 1).toString(),
  })
}
