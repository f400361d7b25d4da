import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { documentFolder, FILE_USER_ROLES, uploadedDocument } from '../files/uploaded-document.ts'

const MAX_PAGE = { limit: 10_000, offset: 0 }
const IN_DOWNLOADS =
  't.folder_id IN (SELECT f.id FROM document_folder f WHERE f.client_id = t.client_id AND f.downloads AND NOT f.retired)'

/**
 * Route that returns the company's and the provider's folders that are marked as downloads, with the files in them that
 * the actor may read. Accepts the same filters as the file list.
 */
const downloadsRoute: Route = {
  method: 'GET',
  path: `${uploadedDocument.url}/downloads`,
  title: 'List the files under Downloads by folder',
  allow: FILE_USER_ROLES,
  filters: uploadedDocument,
  listOf: 'objects',
  handle: async ({ me, engine, query }) => {
    const marked = { downloads: 'true', retired: 'false', 'order[name]': 'asc' }
    const asked = { 'order[name]': 'asc', ...query, retired: 'false', replaced: 'false' }
    const [folders, files] = await Promise.all([
      engine.list(documentFolder, me, marked, MAX_PAGE),
      engine.list(uploadedDocument, me, asked, MAX_PAGE, { extra: [{ sql: () => IN_DOWNLOADS }] }),
    ])
    const by = Map.groupBy(files.members, (file) => file.folder)
    return hydraCollection(
      folders.members.map((folder) => ({
        '@id': `${uploadedDocument.url}/downloads#${folder.id}`,
        '@type': 'DownloadFolder',
        folder,
        uploadedDocuments: by.get(folder['@id']) ?? [],
      })),
    )
  },
}

export const downloads = feature({
  routes: [downloadsRoute],
})
