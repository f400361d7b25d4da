import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import type { Conn } from '#server/db/db.ts'
import type { Context } from '#server/engine/context.ts'
import { append } from './chain.server.ts'
import type { Evidence, SealedEvent, SealedRows, Stored } from './evidence.ts'
import { FILES, filesIn, type Sealed, sealedFiles, sealedRecord, sealedRows } from './stored.server.ts'

/** What has happened to a record. */
export interface Happened {
  readonly event: string
  readonly id: number
  /** The row that the event adds. */
  readonly added?: number
  /** What else a reader of the chain should know of it. */
  readonly told?: Stored
}

/** Adds what has happened to a record to the chain of its client, with what stands from here on. Answers the link's digest. */
export async function sealEvent(c: Context, of: Evidence, happened: Happened): Promise<string> {
  await c.work.flush()
  return sealIn(c, c.clientId, of, happened)
}

/** The same in a chain of another client: for what the portal does to all of them. */
export async function sealIn(
  { work, now, actor }: Pick<Context, 'work' | 'now' | 'actor'>,
  clientId: number,
  of: Evidence,
  { event, id, added, told }: Happened,
): Promise<string> {
  const spec = of.events[event]
  if (!spec) throw new Error(`${of.of.type} has no event "${event}"`)
  work.touched.add('seal')
  return append(work.tx, clientId, async () => ({
    event,
    subjectType: of.of.type,
    subjectId: id,
    subject: { ...told, sealed: await readSealed(work.tx, clientId, of, spec, { id, added }) },
    at: now,
    by: author(actor).username,
  }))
}

async function readSealed(
  db: Conn,
  clientId: number,
  of: Evidence,
  { columns = [], rows = [], adds, files }: SealedEvent,
  { id, added }: { readonly id: number; readonly added: number | undefined },
): Promise<Sealed[]> {
  const child = (table: string) => of.rows.find((r) => r.table === table) as SealedRows
  const all = (r: SealedRows, n: number) =>
    `(SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]') FROM ${r.table} r WHERE r.client_id = t.client_id AND r.${r.by} = t.id) AS r${n}`
  const one = (r: SealedRows) =>
    `(SELECT to_jsonb(r) FROM ${r.table} r WHERE r.client_id = t.client_id AND r.${r.by} = t.id AND r.id = $3) AS added`
  const selects = [
    'to_jsonb(t) AS row',
    ...rows.map((table, n) => all(child(table), n)),
    ...(adds ? [one(child(adds))] : []),
  ]
  const [found] = await db.rows<Record<string, Stored | Stored[] | null>>(
    `SELECT ${selects.join(', ')} FROM ${of.of.table} t WHERE t.client_id = $1 AND t.id = $2`,
    adds ? [clientId, id, added] : [clientId, id],
  )
  if (!found || (adds && !found.added)) throw problem.notFound()
  const row = found.row as Stored
  const sealed = [
    ...(columns.length ? [sealedRecord(of, row, columns)] : []),
    ...rows.map((table, n) => sealedRows(child(table), found[`r${n}`] as Stored[], true)),
    ...(adds ? [sealedRows(child(adds), [found.added as Stored])] : []),
  ]
  const named = rows.flatMap((table, n) => {
    const { upload } = child(table)
    return upload ? (found[`r${n}`] as Stored[]).map((r) => Number(r[upload] ?? 0)) : []
  })
  const referred = files ? [...filesIn(columns.map((column) => row[column])), ...named.filter((file) => file > 0)] : []
  return referred.length ? [...sealed, sealedFiles(await readFiles(db, clientId, referred))] : sealed
}

/** Uploaded files of a client, or of the provider's templates. */
export const readFiles = async (db: Conn, clientId: number, ids: readonly number[]): Promise<Stored[]> => {
  const sql = `SELECT to_jsonb(f) AS file FROM ${FILES} f WHERE f.client_id IN ($1, 0) AND f.id = ANY($2::bigint[]) ORDER BY f.id`
  return (await db.rows<{ file: Stored }>(sql, [clientId, ids])).map(({ file }) => file)
}
