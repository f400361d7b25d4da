import { createSystemActor } from '#kernel/roles.ts'
import { readStoredBytes, storeClientBytes } from '#modules/documents/printing/draw.server.ts'
import type { Engine } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { incidentEvidence } from '../reports/evidence.ts'
import { incidentPrint, type PrintForm } from './incident-print.ts'

interface PrintKey {
  readonly clientId: number
  readonly report: number
  readonly form: PrintForm
}

/**
 * Returns the stored PDF of a closed incident with these contents. Contents that are not stored yet are rendered and
 * stored, and the checksum is added to the client's audit chain. Two users who print at once get the same file.
 */
export async function findOrStorePrint(
  engine: Engine,
  key: PrintKey,
  contents: object,
  render: () => Promise<Buffer>,
): Promise<Buffer> {
  const madeOf = digestSubject(contents)
  const stored = await findPrint(engine, key, madeOf)
  if (stored) return stored
  await storePrint(engine, key, madeOf, await render())
  const made = await findPrint(engine, key, madeOf)
  if (!made) throw new Error('A PDF was stored and is not there')
  return made
}

async function findPrint(engine: Engine, { clientId, report, form }: PrintKey, madeOf: string) {
  const [found] = await engine.readIn(clientId, 'read a stored PDF of an incident', (c) =>
    c.find(incidentPrint, { report, form, madeOf }),
  )
  return found && readStoredBytes(engine, { clientId, incident: report }, found)
}

async function storePrint(engine: Engine, { clientId, report, form }: PrintKey, madeOf: string, pdf: Buffer) {
  const { checksum, fileKey } = await storeClientBytes(engine, clientId, 'print', pdf)
  const actor = createSystemActor(clientId, 'store the PDF of a closed incident')
  await engine.inTenant(clientId, { actor, requestId: `print ${madeOf.slice(0, 8)}` }, async (c) => {
    const [added] = await c.work.tx.rows<{ id: number }>(
      `INSERT INTO incident_print (client_id, report_id, form, made_of, checksum, bytes, file_key, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
      [clientId, report, form, madeOf, checksum, pdf.length, fileKey, c.now.toString()],
    )
    if (added) await sealEvent(c, incidentEvidence, { event: 'printed', id: report, added: added.id })
    return () => undefined
  })
}
