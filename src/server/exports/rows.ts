import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { type Key, rowsAtQuery } from '#server/data/found.ts'
import { planFor } from '#server/data/plan.ts'
import type { Conn } from '#server/db/db.ts'
import type { ExportColumn, Value } from './columns.ts'
import { readNames } from './names.ts'
import { readTitles } from './titles.ts'

/** Rows read at a time. */
const BATCH = 500

/** The cells of the records at these keys, row by row; read some at a time, so that memory holds no more than those. */
export async function* readCells(
  conn: Conn,
  r: Resource,
  actor: Actor,
  columns: readonly ExportColumn[],
  keys: readonly Key[],
): AsyncGenerator<Value[]> {
  const plan = planFor(r, actor, true)
  for (let from = 0; from < keys.length; from += BATCH) {
    const q = rowsAtQuery(r, actor, keys.slice(from, from + BATCH))
    const rows = q ? await conn.arrays(q.query, q.values) : []
    const records = rows.map(plan.send)
    const clients = rows.map((row) => Number(row[1]))
    const titleOf = await readTitles(conn, actor, columns, records, clients)
    const namesOf = await readNames(conn, actor, columns, records, clients)
    for (const [i, record] of records.entries()) {
      const nameOf = namesOf(clients[i] as number)
      yield columns.map((column) => column.value(record, titleOf, nameOf))
    }
  }
}
