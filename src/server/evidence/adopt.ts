import type { EvidenceSpec } from '#kernel/evidence.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { ADOPTED_EVENT } from './link.ts'
import { sealEventForClient } from './seal.ts'

/**
 * Seals, once, the current state of records whose links are of form 1, so that no later change goes unnoticed. What
 * those links sealed remains valid.
 */
export const evidenceAdoption: Reference = {
  name: 'evidence',
  edition: 1,
  load: async (c) => {
    for (const of of registryOf(c.engine).evidence) await adopt(c, of)
  },
}

async function adopt(c: Context, of: EvidenceSpec): Promise<void> {
  const { type, table } = of.of
  const found = await c.work.tx.rows<{ client: number; id: number }>(
    `SELECT t.client_id AS client, t.id FROM ${table} t WHERE (${of.claims})
       AND NOT EXISTS (SELECT 1 FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = $1 AND s.subject_id = t.id AND s.form > 1)
     ORDER BY t.client_id, t.id`,
    [type],
  )
  for (const { client, id } of found) await sealEventForClient(c, client, of, { event: ADOPTED_EVENT, id })
}
