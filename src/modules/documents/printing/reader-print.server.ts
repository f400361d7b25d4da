import { idAtEnd } from '#kernel/iri.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { readSignatureDrawings } from '../signing/ink.server.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { referencesIn, untitledReferences } from '../types/reference.ts'
import { type PrintInput, renderDocumentPdf } from './draw.server.ts'
import { ensureStoredPrint, readPrintInput, readStoredPrint, type SealedRevision } from './kept-print.server.ts'

/**
 * The stored PDF of a sealed revision for a reader, with the record as they see it. A reader who may not see all drawn
 * signatures or referenced titles gets a PDF without them, which is not stored.
 */
export async function printForReader(
  engine: Engine,
  kind: DocumentKind,
  actor: Actor | undefined,
  record: DocumentRecord,
): Promise<Buffer> {
  const sealed = { clientId: idAtEnd(record.client) ?? PROVIDER, id: record.id }
  const printed = await ensureStoredPrint(engine, kind, sealed)
  const { drawn, ink } = await readVisibleDrawings(engine, actor, sealed)
  if (ink.size >= drawn.length && !untitledReferences(kind.references, record).length)
    return readStoredPrint(engine, sealed, printed)
  const paper = printInputForReader(kind, record, await readPrintInput(engine, kind, sealed, printed))
  const whose = actor?.clientId ?? sealed.clientId
  return renderDocumentPdf(engine, kind, { ...paper, evidence: { ...paper.evidence, ink }, whose })
}

/** Replaces referenced titles by those that the reader may see. */
export const printInputForReader = (kind: DocumentKind, record: DocumentRecord, paper: PrintInput): PrintInput => {
  const lists = referencesIn(kind.references, record).map(({ field, rows }) => [field, rows])
  return { ...paper, record: { ...paper.record, ...Object.fromEntries(lists) } }
}

/** Drawn signatures of a revision, and those this user may see. Each access is logged. */
export async function readVisibleDrawings(engine: Engine, actor: Actor | undefined, sealed: SealedRevision) {
  const drawn = await drawingsOf(engine, sealed)
  const ink =
    actor && drawn.length
      ? await readSignatureDrawings(engine, actor, sealed.clientId, drawn)
      : new Map<number, unknown>()
  return { drawn, ink }
}

const drawingsOf = (engine: Engine, { clientId, id }: SealedRevision) =>
  engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ id: number; method: 'finger' | 'on behalf' }>(
      'SELECT id, method FROM signature WHERE client_id = $1 AND document_id = $2 AND strokes IS NOT NULL ORDER BY id',
      [clientId, id],
    ),
  )
