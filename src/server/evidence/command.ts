import type { Resource } from '#kernel/resource.ts'
import type { SqlConn } from '#server/db/db.ts'
import { parseClientOption } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { evidencePublicKey } from './chain.ts'
import { verifyEvidence } from './verify.ts'

/** Append-only tables of the engine itself. */
const ENGINE_TABLES = ['audit']

export const appendOnlyTables = (resources: readonly Resource[]): string[] =>
  [...new Set([...ENGINE_TABLES, ...resources.flatMap((r) => (r.appendOnly ? [r.table] : []))])].sort()

/** Returns the tables with an active trigger that prevents updating and deleting rows. */
export async function findProtectedTables(conn: SqlConn): Promise<string[]> {
  const rows = await conn.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE p.proname = 'append_only' AND t.tgenabled IN ('O', 'A') AND c.relnamespace = 'public'::regnamespace
     ORDER BY 1`,
  )
  return rows.map((row) => row.name)
}

/**
 * Verifies the evidence of all clients or of one client, and checks that append-only tables can't be changed. Throws an
 * error that names every record with a mismatch and every unprotected table.
 */
export async function verifyEvidenceCommand(engine: Engine, args: string[]): Promise<string> {
  const given = args.indexOf('--client')
  const clientId = given < 0 ? undefined : parseClientOption(args[given + 1] ?? '')
  const guarded = await findProtectedTables(engine.db.read)
  const open = appendOnlyTables(engine.resources)
    .filter((table) => !guarded.includes(table))
    .map(
      (table) => `Rows in the table ${table} can be changed because its trigger "append_only" is missing or disabled.`,
    )
  const { clients, links, broken } = await verifyEvidence(engine, clientId)
  if (open.length + broken.length) throw new Error([...open, ...broken].join('\n'))
  const key = evidencePublicKey(engine)
  const signed = key ? ` The heads of the chains are signed with the key ${key} (Ed25519, base64url).` : ''
  return `${links} entries from ${clients} ${clients === 1 ? 'client' : 'clients'} are intact, and every sealed record matches its entries.${signed}`
}
