import { problem } from '#kernel/errors.ts'
import type { Evidence, SealedEvent, SealedRows, StoredColumns, Uploads } from '#kernel/evidence.ts'
import { author } from '#kernel/roles.ts'
import { prepare } from '#server/data/values.ts'
import type { Asked } from '#server/data/writing/sent-json.ts'
import type { PendingWrite } from '#server/data/writing/step.ts'
import type { Work } from '#server/data/writing/work.ts'
import type { Conn } from '#server/db/db.ts'
import type { Context } from '#server/engine/context.ts'
import { append, lookHeld } from './chain.ts'
import { filesIn, type Sealed, sealedFiles, sealedRecord, sealedRows } from './stored.ts'

/** A row that an event adds: one that stands already, by its id, or one that is collected with whatever else happens. */
export type Added = number | PendingWrite

/** What has happened to a record. */
export interface Happened {
  readonly event: string
  readonly id: number
  /** The row that the event adds: its id, or what is about to be written. */
  readonly added?: Added
  /** What else a reader of the chain should know of it. */
  readonly told?: StoredColumns
}

/** Adds what has happened to a record to the chain of its client, with what stands from here on. Answers the link's digest. */
export const sealEvent = (c: Context, of: Evidence, happened: Happened): Promise<string> =>
  sealIn(c, c.clientId, of, happened)

/** The same in a chain of another client: for what the portal does to all of them. */
export async function sealIn(
  { work, now, actor }: Pick<Context, 'work' | 'now' | 'actor'>,
  clientId: number,
  of: Evidence,
  { event, id, added, told }: Happened,
): Promise<string> {
  const spec = of.events[event]
  if (!spec) throw new Error(`${of.of.type} has no event "${event}"`)
  const seen = await see(work, clientId, of, spec, { id, added })
  return append(work, clientId, {
    event,
    subjectType: of.of.type,
    subjectId: id,
    subject: { ...told, sealed: sealedOf(of, spec, seen) },
    at: now,
    by: author(actor).username,
  })
}

/** What is seen of a record, and its files. */
interface Seen {
  readonly row: StoredColumns
  /** The rows of each table that is sealed as a whole. */
  readonly lists: readonly StoredColumns[][]
  readonly added?: StoredColumns | undefined
  readonly files: readonly StoredColumns[]
}

type About = Pick<Happened, 'id' | 'added'>

/** Is what was asked for known, or nothing asked? */
const isKnown = (asked: Asked | undefined) => !asked || asked.found !== undefined

const childOf = (of: Evidence, table: string) => of.rows.find((r) => r.table === table) as SealedRows

/**
 * What an event seals of a record, once what is collected is sent. Where all of it is being written, the database says so with the
 * write: the record is locked by it. Otherwise it is looked at while nobody else adds to the chain. Throws 404.
 */
async function see(
  work: Work,
  clientId: number,
  of: Evidence,
  event: SealedEvent,
  { id, added }: About,
): Promise<Seen> {
  const { columns = [], rows = [], adds, files } = event
  const sent = typeof added === 'object' ? (added.stored ? added.row().id : undefined) : added
  const addedRow = typeof added === 'object' && sent === undefined ? work.ask(added) : undefined
  const own = columns.length ? work.ask({ table: of.of.table, id }, ['id', ...columns]) : undefined
  const isWritten = !rows.length && !files && (own || !columns.length) && (addedRow || adds === undefined)
  if (isWritten && !(isKnown(own) && isKnown(addedRow))) await work.flush()
  const looked = isWritten
    ? { row: own?.found ?? {}, lists: [], files: [] }
    : await lookHeld(work, clientId, () => look(work.tx, clientId, of, event, id, sent))
  if (adds === undefined) return looked
  const found = addedRow?.found ?? looked.added
  if (!found || found.client_id !== clientId || found[childOf(of, adds).by] !== id) throw problem.notFound()
  return { ...looked, added: found }
}

const sealedOf = (of: Evidence, { columns = [], rows = [], adds }: SealedEvent, seen: Seen): Sealed[] => [
  ...(columns.length ? [sealedRecord(of, seen.row, columns)] : []),
  ...rows.map((table, n) => sealedRows(childOf(of, table), seen.lists[n] ?? [], true)),
  ...(adds !== undefined && seen.added ? [sealedRows(childOf(of, adds), [seen.added])] : []),
  ...(of.uploads && seen.files.length ? [sealedFiles(of.uploads, seen.files)] : []),
]

/** Reads what an event seals of a record; `added` is the id of the row that it adds, where that is there. */
async function look(
  db: Conn,
  clientId: number,
  of: Evidence,
  { columns = [], rows = [], adds, files }: SealedEvent,
  id: number,
  added: number | undefined,
): Promise<Seen> {
  const lists = rows.map((table) => childOf(of, table))
  const ofRecord = (r: SealedRows) => `FROM ${r.table} r WHERE r.client_id = t.client_id AND r.${r.by} = t.id`
  const selects = [
    `(SELECT to_jsonb(c) FROM (SELECT ${['id', ...columns].map((column) => `t.${column}`).join(', ')}) c)`,
    ...lists.map((r) => `(SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]') ${ofRecord(r)})`),
    ...(adds !== undefined && added !== undefined
      ? [`(SELECT to_jsonb(r) ${ofRecord(childOf(of, adds))} AND r.id = $3::bigint)`]
      : []),
  ]
  const query = prepare(
    `SELECT ${selects.join(', ')} FROM ${of.of.table} t WHERE t.client_id = $1::int AND t.id = $2::bigint`,
  )
  const [found] = await db.arrays(query, added === undefined ? [clientId, id] : [clientId, id, added])
  if (!found) throw problem.notFound()
  const row = found[0] as StoredColumns
  const whole = found.slice(1, 1 + lists.length) as StoredColumns[][]
  const named = lists.flatMap(({ upload }, n) => (upload ? (whole[n] ?? []).map((r) => Number(r[upload] ?? 0)) : []))
  const values = columns.map((column) => row[column])
  const uploads = files && of.uploads
  const referred = uploads ? [...filesIn(uploads, values), ...named.filter((file) => file > 0)] : []
  return {
    row,
    lists: whole,
    added: (found[1 + lists.length] as StoredColumns | null | undefined) ?? undefined,
    files: await readFiles(db, clientId, uploads, referred),
  }
}

/** Uploaded files of a client, or of the provider's templates. */
export const readFiles = async (
  db: Conn,
  clientId: number,
  uploads: Uploads | undefined,
  ids: readonly number[],
): Promise<StoredColumns[]> => {
  if (!uploads || !ids.length) return []
  const sql = `SELECT to_jsonb(f) AS file FROM ${uploads.table} f WHERE f.client_id IN ($1, 0) AND f.id = ANY($2::bigint[]) ORDER BY f.id`
  return (await db.rows<{ file: StoredColumns }>(sql, [clientId, ids])).map(({ file }) => file)
}
