import { buffer } from 'node:stream/consumers'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import type { ActionResult } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import { lockAccessibleRecord } from '#server/engine/lock-accessible.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { listRoute } from '#server/http/list-route.ts'
import { createUploadRoute, parseExpiryDate } from './upload.server.ts'
import { FILE_USER_ROLES, type FileResource, uploadedDocument } from './uploaded-document.ts'

/** The storage key of a picture's display version, and the picture's caption. */
export interface StoredPicture {
  /** ID of the picture's file record; undefined for old data that has no file record. */
  readonly id?: number
  readonly key: string
  readonly caption: string
}

/** A picture with its bytes, ready to print. */
export interface PrintablePicture {
  readonly id?: number
  readonly base64: string
  readonly caption: string
}

/** A document's reference to an uploaded file, with a caption; the file's own label is the default. */
export interface PictureReference {
  readonly id: number
  readonly label?: string | undefined
}

/** Finds pictures among a client's uploads, in the given order. Omits retired pictures. */
export async function findPictures(
  engine: Engine,
  clientId: number,
  shown: readonly PictureReference[],
): Promise<StoredPicture[]> {
  if (!shown.length) return []
  const found = await engine.readIn(clientId, 'find a document’s pictures', (c) =>
    c.find(uploadedDocument, { id: shown.map(({ id }) => id), retired: false }),
  )
  const files = new Map(found.map((file) => [file.id, file]))
  return shown.flatMap(({ id, label }) => {
    const file = files.get(id)
    return file?.viewKey ? [{ id, key: file.viewKey, caption: label || file.label || file.name || 'Picture' }] : []
  })
}

/** Reads the bytes of pictures. Pictures whose bytes are missing are omitted or, if `all` is true, cause a 404. */
export async function readPictures(
  engine: Engine,
  pictures: readonly StoredPicture[],
  all = false,
): Promise<PrintablePicture[]> {
  const store = await fileStoreFor(engine.config)
  const read = await Promise.all(
    pictures.map(async ({ id, key, caption }) => {
      const bytes = await store
        .get(key)
        .then(buffer)
        .catch(() => undefined)
      if (!bytes && all)
        throw problem.notFound(`The picture “${caption}” is missing from the file store. Please contact your provider.`)
      return bytes ? [{ ...(id === undefined ? {} : { id }), base64: bytes.toString('base64'), caption }] : []
    }),
  )
  return read.flat()
}

/** Row of a file, with its storage keys. */
export type StoredFileRow = RowOf<FileResource>

/** Returns the row of the requested file, with its storage key. Throws 404 if the user may not read the file. */
export async function findReadableFile({ engine, me, params }: RouteContext, r: FileResource): Promise<StoredFileRow> {
  const id = parseId(params.id)
  if (id === undefined) throw problem.notFound()
  // The engine checks access to the record. The second read runs in the record's tenant, where row-level security
  // applies.
  await engine.one(r, me, id)
  const clientId = await engine.tenantOf(r, 'read', me, id)
  const found = await engine.readIn(clientId, 'read an accessible file', (c) => c.get(r, id))
  if (!found) throw problem.notFound()
  return found
}

type File = RowOf<typeof uploadedDocument>
type Values = ValuesOf<typeof uploadedDocument>

/** Returns the IDs of all versions of the requested file. Throws 404 if the file is not accessible. */
export async function findFileVersionIds(c: RouteContext): Promise<readonly number[]> {
  const id = await c.engine.idOf(uploadedDocument, c.actor, c.params.id)
  await c.engine.one(uploadedDocument, c.actor, id)
  const clientId = await c.engine.tenantOf(uploadedDocument, 'read', c.me, id)
  return c.engine.readIn(clientId, 'find the versions of an accessible file', async (reader) => {
    const file = await reader.get(uploadedDocument, id)
    return file ? (await reader.find(uploadedDocument, { entry: file.entry })).map((one) => one.id) : []
  })
}

/**
 * Adds a version that replaces the newest one, which must be locked. The new version has the same first version, folder
 * and owner. Throws 409 if the file is retired, and 403 if the expiry date would change while impersonating.
 */
export async function addFileVersion(c: Context, newest: File, values: Values) {
  if (newest.retired) throw problem.conflict('This file has been retired. Please restore it first.')
  if (c.actor.original && (values.expires ?? null) !== newest.expires)
    throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  await c.set(uploadedDocument, newest, { replaced: true }, 'replace')
  // Flushes the change to the old version first, because there must be only one newest version at any time.
  await c.work.flush()
  const { entry, version, keeper, userId, folder, label, remindDays } = newest
  return c.withoutPermissionCheck('replace the previous version of a file').create(uploadedDocument, {
    label,
    remindDays,
    ...values,
    entry,
    keeper,
    userId,
    folder,
    version: version + 1,
    replaces: newest.id,
  })
}

/** Returns the fields of a file that describe its content. */
const contentOf = (file: File): Values => {
  const { name, type, size, width, height, checksum, fileKey, viewKey, viewType, viewSize, thumbnailKey } = file
  return { name, type, size, width, height, checksum, fileKey, viewKey, viewType, viewSize, thumbnailKey }
}

/**
 * Restores an earlier version by adding a new version with the same content and expiry date. Throws 409 if the version
 * is already the newest.
 */
export async function restoreFileVersion(c: Context & { row: File }): Promise<ActionResult<typeof uploadedDocument>> {
  const { row } = c
  if (!row.replaced) throw problem.conflict('This is already the newest version.')
  const [newest] = await c.lockAll(uploadedDocument, { entry: row.entry, replaced: false })
  if (!newest)
    throw problem.conflict('Somebody else has just uploaded a newer version. Please try again.', 'changed_meanwhile')
  const { label, expires } = row
  const made = await addFileVersion(c, newest, { ...contentOf(row), label, expires, restoredFrom: row.version })
  return { answer: () => serialiseWrittenRecord(uploadedDocument, c.actor, made) }
}

const path = `${uploadedDocument.url}/{id}/versions`

export const fileVersionRoutes = [
  listRoute(
    uploadedDocument,
    path,
    'List the versions of a file, newest first',
    async (c) => {
      const ids = await findFileVersionIds(c)
      return {
        query: { 'order[version]': 'desc', 'version[gte]': '1', ...c.query },
        extra: [{ sql: (next) => `t.id = ANY(${next(ids)}::bigint[])` }],
      }
    },
    { allow: FILE_USER_ROLES },
  ),
  createUploadRoute({
    path,
    title: 'Upload a new version of a file: multipart/form-data with `file` and optionally `label` and `expires`',
    allow: FILE_USER_ROLES,
    whileImpersonating: true,
    into: uploadedDocument,
    place: async (c, { label, expires }) => {
      await findFileVersionIds(c)
      return { ...(label ? { label } : {}), expires: parseExpiryDate(expires) }
    },
    change: async (c) => ({
      ...c.change(),
      resource: uploadedDocument,
      id: await c.engine.idOf(uploadedDocument, c.actor, c.params.id),
    }),
    write: async (unit, values, { id }) => {
      const newest = await lockAccessibleRecord(unit, uploadedDocument, 'update', id ?? 0)
      if (newest.replaced)
        throw problem.conflict(
          'Somebody else has just uploaded a newer version. Please check that version, then upload yours again.',
        )
      return addFileVersion(unit, newest, values)
    },
  }),
]
