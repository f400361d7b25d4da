import { problem } from '#kernel/errors.ts'
import {
  type EvidenceSpec,
  SAVED_EVENT,
  type SealedEventSpec,
  type SealedRowsSpec,
  type StoredColumnValues,
  type UploadResource,
} from '#kernel/evidence.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { prepareSql } from '#server/data/values.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { TransactionWrites } from '#server/data/writing/work.ts'
import type { SqlConn } from '#server/db/db.ts'
import { requireCurrentAccount } from '#server/engine/actor-now.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { appendToChain, readWithChainLocked } from './chain.ts'
import { ADOPTED_EVENT } from './link.ts'
import {
  columnsToSeal,
  type SealedTable,
  sealFileRows,
  sealRecordColumns,
  sealTableRows,
  uploadedFileIds,
} from './stored.ts'

/** A row added by an event: its ID, or a new row whose insertion has been collected but not sent yet. */
export type AddedRow = number | PendingWrite

/** An event in a record's life that is to be sealed. */
export interface EvidenceEvent {
  readonly event: string
  readonly id: number
  readonly added?: AddedRow
  /** Further details for readers of the chain. */
  readonly told?: StoredColumnValues
}

/**
 * Appends an event to the chain of the record's client, with the record's current values. Returns the digest of the
 * sealed values. Throws if the actor's account no longer matches their token.
 */
export async function sealEvent(c: Context, of: EvidenceSpec, happened: EvidenceEvent): Promise<string> {
  const [, digest] = await settleAll(requireCurrentAccount(c), sealEventForClient(c, c.clientId, of, happened))
  return digest
}

/**
 * Seals an event in the given client's chain without checking the actor's account. Used directly for system work on all
 * clients.
 */
export async function sealEventForClient(
  { work, now, actor }: Pick<Context, 'work' | 'now' | 'actor'>,
  clientId: number,
  of: EvidenceSpec,
  { event, id, added, told }: EvidenceEvent,
): Promise<string> {
  const spec = of.events[event]
  if (!spec) throw new Error(`${of.of.type} has no event "${event}"`)
  const seen = await see(work, clientId, of, spec, { id, added })
  return appendToChain(work, clientId, {
    event,
    subjectType: of.of.type,
    subjectId: id,
    subject: { ...told, sealed: sealedOf(of, spec, seen) },
    at: now,
    by: authorOf(actor).username,
  })
}

interface RecordValues {
  readonly row: StoredColumnValues
  /** Rows of each table that is sealed completely. */
  readonly lists: readonly StoredColumnValues[][]
  readonly added?: StoredColumnValues | undefined
  readonly files: readonly StoredColumnValues[]
}

type About = Pick<EvidenceEvent, 'id' | 'added'>

const childOf = (of: EvidenceSpec, table: string) => of.rows.find((r) => r.table === table) as SealedRowsSpec

/**
 * Reads the values that an event seals, after sending the collected writes. The rows that this transaction has written
 * are already locked; the chain's lock protects all others until the transaction ends. Throws 404 if the record does
 * not exist.
 */
async function see(
  work: TransactionWrites,
  clientId: number,
  of: EvidenceSpec,
  event: SealedEventSpec,
  { id, added }: About,
): Promise<RecordValues> {
  const { columns = [], rows = [], adds, files } = event
  const pending = typeof added === 'object' && !added.stored ? added : undefined
  const addedId = pending ? 'inserted last' : typeof added === 'object' ? added.row().id : added
  const isLocked =
    !rows.length &&
    !files &&
    (!columns.length || work.isChanging(of.of.table, id)) &&
    (adds === undefined || pending !== undefined)
  const read = () => look(work.tx, clientId, of, event, id, addedId)
  const seen = isLocked ? await work.flushWith(read) : await readWithChainLocked(work, clientId, read)
  if (adds === undefined) return seen
  if (!seen.added) throw problem.notFound()
  if (pending && Number(seen.added.id) !== pending.row().id)
    throw new Error(`${of.of.type}: two new rows of ${adds} were collected before the first was sealed`)
  return seen
}

const sealedOf = (
  of: EvidenceSpec,
  { columns = [], rows = [], adds }: SealedEventSpec,
  seen: RecordValues,
): SealedTable[] => [
  ...(columns.length ? [sealRecordColumns(of, seen.row, columns)] : []),
  ...rows.map((table, n) => sealTableRows(childOf(of, table), seen.lists[n] ?? [], true)),
  ...(adds !== undefined && seen.added ? [sealTableRows(childOf(of, adds), [seen.added])] : []),
  ...(of.uploads && seen.files.length ? [sealFileRows(of.uploads, seen.files)] : []),
]

/**
 * Reads the values that an event seals. `added` is the ID of the row that the event adds, or the row last inserted into
 * its table.
 */
async function look(
  db: SqlConn,
  clientId: number,
  of: EvidenceSpec,
  { columns = [], rows = [], adds, files }: SealedEventSpec,
  id: number,
  added: number | 'inserted last' | undefined,
): Promise<RecordValues> {
  const lists = rows.map((table) => childOf(of, table))
  const ofRecord = (r: SealedRowsSpec) => `FROM ${r.table} r WHERE r.client_id = t.client_id AND r.${r.by} = t.id`
  const idText = ({ table }: SealedRowsSpec) =>
    added === 'inserted last' ? `(SELECT currval(pg_get_serial_sequence('${table}', 'id')))` : '$3::bigint'
  const selects = [
    `(SELECT to_jsonb(c) FROM (SELECT ${['id', ...columns].map((column) => `t.${column}`).join(', ')}) c)`,
    ...lists.map((r) => `(SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]') ${ofRecord(r)})`),
    ...(adds !== undefined && added !== undefined
      ? [`(SELECT to_jsonb(r) ${ofRecord(childOf(of, adds))} AND r.id = ${idText(childOf(of, adds))})`]
      : []),
  ]
  const query = prepareSql(
    `SELECT ${selects.join(', ')} FROM ${of.of.table} t WHERE t.client_id = $1::int AND t.id = $2::bigint`,
  )
  const [found] = await db.arrays(query, typeof added === 'number' ? [clientId, id, added] : [clientId, id])
  if (!found) throw problem.notFound()
  const row = found[0] as StoredColumnValues
  const whole = found.slice(1, 1 + lists.length) as StoredColumnValues[][]
  const named = lists.flatMap(({ upload }, n) => (upload ? (whole[n] ?? []).map((r) => Number(r[upload] ?? 0)) : []))
  const values = columns.map((column) => row[column])
  const uploads = files && of.uploads
  const referred = uploads ? [...uploadedFileIds(uploads, values), ...named.filter((file) => file > 0)] : []
  return {
    row,
    lists: whole,
    added: (found[1 + lists.length] as StoredColumnValues | null | undefined) ?? undefined,
    files: await readUploadedFiles(db, clientId, uploads, referred),
  }
}

/** Reads uploaded files that belong to a client or to the provider's templates. */
export const readUploadedFiles = async (
  db: SqlConn,
  clientId: number,
  uploads: UploadResource | undefined,
  ids: readonly number[],
): Promise<StoredColumnValues[]> => {
  if (!uploads || !ids.length) return []
  const sql = `SELECT to_jsonb(f) AS file FROM ${uploads.table} f WHERE f.client_id IN ($1, 0) AND f.id = ANY($2::bigint[]) ORDER BY f.id`
  return (await db.rows<{ file: StoredColumnValues }>(sql, [clientId, ids])).map(({ file }) => file)
}

/**
 * Seals the records saved in this transaction whose evidence declares that every save is sealed. Called before the
 * commit; sends the collected writes first.
 */
export async function sealSavedRecords({ work, now, actor, engine, clientId }: Context): Promise<void> {
  const { savedEvidence } = registryOf(engine)
  if (!work.saved.has(savedEvidence.keys())) return
  await work.flush()
  const saved = work.saved.take(savedEvidence.keys())
  const specs = [...saved].map(([table, ids]) => [savedEvidence.get(table) as EvidenceSpec, ids] as const)
  const by = authorOf(actor).username
  await sealCurrentValues(work, clientId, { specs, event: SAVED_EVENT, at: now, by })
}

interface CurrentValues {
  readonly specs: readonly (readonly [EvidenceSpec, readonly number[]])[]
  readonly event: string
  readonly at: Context['now']
  readonly by: string
}

/** Seals the stored values of records that are marked as sealed, and their rows if no entry has sealed them yet. */
async function sealCurrentValues(
  work: TransactionWrites,
  clientId: number,
  { specs, event, at, by }: CurrentValues,
): Promise<void> {
  const found = await settleAll(...specs.map(([of, ids]) => work.tx.arrays(savedValuesQuery(of), [clientId, ids])))
  for (const [n, [of]] of specs.entries())
    for (const [row, ...lists] of found[n] ?? []) {
      const values = row as StoredColumnValues
      const columns = columnsToSeal(values, ['id', ...(of.savedWithout ?? [])])
      const sealed = [
        sealRecordColumns(of, values, columns),
        ...of.rows.flatMap((rows, k) =>
          lists[k] ? [sealTableRows(rows, lists[k] as StoredColumnValues[], true)] : [],
        ),
      ]
      const subject = { sealed }
      appendToChain(work, clientId, { event, subjectType: of.of.type, subjectId: Number(values.id), subject, at, by })
    }
}

const savedValuesQuery = ({ of, rows, claims }: EvidenceSpec) =>
  prepareSql(
    `SELECT ${[
      'to_jsonb(t)',
      ...rows.map(
        (r) =>
          `CASE WHEN f.is_first THEN (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]') FROM ${r.table} r WHERE r.client_id = t.client_id AND r.${r.by} = t.id) END`,
      ),
    ].join(', ')} FROM ${of.table} t
     CROSS JOIN LATERAL (SELECT NOT EXISTS (SELECT FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = '${of.type}' AND s.subject_id = t.id) AS is_first) f
     WHERE t.client_id = $1::int AND t.id = ANY ($2::bigint[]) AND (${claims}) ORDER BY t.id`,
  )

/**
 * Seals the current state of records whose links have format version 1, to detect later changes. Runs once. The
 * existing seals remain valid.
 */
export const evidenceAdoption: ReferenceData = {
  name: 'evidence',
  edition: 2,
  load: async (c) => {
    for (const of of registryOf(c.engine).evidence) await (of.savedWithout ? adoptSaved(c, of) : adopt(c, of))
  },
}

async function adopt(c: Context, of: EvidenceSpec): Promise<void> {
  const { type, table } = of.of
  const found = await c.work.tx.rows<{ client: number; id: number }>(
    `SELECT t.client_id AS client, t.id FROM ${table} t WHERE (${of.claims})
       AND NOT EXISTS (SELECT 1 FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = $1 AND s.subject_id = t.id AND s.form > 1)
     ORDER BY t.client_id, t.id`,
    [type],
  )
  for (const { client, id } of found) await sealEventForClient(c, client, of, { event: ADOPTED_EVENT, id })
}

/** Maximum number of records that are sealed in one statement. */
const ADOPTED_PAGE = 500

/** Seals records of all clients that were written outside the engine and have no entry yet. */
export async function sealUnsealedRecords(engine: Engine, of: EvidenceSpec): Promise<void> {
  const found = await engine.db.tx('system', (tx) => findUnsealedIds(tx, of))
  for (const { client, ids } of found)
    await engine.inTenant(client, { actor: createSystemActor(client, 'seal'), requestId: 'seal' }, async (c) => {
      const specs = [[of, ids.map(Number)]] as const
      await sealCurrentValues(c.work, client, { specs, event: SAVED_EVENT, at: c.now, by: c.actor.username })
      return () => undefined
    })
}

const findUnsealedIds = (tx: Pick<SqlConn, 'rows'>, { of: { type, table }, claims }: EvidenceSpec) =>
  tx.rows<{ client: number; ids: number[] }>(
    `SELECT t.client_id AS client, array_agg(t.id ORDER BY t.id) AS ids FROM ${table} t WHERE (${claims})
       AND NOT EXISTS (SELECT FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = $1 AND s.subject_id = t.id)
     GROUP BY t.client_id ORDER BY t.client_id`,
    [type],
  )

/** Seals the current state of records that were last saved before their saves were sealed. */
async function adoptSaved(c: Context, of: EvidenceSpec): Promise<void> {
  const found = await findUnsealedIds(c.work.tx, of)
  for (const { client, ids } of found)
    for (let from = 0; from < ids.length; from += ADOPTED_PAGE) {
      const specs = [[of, ids.slice(from, from + ADOPTED_PAGE).map(Number)]] as const
      const { username } = authorOf(c.actor)
      await sealCurrentValues(c.work, client, { specs, event: ADOPTED_EVENT, at: c.now, by: username })
      await c.work.flush()
    }
}
