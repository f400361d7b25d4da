import { text } from 'node:stream/consumers'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { withValues } from '#server/db/copy.ts'
import type { Conn, Db } from '#server/db/db.ts'
import { createEngine } from '#server/engine/engine.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { readExport, writeExport } from '#server/exports/export.ts'
import type { TestPortal } from './portal.ts'

/** The embedded database is asked for the same statement, and its cells are quoted as COPY quotes them. */
const byDatabase = (conn: Conn): Conn => ({
  copyOut: async ({ text: select }, values, taker) => {
    for (const cells of await conn.arrays({ text: withValues(select, values) }, []))
      taker.take(Buffer.from(`${cells.map((cell) => quoted(cell as string | null)).join(',')}\n`))
  },
  ...conn,
})
const quoted = (cell: string | null) =>
  cell === '' || /[",\r\n]/.test(cell ?? '') ? `"${cell?.replaceAll('"', '""')}"` : (cell ?? '')
const byRow = ({ copyOut: _copyOut, ...conn }: Conn): Conn => conn

/** An engine whose exports the database writes, and one that writes them row by row. */
export function bothWays({ db, engine }: TestPortal): [compiled: Engine, plain: Engine] {
  const engineThat = (as: (conn: Conn) => Conn) => {
    const way: Db = { ...db, snapshot: (work) => db.snapshot((conn) => work(as(conn))) }
    return createEngine(way, engine.config, registryOf(engine).modules)
  }
  return [engineThat(byDatabase), engineThat(byRow)]
}

/** The CSV of a list as somebody sees it. */
export async function exported(engine: Engine, resource: Resource, actor: Actor, query: Record<string, string>) {
  const file = await writeExport(engine, { resource, actor, query, format: 'csv' })
  return text(readExport(file))
}
