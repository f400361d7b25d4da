import type { EvidenceSpec } from '#kernel/evidence.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { Tx } from '#server/db/db.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { TestPortal } from './portal.ts'

/** Statement that disables all triggers and foreign keys, as a database owner could. */
const UNGUARDED = 'SET LOCAL session_replication_role = replica'

export const evidenceTables = (evidences: readonly EvidenceSpec[]): string[] => [
  ...new Set(evidences.flatMap(({ of, rows }) => [of.table, ...rows.map(({ table }) => table)])),
]

/**
 * Changes a client's evidence as the database owner could, runs a check, and restores the evidence. Returns the result
 * of the check.
 */
export async function withForgery<T>(
  portal: TestPortal,
  clientId: number,
  forge: (tx: Tx) => Promise<unknown>,
  look: () => Promise<T>,
): Promise<T> {
  const tables = [...evidenceTables(registryOf(portal.engine).evidence), uploadedDocument.table, 'seal', 'seal_head']
  const kept = await portal.db.tx('owner', async (tx) => {
    const rows = await Promise.all(
      tables.map((table) =>
        tx.rows<{ row: unknown }>(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE client_id = $1`, [clientId]),
      ),
    )
    await tx.script(UNGUARDED)
    await forge(tx)
    return rows.map((all) => all.map(({ row }) => row))
  })
  try {
    return await look()
  } finally {
    await portal.db.tx('owner', async (tx) => {
      await tx.script(UNGUARDED)
      for (const [i, table] of tables.entries()) await putBack(tx, table, clientId, kept[i] ?? [])
    })
  }
}

/** Restores a client's rows in a table, including those that were moved to another client. */
async function putBack(tx: Tx, table: string, clientId: number, rows: readonly unknown[]): Promise<void> {
  const [own] = await tx.rows<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  )
  const kept = JSON.stringify(rows)
  await tx.rows(
    `DELETE FROM ${table} WHERE client_id = $1 OR id IN (SELECT k.id FROM jsonb_to_recordset($2::jsonb) AS k (id bigint))`,
    [clientId, kept],
  )
  await tx.rows(
    `INSERT INTO ${table} (${own?.columns}) SELECT ${own?.columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [kept],
  )
}
