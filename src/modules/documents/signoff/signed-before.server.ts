import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { systemActor } from '#kernel/roles.ts'
import type { Route } from '#server/engine/route.ts'
import { recordFormOf } from '../forms/routes.server.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentReference } from '../types/reference.ts'
import { canReadDocument } from './may-read.ts'

/**
 * `GET {document}/signed`: the last earlier revision the user signed, even if replaced since: people may read what they
 * signed; for a pack, the parts meant for them. `writtenBy` holds its form. 404 if they signed none.
 */
export const signedBeforeRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/signed`,
  title: `Get the last earlier revision of a ${kind.noun} that the user signed`,
  allow: DOCUMENT_READERS,
  handle: async (c) => {
    const { engine, actor, me, params } = c
    const id = readId(params.id)
    if (id === undefined) throw problem.notFound()
    const { documentNumber, revision } = await engine.one(kind.resource, actor, id)
    const { clientId, userId } = me
    const signed = await engine.readIn(clientId, 'read what one has signed', async (reader) => {
      const all = await reader.find(document, { kind: kind.kind, documentNumber })
      const before = all.filter((one) => one.revision < revision).toSorted((a, b) => b.revision - a.revision)
      const within = await reader.find(documentReference, { target: before.map(({ id: one }) => one) })
      const hands = await reader.find(signature, {
        document: [...new Set([...before.map(({ id: one }) => one), ...within.map((row) => row.document)])],
        mine: true,
        user: userId,
      })
      const has = (one: number | null) => hands.some((hand) => hand.document === one)
      return before.find(
        (one) =>
          has(one.id) ||
          (within.some((row) => row.target === one.id && has(row.document)) &&
            canReadDocument({ ...me, id: userId }, { ...one, client: one.clientId, current: true })),
      )
    })
    if (!signed) throw problem.notFound()
    const record = await engine.one(kind.resource, systemActor(clientId, 'read what one has signed'), signed.id)
    return { ...record, writtenBy: await recordFormOf(c, kind, record) }
  },
})
