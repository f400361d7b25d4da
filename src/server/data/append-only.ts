import type { Resource } from '#kernel/resource.ts'
import type { SqlConn } from '#server/db/db.ts'

/** Append-only tables of the engine itself. */
const ENGINE_TABLES = ['audit']

export const appendOnlyTables = (resources: readonly Resource[]): string[] =>
  [...ENGINE_TABLES, ...resources.flatMap((r) => (r.appendOnly ? [r.table] : []))].sort()

/** Returns the tables with an active trigger that prevents updating and deleting rows. */
export async function findProtectedTables(conn: SqlConn): Promise<string[]> {
  const rows = await conn.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE p.proname = 'append_only' AND t.tgenabled IN ('O', 'A') AND c.relnamespace = 'public'::regnamespace
     ORDER BY 1`,
  )
  return rows.map((row) => row.name)
}
