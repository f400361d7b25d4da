import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { documentFolder, FILE_USER_ROLES, uploadedDocument } from '../files/uploaded-document.ts'

const MAX_PAGE = { limit: 10_000, offset: 0 }

interface DownloadsSpec extends Pick<Route, 'path' | 'title' | 'allow'> {
  /** Field of the folder that marks it. */
  readonly mark: 'downloads' | 'hrTemplates'
  /** True to return the retired files in these folders. */
  readonly retired?: true
}

/**
 * Creates a route that returns the company's and the provider's folders with a mark, with the files in them that the
 * actor may read. It accepts the same filters as the file list.
 */
export const createDownloadsRoute = ({ mark, retired, ...at }: DownloadsSpec): Route => ({
  ...at,
  method: 'GET',
  filters: uploadedDocument,
  listOf: 'objects',
  handle: async ({ me, engine, query }) => {
    const marked = { [mark]: 'true', retired: 'false', 'order[name]': 'asc' }
    const asked = { 'order[name]': 'asc', ...query, retired: String(retired ?? false), replaced: 'false' }
    const isIn = `t.folder_id IN (SELECT f.id FROM document_folder f WHERE f.client_id = t.client_id AND f.${documentFolder.columns[mark]} AND NOT f.retired)`
    const [folders, files] = await Promise.all([
      engine.list(documentFolder, me, marked, MAX_PAGE),
      engine.list(uploadedDocument, me, asked, MAX_PAGE, { extra: [{ sql: () => isIn }] }),
    ])
    const by = Map.groupBy(files.members, (file) => file.folder)
    return hydraCollection(
      folders.members.map((folder) => ({
        '@id': `${at.path}#${folder.id}`,
        '@type': 'DownloadFolder',
        folder,
        uploadedDocuments: by.get(folder['@id']) ?? [],
      })),
    )
  },
})

export const downloads = feature({
  routes: [
    createDownloadsRoute({
      path: `${uploadedDocument.url}/downloads`,
      title: 'List the files under Downloads by folder',
      allow: FILE_USER_ROLES,
      mark: 'downloads',
    }),
  ],
})
