import { problem, violation } from '#kernel/errors.ts'
import { holds } from '#kernel/roles.ts'
import { behaviour, type Context } from '#server/behaviour.ts'
import { documentFolder } from './document-folder.ts'
import { uploadedDocument } from './uploaded-document.ts'

const refuse = (field: string, message: string) => problem.invalid([violation(field, message)])

/** A folder that things are put into is in use, and not inside what is put into it. */
async function checkTarget({ work }: Context, field: string, target: unknown, self?: unknown): Promise<void> {
  const above = await work.tx.rows<{ id: number; retired: boolean }>(
    `WITH RECURSIVE above AS (
       SELECT id, parent_id, retired, 1 AS depth FROM document_folder WHERE client_id = $1 AND id = $2
       UNION ALL SELECT f.id, f.parent_id, f.retired, depth + 1 FROM document_folder f JOIN above a ON f.client_id = $1 AND f.id = a.parent_id WHERE depth < 50)
     SELECT id, retired FROM above ORDER BY depth`,
    [work.clientId, target],
  )
  if (above[0]?.retired)
    throw refuse(field, 'This folder has been retired. Please restore it first, or choose another.')
  if (self !== undefined && above.some((f) => f.id === self)) throw refuse(field, "A folder can't be inside itself.")
  if (above.length > 20) throw refuse(field, 'Folders can be at most 20 deep.')
}

async function checkEmpty({ work }: Context, id: unknown): Promise<void> {
  const [used] = await work.tx.rows(
    `SELECT 1 FROM document_folder WHERE client_id = $1 AND parent_id = $2 AND NOT retired
     UNION ALL SELECT 1 FROM uploaded_document WHERE client_id = $1 AND folder_id = $2 AND NOT retired LIMIT 1`,
    [work.clientId, id],
  )
  if (used) throw problem.conflict('There is still something in this folder. Please move or retire it first.')
}

const folders = behaviour(documentFolder, {
  prepare: async (c) => {
    if (c.changes.parent) await checkTarget(c, 'parent', c.changes.parent, c.before?.id)
    if (c.changes.retired === true && c.before) await checkEmpty(c, c.before.id)
    return undefined
  },
})

const documents = behaviour(uploadedDocument, {
  prepare: async (c) => {
    const { actor, before, changes } = c
    if ('retired' in changes && before?.userId !== actor.userId && !holds(actor, 'ROLE_CLIENT_ADMIN'))
      throw problem.forbidden('Only the person who uploaded this file, or an administrator, can retire or restore it.')
    if (changes.folder) await checkTarget(c, 'folder', changes.folder)
    return undefined
  },
})

export const fileBehaviours = [folders, documents] as const
