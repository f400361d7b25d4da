import type { RecordOf } from '#kernel/resource.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { documentFolder, FILE_USERS } from './document-folder.ts'
import { uploadedDocument } from './uploaded-document.ts'

const MOST = { limit: 10_000, offset: 0 }

/**
 * Each folder with its documents, and last, with `folder: null`, those in no folder: the file manager's data in one
 * call. For the actor's own client, unless `client` is another accessible one; accepts `retired`, `q` and the
 * documents' other filters.
 */
export const folderPairingRoute: Route = {
  method: 'GET',
  path: `${uploadedDocument.url}/folder_pairing`,
  title: 'List the folders, each with its uploaded documents',
  allow: FILE_USERS,
  filters: uploadedDocument,
  listOf: 'objects',
  handle: async ({ me, engine, query }) => {
    const whose = { client: String(me.clientId), retired: 'false' }
    const [folders, documents] = await Promise.all([
      engine.list(documentFolder, me, { ...whose, 'order[name]': 'asc' }, MOST),
      engine.list(uploadedDocument, me, { ...whose, replaced: 'false', ...query }, MOST),
    ])
    const known = new Set<string | null>(folders.members.map((f) => f['@id']))
    const by = Map.groupBy(documents.members, (d) => (known.has(d.folder) ? d.folder : null))
    const pair = (folder: RecordOf<typeof documentFolder> | null) => ({
      '@id': `${uploadedDocument.url}/folder_pairing#${folder ? folder.id : 'none'}`,
      '@type': 'FolderPairing',
      folder,
      uploadedDocuments: by.get(folder ? folder['@id'] : null) ?? [],
    })
    return wholeList([...folders.members, null].map(pair))
  },
}
