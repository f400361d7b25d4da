import { problem } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { document, signature } from '#modules/documents/types/document.ts'
import type { Query } from '#server/data/filters.ts'
import { matchingRowsCondition } from '#server/data/matching-rows.ts'
import type { Condition } from '#server/data/query-values.ts'
import { prepare, Values } from '#server/data/values.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { listRoute, subListRoute } from '#server/http/list-route.ts'
import { LIBRARY_USES, type LibraryUse } from './uses.ts'

/** Maximum number of names returned. */
const MOST_NAMES = 100

/** Condition: the documents use the library item. */
export const usesItem = ({ where }: LibraryUse, id: number): Condition => ({
  sql: (next) => where(`${next(id)}::bigint`),
})

/** Condition: documents `t` that the reader may see; none without permission. */
const seen = (actor: Actor, query: Query, extra: readonly Condition[], v: Pick<Values, 'next'>) =>
  (matchingRowsCondition(document, actor, query, extra, v as Values) ?? ['false']).join(' AND ')

/**
 * Documents that include one that uses the item, directly or through others. Every document on the way must be visible
 * to the reader, so that none reveals another. Starts from included documents only: there are many documents, and few
 * include others.
 */
const holdsIt = (c: RouteContext, use: LibraryUse, id: number): Condition => ({
  sql: (next) => {
    const first = seen(c.me, {}, [usesItem(use, id)], { next })
    const others = seen(c.me, {}, [], { next })
    const holders = (of: string) =>
      `SELECT t.client_id, t.id FROM (${of}) r JOIN document t ON t.client_id = r.client_id AND t.id = r.document_id WHERE ${others}`
    const held = `WITH RECURSIVE held(client_id, id) AS (
      ${holders(`SELECT DISTINCT r.client_id, r.document_id FROM document_reference r JOIN document t ON t.id = r.target_id AND t.client_id = r.target_client_id WHERE ${first}`)}
      UNION ${holders('SELECT r.client_id, r.document_id FROM held JOIN document_reference r ON r.target_id = held.id')}) SELECT id FROM held`
    return `t.id IN (${held}) AND NOT (${usesItem(use, id).sql(next)})`
  },
})

/**
 * Signatories of the documents in force that use the item: of these revisions, or of earlier ones carried forward by a
 * minor change.
 */
async function signersOf(c: RouteContext, use: LibraryUse, id: number) {
  const v = new Values()
  const found = seen(c.me, { current: 'true', retired: 'false' }, [usesItem(use, id)], v)
  const text = `SELECT min(g.id), min(g.name), count(DISTINCT t.id), count(*) OVER () FROM document t
    JOIN document d ON d.client_id = t.client_id AND d.kind = t.kind AND d.number = t.number AND d.revision <= t.revision
      AND (d.id = t.id OR t.change = 'minor' AND d.revision >= signatures_hold_from(t.client_id, t.kind, t.number, t.revision))
    JOIN signature g ON g.client_id = d.client_id AND g.document_id = d.id
    WHERE ${found} GROUP BY t.client_id, coalesce(g.user_id::text, lower(g.name)) ORDER BY 2, 1 LIMIT ${MOST_NAMES}`
  const rows = await c.engine.db.read.arrays(prepare(text), v.list)
  return {
    '@type': 'hydra:Collection',
    'hydra:totalItems': Number(rows[0]?.[3] ?? 0),
    'hydra:member': rows.map(([first, name, documents]) => ({
      '@id': iriOf(signature, Number(first)),
      '@type': 'Signer',
      name,
      documents: Number(documents),
    })),
  }
}

const routesFor = (use: LibraryUse): readonly Route[] => [
  subListRoute({
    path: `${use.of.url}/{id}/where_used`,
    title: 'Documents that use this, limited to those the reader may see',
    of: use.of,
    r: document,
    where: use.where,
    defaults: { retired: 'false' },
    allow: DOCUMENT_READERS,
  }),
  listRoute(
    document,
    `${use.of.url}/{id}/held_in`,
    'Packs and other documents that include those that use this, limited to those the reader may see',
    async (c) => ({
      query: { retired: 'false', ...c.query },
      extra: [holdsIt(c, use, await readVisibleItemId(c, use))],
    }),
    { allow: DOCUMENT_READERS },
  ),
  {
    method: 'GET',
    path: `${use.of.url}/{id}/signed_by`,
    title: `Signatories of the documents in force that use this: number of people, and the first ${MOST_NAMES} names`,
    allow: DOCUMENT_READERS,
    listOf: 'objects',
    handle: async (c) => signersOf(c, use, await readVisibleItemId(c, use)),
  },
]

/** Id of a library item that the reader may see. Throws 404. */
export async function readVisibleItemId({ engine, me, params }: RouteContext, { of }: LibraryUse): Promise<number> {
  if (params.id === undefined) throw problem.notFound()
  const id = await engine.idOf(of, me, params.id)
  await engine.one(of, me, id)
  return id
}

/** Routes for the uses of a library item: documents, documents that include them, and signatories. */
export const libraryUseRoutes: readonly Route[] = LIBRARY_USES.flatMap(routesFor)
