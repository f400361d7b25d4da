import { problem } from '#kernel/errors.ts'
import { idAtEnd } from '#kernel/iri.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/engine.ts'
import { document } from '../kinds/document.ts'
import type { DocumentKind, DocumentRecord } from '../kinds/kind.ts'
import { type ReferredFile, referencesIn } from '../kinds/reference.ts'

/** A document of a pack. */
export interface Gathered {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly clientId: number
}

/** What a pack is made of. */
export interface Contents {
  readonly documents: readonly Gathered[]
  /** Files that they refer to. */
  readonly files: readonly ReferredFile[]
}

/** Short ones fill a file of some 400 pages; how much longer ones may be in all, `packRoom` knows. */
const MOST = 120

/**
 * Documents in the order asked for, each read as whoever asks may read it; with `deep`, each with all that it refers to, and what
 * that refers to, once. Throws 409 for more than a pack takes.
 */
export async function gather(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  asked: { readonly ids: readonly number[]; readonly deep: boolean },
): Promise<Contents> {
  const documents = new Map<number, Gathered>()
  const files = new Map<number, ReferredFile>()
  const waiting = [...asked.ids]
  for (const id of waiting) {
    if (documents.has(id)) continue
    if (documents.size === MOST)
      throw problem.conflict(`A pack takes at most ${MOST} documents. Please choose fewer, and make several packs.`)
    const { kind: name } = await engine.one(document, actor, id)
    const kind = kinds.find((k) => k.kind === name)
    if (!kind) throw problem.notFound()
    const record = await engine.one(kind.resource, actor, id)
    documents.set(id, { kind, record, clientId: idAtEnd(record.client) ?? PROVIDER })
    for (const { target, file } of referencesIn(kind.references, record).flatMap(({ rows }) => rows)) {
      if (file) files.set(file.id, file)
      if (target && asked.deep) waiting.push(target.id)
    }
  }
  return { documents: [...documents.values()], files: [...files.values()] }
}
