import { create as disposition } from 'content-disposition'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { type Fields, flag } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { logConfidentialRead } from '#server/engine/confidential-reads.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { type RequestDetails, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { ACCEPTED_FILE_TYPES, fileExtensionOf, fileKindForMimeType, isInlineMimeType } from '#server/files/kinds.ts'
import { sanitiseFileName } from '#server/files/plain-name.ts'
import { MissingFileError, parseRangeHeader } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { findUnknownRoles } from '../known-roles.server.ts'
import { notifyUsers } from '../notices/notify.server.ts'
import { enterFileText, fileUploadedEvent, hasSearchableText } from './contents.server.ts'
import { uploadDocumentRoute } from './upload.server.ts'
import type { FileResource } from './uploaded-document.ts'
import {
  documentFolder,
  FILE_USER_ROLES,
  fileExpiryStatus,
  MAX_REMINDER_DAYS,
  uploadedDocument,
} from './uploaded-document.ts'
import { fileVersionRoutes, findReadableFile, restoreFileVersion, type StoredFileRow } from './versions.server.ts'

/**
 * One form of a file (the original, its display version or its thumbnail): storage key, content type, size, entity tag,
 * and whether browsers may display it inline.
 */
interface Version {
  readonly key: string
  readonly type: string
  /** Size in bytes, if known. */
  readonly size: number | undefined
  readonly tag: string
  readonly inline: boolean
}

const original = (d: StoredFileRow, inline: boolean): Version => ({
  key: d.fileKey,
  type: d.type,
  size: d.size,
  tag: `"${d.checksum}"`,
  inline: inline && isInlineMimeType(d.type),
})

const versionShown = (d: StoredFileRow): Version =>
  d.viewKey && d.viewType
    ? {
        key: d.viewKey,
        type: d.viewType,
        size: d.viewSize ?? undefined,
        tag: `"${d.checksum}-view"`,
        inline: true,
      }
    : original(d, true)

const thumbnail = (d: StoredFileRow): Version => {
  if (!d.thumbnailKey) throw problem.notFound('This file has no preview picture.')
  return { key: d.thumbnailKey, type: 'image/webp', size: undefined, tag: `"${d.checksum}-small"`, inline: true }
}

/** Returns the file name for a download, with the extension for its content type. */
function downloadName(kept: string, type: string): string {
  const name = sanitiseFileName(kept)
  const kind = fileKindForMimeType(type)
  return !kind || kind.endings.includes(fileExtensionOf(name))
    ? name
    : `${name.replace(/\.[^.]*$/, '')}.${kind.endings[0]}`
}

/** Creates routes that return the content of files. Each request checks access to the file's record. */
export const createFileRoutes = (
  r: FileResource,
  allow: Roles,
  onOpened?: (c: RouteContext, file: StoredFileRow) => Promise<void>,
): readonly Route[] => {
  const route = (
    path: string,
    title: string,
    choose: (d: StoredFileRow, query: RequestQuery) => Version,
    query: Fields = {},
  ): Route => ({
    method: 'GET',
    path: `${r.url}/{id}/${path}`,
    title,
    query,
    allow,
    file: ACCEPTED_FILE_TYPES,
    refuses: [416],
    handle: async (c) => {
      const file = await findReadableFile(c, r)
      await onOpened?.(c, file)
      return send(c, file, choose)
    },
  })
  return [
    route(
      'file',
      'Get the content of an uploaded file; for a picture, the display version or the original',
      (d, query) => (query.original === 'true' ? original(d, false) : versionShown(d)),
      { original: flag({ help: 'If true, returns the file as it was uploaded.' }) },
    ),
    route('thumbnail', 'Get the thumbnail of an uploaded picture', thumbnail),
  ]
}

/** Returns the first value of a header, or an empty string. */
const headerOf = ({ headers }: RequestDetails, name: string): string => [headers[name] ?? ''].flat()[0] ?? ''

/** Sends a file whose record the caller may read: its display version or, with `small`, its thumbnail. */
export const sendStoredFile = (c: RouteContext, row: StoredFileRow, small = false): Promise<RouteResponse> =>
  send(c, row, small ? thumbnail : versionShown)

async function send(
  { engine, query, request }: RouteContext,
  document: StoredFileRow,
  choose: (d: StoredFileRow, query: RequestQuery) => Version,
): Promise<RouteResponse> {
  const { key, type, size, tag, inline } = choose(document, query)
  const headers: Record<string, string> = {
    etag: tag,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(size === undefined ? {} : { 'accept-ranges': 'bytes' }),
  }
  if (headerOf(request, 'if-none-match').includes(tag)) return new RouteResponse(304, undefined, headers)
  const same = request.headers['if-range'] === undefined || request.headers['if-range'] === tag
  const range =
    size === undefined || !same ? undefined : parseRangeHeader(headerOf(request, 'range') || undefined, size)
  if (range === 'none')
    throw new Problem(416, `The file has only ${size} bytes.`, { headers: { 'content-range': `bytes */${size}` } })
  const store = await fileStoreFor(engine.config)
  const bytes = await store.get(key, range).catch((e: unknown) => {
    if (!(e instanceof MissingFileError)) throw e
    throw problem.notFound('The portal no longer has the content of this file. Please contact your provider.')
  })
  headers['content-type'] = type === 'text/plain' || type === 'text/csv' ? `${type}; charset=utf-8` : type
  headers['content-disposition'] = disposition(downloadName(document.name ?? 'file', type), {
    type: inline ? 'inline' : 'attachment',
  })
  if (!range)
    return new RouteResponse(
      200,
      bytes,
      size === undefined ? headers : { ...headers, 'content-length': size.toString() },
    )
  return new RouteResponse(206, bytes, {
    ...headers,
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
    'content-length': (range.end - range.start + 1).toString(),
  })
}

const expiryNotice = declareNotificationType({
  kind: 'file.expires',
  label: 'Expiring files that I own',
  for: FILE_USER_ROLES,
  icon: 'folder',
  of: uploadedDocument,
  words: ({ name, label, expires }) => {
    const called = label || name
    return expires ? `${called} expires on ${formatIsoDateAsUk(expires)}` : `${called} no longer expires`
  },
  path: ({ id }) => `/sfp/file-manager?file=${id}`,
  mail: true,
})

/**
 * Notifies a file's owner or, if the owner has left, the file administrators before the file expires, once per expiry
 * date. Each file sets the number of days in advance.
 */
const fileExpiryReminder = reminderSchedule({
  name: 'file.expires',
  of: uploadedDocument,
  on: 'expires',
  daily: '07:00',
  // Starts with the maximum number of days, because each file sets its own; files that are not yet due are skipped.
  daysBefore: [MAX_REMINDER_DAYS],
  where: { retired: false, replaced: false },
  unless: (c, row) => fileExpiryStatus(row, londonDate(c.now).toString()).stands === 'holds',
  send: async (c, row) => {
    const told = await keepersOf(c, row.userId)
    await notifyUsers(
      c,
      expiryNotice,
      told.map((to) => ({ to, about: row.id })),
    )
  },
})

/** Returns the ID of a file's owner or, if that user has left, the IDs of the company's file administrators. */
async function keepersOf(c: Context, userId: number | null): Promise<number[]> {
  const found = await c.work.tx.rows<{ id: number; keeper: boolean }>(
    `SELECT id, id = $2 AS keeper FROM user_account WHERE client_id = $1 AND NOT is_retired
       AND (id = $2 OR roles && '{ROLE_CLIENT_ADMIN,ROLE_SAFETY_ADMIN}') ORDER BY id`,
    [c.clientId, userId],
  )
  const keeper = found.filter((one) => one.keeper)
  return (keeper.length ? keeper : found).map(({ id }) => id)
}

const MAX_PAGE = { limit: 10_000, offset: 0 }

/**
 * Route that returns all data for the file manager in one response: each folder with its documents, then the documents
 * in no folder, as `folder: null`. `client` selects an accessible client; the default is the actor's own. Accepts
 * `retired`, `q` and the documents' other filters.
 */
const folderPairingRoute: Route = {
  method: 'GET',
  path: `${uploadedDocument.url}/folder_pairing`,
  title: 'List the folders, each with its files',
  allow: FILE_USER_ROLES,
  filters: uploadedDocument,
  listOf: 'objects',
  handle: async ({ me, engine, query }) => {
    const whose = { client: String(me.clientId), retired: 'false' }
    const [folders, documents] = await Promise.all([
      engine.list(documentFolder, me, { ...whose, 'order[name]': 'asc' }, MAX_PAGE),
      engine.list(uploadedDocument, me, { ...whose, replaced: 'false', ...query }, MAX_PAGE),
    ])
    const known = new Set<string | null>(folders.members.map((f) => f['@id']))
    const by = Map.groupBy(documents.members, (d) => (known.has(d.folder) ? d.folder : null))
    const pair = (folder: RecordOf<typeof documentFolder> | null) => ({
      '@id': `${uploadedDocument.url}/folder_pairing#${folder ? folder.id : 'none'}`,
      '@type': 'FolderPairing',
      folder,
      uploadedDocuments: by.get(folder ? folder['@id'] : null) ?? [],
    })
    return hydraCollection([...folders.members, null].map(pair))
  },
}

const refuse = (field: string, message: string) => problem.invalid([violation(field, message)])

const DEEPEST = 20

/**
 * Locks a target folder. Throws 422 if it is retired or nested too deeply, or if it is the folder to move or one of
 * that folder's subfolders.
 */
async function checkTarget(c: Context, field: string, target: number, self?: number): Promise<void> {
  const [held] = await c.lockAll(documentFolder, { id: target })
  if (held?.retired)
    throw refuse(field, 'This folder has been retired. Please restore it first, or choose another folder.')
  let folder = held
  for (let depth = 1; folder; depth++) {
    if (folder.id === self) throw refuse(field, 'A folder can’t be inside itself.')
    if (depth > DEEPEST) throw refuse(field, `Folders can be nested at most ${DEEPEST} levels deep.`)
    folder = folder.parent === null ? undefined : await c.get(documentFolder, folder.parent)
  }
}

async function checkEmpty(c: Context, id: number): Promise<void> {
  const isUsed =
    (await c.exists(documentFolder, { parent: id, retired: false })) ||
    (await c.exists(uploadedDocument, { folder: id, retired: false, replaced: false }))
  if (isUsed) throw problem.conflict('This folder isn’t empty. Please move or retire its contents first.')
}

/** Throws 409 if the folder of a file to restore is retired. */
async function checkFolderInUse(c: Context, folder: number): Promise<void> {
  const [held] = await c.lockAll(documentFolder, { id: folder })
  if (held?.retired)
    throw problem.conflict(
      `The file’s folder “${held.name}” has been retired. Please move the file to another folder, then restore the file.`,
    )
}

/**
 * Throws 409 if a sealed document or a submitted form uses a version of the file to retire. Drafts don't prevent this;
 * the file is removed from them automatically.
 */
async function checkUnsealed(c: Context, entry: number): Promise<void> {
  const [sealed] = await c.work.tx.rows<{ called: string }>(
    `SELECT d.number || ' revision ' || d.revision AS called FROM document d WHERE d.seal IS NOT NULL AND d.id IN
       (SELECT used FROM uploaded_document f, documents_with_file(f.id) used WHERE f.client_id = $1 AND f.entry = $2)
     UNION ALL SELECT a.number FROM custom_form_answer a WHERE a.client_id = $1 AND a.files <> '{}'
       AND a.files && ARRAY(SELECT f.id FROM uploaded_document f WHERE f.client_id = $1 AND f.entry = $2) LIMIT 1`,
    [c.clientId, entry],
  )
  if (sealed) throw problem.conflict(`${sealed.called} was sealed with this file, so the file can’t be retired.`)
}

const folders = behaviour(documentFolder, {
  beforeSave: async (c) => {
    if (c.changes.parent) await checkTarget(c, 'parent', c.changes.parent, c.before?.id)
    if (c.changes.retired === true && c.before) await checkEmpty(c, c.before.id)
    const unknown = await findUnknownRoles(c, 'audience', c.changes.audience ?? [])
    if (unknown.length) throw problem.invalid(unknown)
    // The provider's folders get an empty audience, because their files are templates that every client can read.
    return c.clientId === PROVIDER_CLIENT_ID && !c.before ? { audience: [] } : undefined
  },
})

/** Matches query parameters that request earlier versions or specific files. */
const ASKS_FOR_EARLIER = /^(id|replaced|replaces|version)\b/

/** Minutes within which repeated access to the same file is logged only once. */
const SAME = 15

/**
 * Logs in the client's audit trail that a provider user opened one of the client's files without impersonation. If the
 * same user opens the file again within 15 minutes, no further entry is added. Access to confidential documents is
 * logged in the same way.
 */
async function traceLook(c: Context, id: number): Promise<void> {
  const { clientId } = c
  const before = await c.work.tx.rows(
    `SELECT 1 FROM audit WHERE client_id = $1 AND type = $2 AND row_id = $3 AND verb = 'look' AND user_id = $4 AND at > portal_now() - make_interval(mins => ${SAME})`,
    [clientId, uploadedDocument.type, id, c.actor.userId],
  )
  if (before.length) return
  const file = await c.get(uploadedDocument, id)
  const fields = [{ name: 'content', label: 'Content of the file' }]
  await logConfidentialRead(c.work.tx, c.actor, { clientId, resource: uploadedDocument, id, title: file?.name, fields })
}

/** Throws 422 if the folder has HR templates, which are retired with a reason. */
async function checkNoTemplate(c: Context, folder: number): Promise<void> {
  if ((await c.get(documentFolder, folder))?.hrTemplates)
    throw problem.invalid([violation('retireReason', 'Please give a reason')])
}

const documents = behaviour(uploadedDocument, {
  onRead: traceLook,
  extraFilters: (query) =>
    Object.keys(query).some((key) => ASKS_FOR_EARLIER.test(key)) ? [] : [{ sql: () => 'NOT t.replaced' }],
  beforeSave: async (c) => {
    const { actor, before, changes } = c
    if (before?.replaced && Object.keys(changes).length)
      throw problem.conflict(
        `This is version ${before.version} of the file and can’t be changed. Please change the newest version.`,
      )
    if ('retired' in changes && before?.userId !== actor.userId && !hasRole(actor, 'ROLE_CLIENT_ADMIN'))
      throw problem.forbidden('Only the person who uploaded this file, or an administrator, can retire or restore it.')
    if (changes.folder) await checkTarget(c, 'folder', changes.folder)
    if (changes.retired && before) await checkUnsealed(c, before.entry)
    if (changes.retired && before?.folder && !before.retired && !changes.retireReason?.trim())
      await checkNoTemplate(c, before.folder)
    if (changes.retired === false && before?.folder && changes.folder === undefined)
      await checkFolderInUse(c, before.folder)
    // The reason is stored when the file is retired, and changes only with that.
    if (changes.retired) return undefined
    return { retireReason: changes.retired === undefined ? (before?.retireReason ?? '') : '' }
  },
  afterSave: async (c) => {
    if (c.before && c.changes.retired !== false) return
    const { id, type } = await c.written.saved()
    if (hasSearchableText(type)) await c.emit(fileUploadedEvent, { file: id })
  },
  actions: { restoreVersion: restoreFileVersion },
})

const fileBehaviours = [folders, documents] as const

export const files = feature({
  resources: [documentFolder, uploadedDocument],
  behaviours: fileBehaviours,
  routes: [
    folderPairingRoute,
    uploadDocumentRoute,
    ...fileVersionRoutes,
    ...createFileRoutes(uploadedDocument, FILE_USER_ROLES),
  ],
  schedules: [fileExpiryReminder],
  handlers: [enterFileText],
  notifications: [expiryNotice],
  seeds: () => import('./demo.server.ts'),
})
