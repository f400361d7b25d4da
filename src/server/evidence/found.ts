import type { EvidenceSpec, StoredColumns } from '#kernel/evidence.ts'
import type { Conn } from '#server/db/db.ts'
import type { StoredEvidence } from './compare.ts'
import type { RecordReplay } from './replay.ts'
import { readUploadedFiles } from './seal.ts'

interface Owned {
  readonly owner: number
  readonly row: StoredColumns
}

/** Reads the current state of a client's records, with one query per table. */
export async function readStoredEvidence(
  db: Conn,
  clientId: number,
  replays: readonly RecordReplay[],
): Promise<StoredEvidence[]> {
  const found: StoredEvidence[] = []
  for (const [of, some] of Map.groupBy(replays, (replay) => replay.of)) {
    const ids = some.map((replay) => replay.id)
    const rows = await readRowsById(db, clientId, of, ids)
    const tables = await Promise.all(
      of.rows.map(async ({ table, by }) => {
        const sql = `SELECT r.${by} AS owner, to_jsonb(r) AS row FROM ${table} r WHERE r.client_id = $1 AND r.${by} = ANY($2::bigint[])`
        return [table, Map.groupBy(await db.rows<Owned>(sql, [clientId, ids]), (r) => r.owner)] as const
      }),
    )
    const fileIds = some.flatMap((replay) => [...replay.files.keys()])
    const files = new Map(
      (await readUploadedFiles(db, clientId, of.uploads, fileIds)).map((file) => [Number(file.id), file]),
    )
    for (const { id } of some)
      found.push({
        row: rows.get(id),
        rows: new Map(tables.map(([table, owned]) => [table, (owned.get(id) ?? []).map(({ row }) => row)])),
        files,
      })
  }
  return found
}

/** Reads a client's records by id. */
export async function readRowsById(
  db: Conn,
  clientId: number,
  { of }: EvidenceSpec,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredColumns>> {
  const sql = `SELECT t.id AS owner, to_jsonb(t) AS row FROM ${of.table} t WHERE t.client_id = $1 AND t.id = ANY($2::bigint[])`
  const rows = await db.rows<Owned>(sql, [clientId, ids])
  return new Map(rows.map(({ owner, row }) => [owner, row]))
}
