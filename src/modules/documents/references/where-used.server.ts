import { FILE_USERS, uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { findVersionIds } from '#modules/portal/files/versions.server.ts'
import type { QueryCondition } from '#server/data/query-values.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute, subListRoute } from '#server/http/list-route.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import { document } from '../types/document.ts'

/** Lists the documents that refer to a revision or a file and that the user may see. */
const whereUsedRoutes: readonly Route[] = [
  subListRoute({
    path: `${document.url}/{id}/where_used`,
    title: 'List the documents that refer to this revision',
    of: document,
    r: document,
    where: (id) => `t.id IN (SELECT r.document_id FROM document_reference r WHERE r.target_id = ${id})`,
    allow: DOCUMENT_READERS,
  }),
  listRoute(
    document,
    `${uploadedDocument.url}/{id}/where_used`,
    'List the documents that refer to any version of this file',
    async (c) => {
      const files = await findVersionIds(c)
      const isUsed: QueryCondition = {
        sql: (next) =>
          `t.id IN (SELECT used FROM unnest(${next(files)}::bigint[]) file, documents_with_file(file) used)`,
      }
      return { extra: [isUsed] }
    },
    { allow: FILE_USERS },
  ),
]

export const documentReferences = feature({ pack: 'safety', routes: whereUsedRoutes })
