import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { type RecordKey, rowsAtQuery } from '#server/data/matching-rows.ts'
import { selectPlanOf } from '#server/data/plan.ts'
import type { Conn } from '#server/db/db.ts'
import type { CellValue, ExportColumn } from './columns.ts'
import { readPersonNames } from './names.ts'
import { readRelatedTitles } from './titles.ts'

/** Rows per query. */
const BATCH = 1000

/**
 * Yields the cells of the records with these keys, row by row, in batches. Reads one batch ahead, so that memory holds
 * two at most.
 */
export async function* readExportCells(
  conn: Conn,
  r: Resource,
  actor: Actor,
  columns: readonly ExportColumn[],
  keys: readonly RecordKey[],
): AsyncGenerator<CellValue[][]> {
  const plan = selectPlanOf(r, actor, new Set(columns.flatMap(({ names }) => names)))
  const read = async (from: number) => {
    const q = rowsAtQuery(r, actor, keys.slice(from, from + BATCH), plan)
    return q ? conn.arrays(q.query, q.values) : []
  }
  let coming = read(0)
  for (let from = 0; from < keys.length; from += BATCH) {
    const rows = await coming
    const records = rows.map(plan.send)
    const clients = rows.map((row) => Number(row[1]))
    const titleOf = await readRelatedTitles(conn, actor, columns, records, clients)
    const namesOf = await readPersonNames(conn, actor, columns, records, clients)
    if (from + BATCH < keys.length) {
      coming = read(from + BATCH)
      // The reader may stop before this batch arrives.
      coming.catch(() => {})
    }
    yield records.map((record, i) => {
      const nameOf = namesOf(clients[i] as number)
      return columns.map((column) => column.value(record, titleOf, nameOf))
    })
  }
}
