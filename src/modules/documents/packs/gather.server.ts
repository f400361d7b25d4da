import { Problem, problem } from '#kernel/errors.ts'
import { idAtEnd } from '#kernel/iri.ts'
import { type Actor, PROVIDER, systemActor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import { type DocumentKind, type DocumentRecord, documentRecordTitle } from '../types/kind.ts'
import { type ReferredDocument, type ReferredFile, referencesIn } from '../types/reference.ts'

export interface PackDocument {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly clientId: number
}

export interface PackContents {
  readonly documents: readonly PackDocument[]
  readonly files: readonly ReferredFile[]
}

/**
 * Maximum documents in a pack that is built during the request: about 400 pages of short documents. `limitPackSize`
 * caps longer ones.
 */
const MAX_DOCUMENTS = 120

/** A requested document, or a reference of one. */
interface PackDocumentRequest {
  readonly id: number
  /** Position among the requested documents, starting at 1. */
  readonly place?: number
  readonly target?: ReferredDocument
  readonly by?: Pick<DocumentRecord, 'documentNumber' | 'seal'>
}

/** Requested documents; if `deep`, with everything they refer to. */
export interface PackRequest {
  readonly ids: readonly number[]
  readonly deep: boolean
}

/** A document found for a pack, with its files and the actor on whose behalf it is read. */
interface GatheredDocument extends PackDocument {
  readonly reader: Actor
  readonly files: readonly ReferredFile[]
}

/**
 * Finds a document's type and the actor to read it as. Readers of a sealed document may read the provider's revision it
 * was sealed with, even if replaced since, as it is part of the sealed content. Throws 409, with its name, for any
 * other reference that the user may not read.
 */
async function readDocument(engine: Engine, actor: Actor, { id, place, target, by }: PackDocumentRequest) {
  const own = await lookFor(engine, actor, id)
  if (own) return { reader: actor, kind: own.kind }
  if (!target || !by) throw problem.notFound(chosenGone(place))
  const portal = systemActor(actor.clientId, 'read what a sealed document in a pack refers to')
  const providers = by.seal && target.seal ? await lookFor(engine, portal, id) : undefined
  if (providers && (idAtEnd(providers.client) ?? PROVIDER) === PROVIDER) return { reader: portal, kind: providers.kind }
  throw problem.conflict(
    `${target.documentNumber} revision ${target.revision}, which ${by.documentNumber} refers to, has been replaced or is not available to you. To print the rest, select the documents one by one.`,
  )
}

/** Identifies an inaccessible document only by its position in the request. */
const chosenGone = (place = 1) =>
  `Document ${place} of your selection no longer exists or is not available to you. Please remove it from the selection.`

const lookFor = (engine: Engine, actor: Actor, id: number) =>
  engine.one(document, actor, id).catch((e: unknown) => {
    if (e instanceof Problem && e.status === 404) return undefined
    throw e
  })

/**
 * Yields the requested documents in order, each as the user may read it. If `deep`, also yields everything they refer
 * to, recursively and once. Holds only one in memory at a time.
 */
export async function* walkPackDocuments(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  asked: PackRequest,
): AsyncGenerator<GatheredDocument> {
  const seen = new Set<number>()
  const waiting: PackDocumentRequest[] = asked.ids.map((id, i) => ({ id, place: i + 1 }))
  for (const wanted of waiting) {
    const { id } = wanted
    if (seen.has(id)) continue
    seen.add(id)
    const { reader, kind: name } = await readDocument(engine, actor, wanted)
    const kind = kinds.find((k) => k.kind === name)
    if (!kind) throw problem.notFound()
    const record = await engine.one(kind.resource, reader, id)
    const rows = referencesIn(kind.references, record).flatMap((list) => list.rows)
    yield {
      kind,
      record,
      reader,
      clientId: idAtEnd(record.client) ?? PROVIDER,
      files: rows.flatMap(({ file }) => file ?? []),
    }
    const { documentNumber, seal } = record
    if (asked.deep)
      for (const { target } of rows) if (target) waiting.push({ id: target.id, target, by: { documentNumber, seal } })
  }
}

/** Loads all documents of a pack that is built during the request. Throws 413 above the maximum. */
export async function gatherPack(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  asked: PackRequest,
): Promise<PackContents> {
  const documents: PackDocument[] = []
  const files = new Map<number, ReferredFile>()
  for await (const { kind, record, clientId, files: own } of walkPackDocuments(engine, kinds, actor, asked)) {
    if (documents.length === MAX_DOCUMENTS)
      throw new Problem(
        413,
        `Packs of more than ${MAX_DOCUMENTS} documents are created in the background. Please start one as a background job.`,
      )
    documents.push({ kind, record, clientId })
    for (const file of own) files.set(file.id, file)
  }
  return { documents, files: [...files.values()] }
}

/** Title of a pack, from its first document. */
export function packTitle({ kind, record }: Pick<PackDocument, 'kind' | 'record'>, others: number): string {
  return `${record.documentNumber} ${documentRecordTitle(kind, record)}${others ? ` and ${others} more` : ''}`
}

/**
 * Returns the client that owns a pack's documents. Throws 409 for several clients; provider documents fit any client.
 */
export function packOwner(documents: Iterable<{ readonly clientId: number }>): number {
  const owners = new Set([...documents].map((d) => d.clientId).filter((id) => id !== PROVIDER))
  if (owners.size > 1) throw problem.conflict('A pack can only contain documents of one client.')
  return [...owners][0] ?? PROVIDER
}
