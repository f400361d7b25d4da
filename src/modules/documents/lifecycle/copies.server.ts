import { idAtEnd, readId } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { DOCUMENT_AUTHORS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'

/** True if the source has a later revision in force than the one this document was started from or updated to. */
export const isBehindSource: Condition = {
  sql: () =>
    `t.origin_id IS NOT NULL AND EXISTS (SELECT FROM document o JOIN document n ON n.client_id = o.client_id AND n.kind = o.kind AND n.number = o.number
       AND n.current AND n.revision > o.revision WHERE o.client_id IN (t.client_id, ${PROVIDER}) AND o.id = coalesce(t.improved_to_id, t.origin_id))`,
}

/** Lists the copies of a document, and those whose source has since been revised. */
export const copyRoutes = (kind: DocumentKind): Route[] => [
  listRoute(
    kind.resource,
    `${kind.resource.url}/copies/{id}`,
    `List the ${kind.nouns} started from any revision of this one`,
    async (c) => {
      const one = await c.engine.one(kind.resource, c.actor, readId(c.params.id) ?? -1)
      const whose = idAtEnd(one.client) ?? PROVIDER
      const from: Condition = {
        sql: (next) =>
          `t.origin_id IN (SELECT o.id FROM document o WHERE o.client_id = ${next(whose)}::int AND o.kind = ${next(kind.kind)}::text AND o.number = ${next(one.documentNumber)}::text)`,
      }
      return { query: c.query, extra: [from] }
    },
    { allow: DOCUMENT_AUTHORS },
  ),
  listRoute(
    kind.resource,
    `${kind.resource.url}/copies_behind`,
    `List the ${kind.nouns} whose source has been revised since they were started from it`,
    (c) => ({ query: c.query, extra: [isBehindSource] }),
    { allow: DOCUMENT_AUTHORS },
  ),
]
