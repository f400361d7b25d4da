import { text } from 'node:stream/consumers'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Db, SqlConn } from '#server/db/db.ts'
import { createEngine } from '#server/engine/engine.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { readExport, writeExport } from '#server/exports/export.ts'
import type { TestPortal } from './portal.ts'

const byRow = ({ copyOut: _copyOut, ...conn }: SqlConn): SqlConn => conn

/** Makes two engines. For one, the database writes exports; the other writes them row by row. */
export function makeExportEngines({ db, engine }: TestPortal): [compiled: Engine, plain: Engine] {
  const plain: Db = { ...db, snapshot: (work) => db.snapshot((conn) => work(byRow(conn))) }
  return [engine, createEngine(plain, engine.config, registryOf(engine).modules)]
}

export async function exportCsv(engine: Engine, resource: Resource, actor: Actor, query: Record<string, string>) {
  const file = await writeExport(engine, { resource, actor, query, format: 'csv' })
  return text(readExport(file))
}
