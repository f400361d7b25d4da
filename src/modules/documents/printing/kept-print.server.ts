import { problem } from '#kernel/errors.ts'
import { systemActor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { sealOf } from '../audit-chain/sealing.server.ts'
import type { DocumentKind } from '../types/kind.ts'
import { draw, type Paper } from './draw.server.ts'
import { readEvidence, usernamesIn } from './evidence.server.ts'
import { type KeptBytes, keepBytes, readKept } from './kept-bytes.server.ts'
import { gatherMaterial, type Material } from './material.server.ts'

/** What had been done with a sealed revision, and the prints that are kept of it. */
interface Standing {
  /** The place in the chain of the last thing done. */
  readonly stands: number
  /** ISO 8601 instant of the last thing done. */
  readonly asOf: string
  /** The print that tells exactly this. */
  readonly checksum: string | null
  readonly fileKey: string | null
  /** What the newest print was made of. */
  readonly material: Material | null
}

/** A sealed revision, by the client whose it is. */
export interface Sealed {
  readonly clientId: number
  readonly id: number
}

/** A standing whose print is kept. */
export type Printed = Standing & KeptBytes

const isPrinted = (standing: Standing): standing is Printed => standing.fileKey !== null && standing.checksum !== null

/**
 * Sees to it that the print of a sealed revision as it stands is kept, and says where. It is made once, by whoever comes first, the job after the commit or a reader, and
 * kept: the bytes in the file store under their own checksum, the checksum in the chain of the client. A process that dies
 * between the two leaves bytes under a name that the next attempt uses again.
 */
export async function ensurePrint(engine: Engine, kind: DocumentKind, sealed: Sealed): Promise<Printed> {
  for (;;) {
    const standing = await readStanding(engine, sealed)
    if (!standing) throw problem.notFound()
    if (isPrinted(standing)) return standing
    await makePrint(engine, kind, sealed, standing)
  }
}

/** The bytes of a print that is kept. */
export const readPrint = (engine: Engine, { clientId, id }: Sealed, printed: Printed): Promise<Buffer> =>
  readKept(engine, { clientId, document: id }, printed)

/** Nothing for a revision that is not sealed. */
export async function readStanding(engine: Engine, { clientId, id }: Sealed): Promise<Standing | undefined> {
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

/** Everything that stands on the paper of a sealed revision, with the material of its first print where there is one. */
export async function paperOf(
  engine: Engine,
  kind: DocumentKind,
  { clientId, id }: Sealed,
  { material: kept, asOf }: Pick<Standing, 'material' | 'asOf'>,
): Promise<Paper> {
  const actor = systemActor(clientId, 'the print of a sealed revision')
  const record = await engine.one(kind.resource, actor, id)
  const evidence = await readEvidence(engine, actor, kind, record)
  const material = await gatherMaterial(engine, kind, clientId, record, usernamesIn(evidence), kept ?? undefined)
  return { record, evidence, material, beside: {}, whose: clientId, asOf, whole: true }
}

async function makePrint(engine: Engine, kind: DocumentKind, { clientId, id }: Sealed, standing: Standing) {
  const { stands } = standing
  const paper = await paperOf(engine, kind, { clientId, id }, standing)
  const pdf = await draw(engine, kind, paper)
  // Something else was done meanwhile: this print would tell of it under the name of what was done before.
  if ((await readStanding(engine, { clientId, id }))?.stands !== stands) return
  const { checksum, fileKey } = await keepBytes(engine, clientId, 'print', pdf)
  const actor = systemActor(clientId, 'the print of a sealed revision')
  await engine.inTenant(clientId, { actor, requestId: `print ${id}` }, async (c) => {
    const [added] = await c.work.tx.rows<{ id: number }>(
      `INSERT INTO document_print (client_id, document_id, stands, material, checksum, bytes, file_key, at)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $8::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
      [clientId, id, stands, JSON.stringify(paper.material), checksum, pdf.length, fileKey, c.now.toString()],
    )
    if (added) await sealOf(c, 'printed', id, { added: added.id })
    return () => undefined
  })
}
