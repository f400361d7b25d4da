import { problem } from '#kernel/errors.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { document, signature } from '../kinds/document.ts'
import { READERS } from '../rights.ts'

/** Somebody's own signature under an earlier revision, which a minor change carried over. */
export interface Carried {
  readonly id: number
  readonly name: string
  readonly method: 'finger' | 'typed'
  readonly statement: string
  /** ISO 8601 instant. */
  readonly signedAt: string
  /** The revision that they signed. */
  readonly revision: number
  /** The revision that it holds for. */
  readonly carriedTo: number
}

/** The signatures that hold for a revision because it changed nothing material; not of those who signed it itself since. */
export const readCarried = (engine: Engine, clientId: number, id: number): Promise<Carried[]> =>
  engine.db.tx({ clientId }, (tx) =>
    tx.rows<Carried>(
      `SELECT g.* FROM (
         SELECT DISTINCT ON (g.user_id) g.id, g.name, g.method, g.statement, d.revision, t.revision AS "carriedTo",
           to_char(g.signed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS "signedAt"
         FROM document t
         JOIN document d ON d.client_id = t.client_id AND d.kind = t.kind AND d.number = t.number AND d.revision < t.revision
           AND d.revision >= signatures_hold_from(t.client_id, t.kind, t.number, t.revision)
         JOIN signature g ON g.client_id = d.client_id AND g.document_id = d.id AND g.mine
         WHERE t.client_id = $1 AND t.id = $2 AND t.change = 'minor'
           AND NOT EXISTS (SELECT FROM signature o WHERE o.client_id = t.client_id AND o.document_id = t.id AND o.mine AND o.user_id = g.user_id)
         ORDER BY g.user_id, d.revision DESC, g.id) g ORDER BY g.id`,
      [clientId, id],
    ),
  )

/** `GET /api/safety/documents/{id}/carried`. */
export const carriedRoute: Route = {
  method: 'GET',
  path: `${document.url}/{id}/carried`,
  title: 'The signatures under earlier revisions that minor changes carried over to this one',
  allow: READERS,
  lists: 'objects',
  handle: async ({ engine, actor, params }) => {
    const id = readId(params.id)
    if (id === undefined) throw problem.notFound()
    const { client } = await engine.one(document, actor, id)
    const carried = await readCarried(engine, idAtEnd(client) ?? PROVIDER, id)
    return wholeList(carried.map((s) => ({ '@id': iriOf(signature, s.id), '@type': signature.type, ...s })))
  },
}
