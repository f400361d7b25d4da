import { problem } from '#kernel/errors.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { isoUtc } from '#server/db/iso.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { wholeList } from '#server/http/list-route.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import type { CarriedSignature } from '../signoff/carried.ts'
import { document, signature } from '../types/document.ts'

/** Signatures of earlier revisions carried forward to a revision, except of people who have since signed it. */
export const readCarriedSignatures = (engine: Engine, clientId: number, id: number): Promise<CarriedSignature[]> =>
  engine.db.tx({ clientId }, (tx) =>
    tx.rows<CarriedSignature>(
      `SELECT g.id, h.user_id AS user, g.name, g.method, g.statement, h.revision, t.revision AS "carriedTo", h.why,
         ${isoUtc('g.signed_at')} AS "signedAt"
       FROM document t CROSS JOIN LATERAL signatures_carried(t.client_id, t.kind, t.number, t.revision) h
       JOIN signature g ON g.client_id = t.client_id AND g.id = h.signature_id
       WHERE t.client_id = $1 AND t.id = $2 AND (t.change = 'minor' OR signed_by_paper(t.kind)) ORDER BY g.id`,
      [clientId, id],
    ),
  )

/** `GET /api/safety/documents/{id}/carried`. */
export const carriedSignaturesRoute: Route = {
  method: 'GET',
  path: `${document.url}/{id}/carried`,
  title: 'List the signatures carried forward to this revision, with reasons',
  allow: DOCUMENT_READERS,
  listOf: 'objects',
  handle: async ({ engine, actor, params }) => {
    const id = readId(params.id)
    if (id === undefined) throw problem.notFound()
    const { client } = await engine.one(document, actor, id)
    const carried = await readCarriedSignatures(engine, idAtEnd(client) ?? PROVIDER, id)
    return wholeList(carried.map((s) => ({ '@id': iriOf(signature, s.id), '@type': signature.type, ...s })))
  },
}
