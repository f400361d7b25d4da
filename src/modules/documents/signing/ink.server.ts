import { canSeeField } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import type { Engine } from '#server/engine/types.ts'
import { signature } from '../types/document.ts'

type Listed = Pick<RecordOf<typeof signature>, 'id' | 'method'>

/**
 * Loads a document's signature drawings by signature ID, with the same permissions as opening a single signature
 * record. Logs the access.
 */
export async function readSignatureDrawings(
  engine: Engine,
  actor: Actor,
  clientId: number,
  signatures: readonly Listed[],
): Promise<ReadonlyMap<number, unknown>> {
  const ids = signatures.filter((s) => s.method !== 'typed').map((s) => s.id)
  if (!ids.length) return new Map()
  const rows = await engine.readIn(clientId, 'print drawn signatures', (c) => c.find(signature, { id: ids }))
  const { strokes } = signature.fields
  const shown = rows.filter((row) => row.strokes !== null && canSeeField(actor, strokes, row))
  if (shown.length) {
    const changes = { fields: ['strokes'], ids: shown.map((row) => row.id) }
    const trace = { clientId, type: signature.type, rowId: 0, verb: 'look', changes }
    await engine.db.tx('system', (tx) => writeAuditTrace(tx, actor, trace))
  }
  return new Map(shown.map((row) => [row.id, row.strokes]))
}
