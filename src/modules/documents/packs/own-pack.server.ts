import { problem } from '#kernel/errors.ts'
import { idAtEnd } from '#kernel/iri.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import type { DocumentKind } from '../types/kind.ts'
import { gatherPack, packOwner, packTitle } from './gather.server.ts'
import { assertPackShareable } from './handed-over.server.ts'
import { renderOrLoadPack } from './kept-pack.server.ts'

/**
 * Pack of the company's own document in force, with all its references, as one named file. Throws 404 for other
 * companies' documents, 409 if it is not in force or refers to something the user may not read.
 */
export async function packOfOwnDocument(
  engine: Engine,
  kinds: readonly DocumentKind[],
  me: Actor,
  { kind, id }: { readonly kind: DocumentKind; readonly id: number },
) {
  const { client, current, retired, documentNumber } = await engine.one(kind.resource, me, id)
  if (idAtEnd(client) !== me.clientId) throw problem.notFound()
  if (!current || retired)
    throw problem.conflict(`${documentNumber} is not in force. Only documents in force can be shared.`)
  const contents = await gatherPack(engine, kinds, me, { ids: [id], deep: true })
  assertPackShareable(me, contents, [id])
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const title = packTitle(first, contents.documents.length - 1)
  const bytes = await renderOrLoadPack(engine, me, contents, { title, clientId: packOwner(contents.documents) })
  return { name: pdfNameOf(`Pack ${title}`), bytes }
}
