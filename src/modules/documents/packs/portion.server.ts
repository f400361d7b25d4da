import { Problem, problem } from '#kernel/errors.ts'
import { type Actor, systemActor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { measurePackPart, type PackPart } from '#server/pdf/pack.ts'
import { readPrintState } from '../printing/kept-print.server.ts'
import { readVisibleDrawings } from '../printing/reader-print.server.ts'
import { document } from '../types/document.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { untitledReferences } from '../types/reference.ts'
import { readPackPart } from './make-pack.server.ts'

/** A document of a large pack, to be read in its turn. */
export interface ListedPackDocument {
  readonly id: number
  readonly kind: string
  readonly clientId: number
  /** Read without the user's permission, as a sealed document refers to it. */
  readonly byPortal: boolean
}

/** State of a sealed revision when it was printed. */
export interface PrintedPartState {
  readonly document: number
  readonly documentNumber: string
  readonly revision: number
  readonly seal: string
  readonly stands: number
  /** References whose titles the author of the pack may not see. */
  readonly untitled?: readonly number[]
}

/** A document of a portion; `standing` is absent for a draft. */
export interface PortionPart {
  readonly part: PackPart
  readonly standing: PrintedPartState | undefined
}

/** References of a part whose titles are hidden. */
export function hiddenTitles({ references }: DocumentKind, record: DocumentRecord): Pick<PrintedPartState, 'untitled'> {
  const ids = untitledReferences(references, record)
  return ids.length ? { untitled: ids } : {}
}

/** Limits of one process for a few seconds and little memory: documents, characters of text, bytes of pictures. */
const MOST = { documents: 40, words: 120_000, pictures: 12_000_000 }
/** Limits for a single document. */
const BEYOND = { words: 800_000, pictures: 40_000_000 }

/** Reads as many listed documents as fit in a portion, at least one. Throws 409 if one alone is too large. */
export async function gatherPortion(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  listed: readonly ListedPackDocument[],
): Promise<PortionPart[]> {
  const parts: PortionPart[] = []
  let [words, pictures] = [0, 0]
  for (const one of listed.slice(0, MOST.documents)) {
    const part = await readListed(engine, kinds, actor, one)
    const weight = measurePackPart(part.part)
    if (weight.words > BEYOND.words || weight.pictures > BEYOND.pictures)
      throw problem.conflict(
        `${part.part.furniture.number} is too large for this file. Please remove it and print the others.`,
      )
    words += weight.words
    pictures += weight.pictures
    if (parts.length && (words > MOST.words || pictures > MOST.pictures)) break
    parts.push(part)
  }
  return parts
}

/** Explains why a document listed at the start can no longer be printed. */
async function gone(engine: Engine, clientId: number, id: number): Promise<Problem> {
  const portal = systemActor(clientId, 'explain why a document of a pack is missing')
  const { documentNumber, revision, state, retired, current } = await engine.one(document, portal, id)
  const why = current
    ? 'is no longer available to you'
    : state === 'replaced'
      ? 'has been replaced since the pack was started'
      : retired
        ? 'has been withdrawn or deleted since the pack was started'
        : 'is no longer available to you'
  return problem.conflict(
    `${documentNumber} revision ${revision} ${why} and can’t be printed. Please start the pack again without it.`,
  )
}

/** Reads a document for printing, in its state at that moment. */
async function readListed(
  engine: Engine,
  kinds: readonly DocumentKind[],
  actor: Actor,
  { id, kind: name, clientId, byPortal }: ListedPackDocument,
): Promise<PortionPart> {
  const kind = kinds.find((k) => k.kind === name)
  if (!kind) throw problem.notFound()
  const reader = byPortal ? systemActor(actor.clientId, 'read what a sealed document in a pack refers to') : actor
  for (;;) {
    const record = await engine.one(kind.resource, reader, id).catch(async (e: unknown) => {
      throw e instanceof Problem && e.status === 404 ? await gone(engine, clientId, id) : e
    })
    const { seal, documentNumber, revision } = record
    if (!seal) return { part: await readPackPart(engine, actor, { kind, record, clientId }), standing: undefined }
    const before = await readPrintState(engine, { clientId, id })
    const part = await readPackPart(engine, actor, { kind, record, clientId })
    const stands = (await readPrintState(engine, { clientId, id }))?.stands
    if (!stands || stands !== before?.stands) continue
    await readVisibleDrawings(engine, actor, { clientId, id })
    return { part, standing: { document: id, documentNumber, revision, seal, stands, ...hiddenTitles(kind, record) } }
  }
}
