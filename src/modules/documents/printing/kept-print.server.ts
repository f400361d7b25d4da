import { problem } from '#kernel/errors.ts'
import { systemActor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { sealDocumentEvent } from '../audit-chain/sealing.server.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type PrintInput, renderDocumentPdf } from './draw.server.ts'
import { readPrintedHistory, usernamesIn } from './evidence.server.ts'
import { readStoredBytes, type StoredBytes, storeBytes } from './kept-bytes.server.ts'
import { gatherMaterial, type PrintMaterial } from './material.server.ts'

/** State of a sealed revision with its stored PDFs. */
interface Standing {
  /** Position of the last event in the chain. */
  readonly stands: number
  /** Time of the last event, as an ISO 8601 instant. */
  readonly asOf: string
  /** The stored PDF of exactly this state. */
  readonly checksum: string | null
  readonly fileKey: string | null
  readonly material: PrintMaterial | null
}

export interface SealedRevision {
  readonly clientId: number
  readonly id: number
}

/** A state whose PDF is stored. */
export type PrintedState = Standing & StoredBytes

const isPrinted = (standing: Standing): standing is PrintedState =>
  standing.fileKey !== null && standing.checksum !== null

/**
 * Ensures that the PDF of a sealed revision's current state is stored, and returns its location. It is rendered once,
 * by the job after the commit or the first reader: bytes in the file store under their checksum, the checksum in the
 * client's chain. If a process crashes in between, the next attempt reuses the bytes.
 */
export async function ensureStoredPrint(
  engine: Engine,
  kind: DocumentKind,
  sealed: SealedRevision,
): Promise<PrintedState> {
  for (;;) {
    const standing = await readPrintState(engine, sealed)
    if (!standing) throw problem.notFound()
    if (isPrinted(standing)) return standing
    await makePrint(engine, kind, sealed, standing)
  }
}

/** Reads the bytes of a stored PDF. */
export const readStoredPrint = (
  engine: Engine,
  { clientId, id }: SealedRevision,
  printed: PrintedState,
): Promise<Buffer> => readStoredBytes(engine, { clientId, document: id }, printed)

/** Undefined for an unsealed revision. */
export async function readPrintState(engine: Engine, { clientId, id }: SealedRevision): Promise<Standing | undefined> {
  const [found] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<Standing>(
      `SELECT t.*, p.checksum, p.file_key AS "fileKey",
         (SELECT m.material FROM document_print m WHERE m.client_id = $1 AND m.document_id = $2 ORDER BY m.id DESC LIMIT 1) AS material
       FROM (SELECT s.place AS stands,
           to_char(s.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "asOf"
         FROM document d JOIN seal s ON s.client_id = d.client_id AND s.document_id = d.id AND s.event <> 'printed'
         WHERE d.client_id = $1 AND d.id = $2 AND d.seal IS NOT NULL ORDER BY s.place DESC LIMIT 1) t
       LEFT JOIN document_print p ON p.client_id = $1 AND p.document_id = $2 AND p.stands = t.stands`,
      [clientId, id],
    ),
  )
  return found
}

/** Content of a sealed revision's print, with the material of its first PDF if there is one. */
export async function readPrintInput(
  engine: Engine,
  kind: DocumentKind,
  { clientId, id }: SealedRevision,
  { material: kept, asOf }: Pick<Standing, 'material' | 'asOf'>,
): Promise<PrintInput> {
  const actor = systemActor(clientId, 'render the PDF of a sealed revision')
  const record = await engine.one(kind.resource, actor, id)
  const evidence = await readPrintedHistory(engine, actor, kind, record)
  const material = await gatherMaterial(engine, kind, clientId, record, usernamesIn(evidence), kept ?? undefined)
  return { record, evidence, material, beside: {}, whose: clientId, asOf, whole: true }
}

async function makePrint(engine: Engine, kind: DocumentKind, { clientId, id }: SealedRevision, standing: Standing) {
  const { stands } = standing
  const paper = await readPrintInput(engine, kind, { clientId, id }, standing)
  const pdf = await renderDocumentPdf(engine, kind, paper)
  // Another event happened meanwhile: this PDF would include it under the earlier state.
  if ((await readPrintState(engine, { clientId, id }))?.stands !== stands) return
  const { checksum, fileKey } = await storeBytes(engine, clientId, 'print', pdf)
  const actor = systemActor(clientId, 'save the PDF of a sealed revision')
  await engine.inTenant(clientId, { actor, requestId: `print ${id}` }, async (c) => {
    const [added] = await c.work.tx.rows<{ id: number }>(
      `INSERT INTO document_print (client_id, document_id, stands, material, checksum, bytes, file_key, at)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $8::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
      [clientId, id, stands, JSON.stringify(paper.material), checksum, pdf.length, fileKey, c.now.toString()],
    )
    if (added) await sealDocumentEvent(c, 'printed', id, { added: added.id })
    return () => undefined
  })
}
