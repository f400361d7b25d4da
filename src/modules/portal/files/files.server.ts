import { problem, violation } from '#kernel/errors.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { findUnknownRoles } from '../known-roles.server.ts'
import { documentFolder, FILE_USERS } from './document-folder.ts'
import { expiryNotice, fileExpiryReminder } from './expiry.server.ts'
import { folderPairingRoute } from './pairing.server.ts'
import { createFileRoutes } from './serve.server.ts'
import { uploadDocumentRoute } from './upload.server.ts'
import { uploadedDocument } from './uploaded-document.ts'
import { fileVersionRoutes, restoreFileVersion } from './versions.server.ts'

const refuse = (field: string, message: string) => problem.invalid([violation(field, message)])

const DEEPEST = 20

/** Checks that a target folder is active, stays so during the write, and is not its own descendant. Locks it. */
async function checkTarget(c: Context, field: string, target: number, self?: number): Promise<void> {
  const [held] = await c.lockAll(documentFolder, { id: target })
  if (held?.retired) throw refuse(field, 'This folder has been retired. Please restore it first, or choose another.')
  let folder = held
  for (let depth = 1; folder; depth++) {
    if (folder.id === self) throw refuse(field, 'A folder can’t be inside itself.')
    if (depth > DEEPEST) throw refuse(field, `Folders can be at most ${DEEPEST} deep.`)
    folder = folder.parent === null ? undefined : await c.get(documentFolder, folder.parent)
  }
}

async function checkEmpty(c: Context, id: number): Promise<void> {
  const isUsed =
    (await c.exists(documentFolder, { parent: id, retired: false })) ||
    (await c.exists(uploadedDocument, { folder: id, retired: false, replaced: false }))
  if (isUsed) throw problem.conflict('This folder isn’t empty. Please move or retire its contents first.')
}

/** A restored item returns to its folder, if that is still active. */
async function checkFolderInUse(c: Context, folder: number): Promise<void> {
  const [held] = await c.lockAll(documentFolder, { id: folder })
  if (held?.retired)
    throw problem.conflict(
      `Its folder “${held.name}” has been retired. Please move the file to another folder, then restore it.`,
    )
}

/**
 * A file can't be retired while a sealed document or a submitted form uses a version of it; drafts drop it themselves.
 */
async function checkUnsealed(c: Context, entry: number): Promise<void> {
  const [sealed] = await c.work.tx.rows<{ called: string }>(
    `SELECT d.number || ' revision ' || d.revision AS called FROM document d WHERE d.seal IS NOT NULL AND d.id IN
       (SELECT used FROM uploaded_document f, documents_with_file(f.id) used WHERE f.client_id = $1 AND f.entry = $2)
     UNION ALL SELECT a.number FROM custom_form_answer a WHERE a.client_id = $1 AND a.files <> '{}'
       AND a.files && ARRAY(SELECT f.id FROM uploaded_document f WHERE f.client_id = $1 AND f.entry = $2) LIMIT 1`,
    [c.clientId, entry],
  )
  if (sealed) throw problem.conflict(`${sealed.called} is sealed with this file, so the file can’t be retired.`)
}

const folders = behaviour(documentFolder, {
  beforeSave: async (c) => {
    if (c.changes.parent) await checkTarget(c, 'parent', c.changes.parent, c.before?.id)
    if (c.changes.retired === true && c.before) await checkEmpty(c, c.before.id)
    const unknown = await findUnknownRoles(c, 'audience', c.changes.audience ?? [])
    if (unknown.length) throw problem.invalid(unknown)
    // The provider's files are templates that every client reads.
    return c.clientId === PROVIDER && !c.before ? { audience: [] } : undefined
  },
})

/** Filters of a query that asks for earlier versions or certain files. */
const ASKS_FOR_EARLIER = /^(id|replaced|replaces|version)\b/

/** Minutes within which repeated access counts as one. */
const SAME = 15

/**
 * Logs in the client's audit trail that a provider user opened its file outside impersonation, as for confidential
 * documents.
 */
async function traceLook(c: Context, id: number): Promise<void> {
  const { clientId } = c
  const trace = { clientId, type: uploadedDocument.type, rowId: id, verb: 'look', changes: {} }
  const before = await c.work.tx.rows(
    `SELECT 1 FROM audit WHERE client_id = $1 AND type = $2 AND row_id = $3 AND verb = 'look' AND user_id = $4 AND at > portal_now() - make_interval(mins => ${SAME})`,
    [clientId, trace.type, id, c.actor.userId],
  )
  if (!before.length) await writeAuditTrace(c.work.tx, c.actor, trace)
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
    if (changes.retired === false && before?.folder && changes.folder === undefined)
      await checkFolderInUse(c, before.folder)
    return undefined
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
    ...createFileRoutes(uploadedDocument, FILE_USERS),
  ],
  schedules: [fileExpiryReminder],
  notifications: [expiryNotice],
  seeds: () => import('./demo.server.ts'),
})
