import { createSystemActor } from '#kernel/roles.ts'
import type { SqlConn } from '#server/db/db.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { appendToChain } from './chain.ts'
import type { EvidenceFinding } from './finding.ts'
import { type ChainLink, digestSubject } from './link.ts'

/** A log whose rows are sealed once a day as one digest for each client. */
interface SealedLog {
  readonly table: string
  /** Subject of the chain links. */
  readonly type: string
  readonly name: string
  readonly columns: readonly string[]
  /** Months after which rows are deleted; absent if rows are never deleted. */
  readonly keptMonths?: number
}

const SEALED_LOGS: readonly SealedLog[] = [
  {
    table: 'audit',
    type: 'AuditLog',
    name: 'the audit log',
    columns: [
      'id',
      'at',
      'type',
      'row_id',
      'verb',
      'changes',
      'user_id',
      'username',
      'as_user_id',
      'as_username',
      'as_visit_id',
    ],
  },
  {
    table: 'security_event',
    type: 'SecurityLog',
    name: 'the security log',
    columns: [
      'id',
      'at',
      'event',
      'user_client_id',
      'user_id',
      'username',
      'as_username',
      'address',
      'detail',
      'times',
    ],
    keptMonths: 13,
  },
]

/** The digest of a range of a log's rows, as a link seals it. */
interface LogDigest {
  /** First and last ID, of which some may belong to other clients. */
  readonly from: number
  readonly to: number
  readonly rows: number
  /** Time of the first row. */
  readonly since: string | null
  readonly columns: readonly string[]
  /** SHA-256 of the rows in the order of their IDs, in hexadecimal. */
  readonly digest: string
}

const LOG_EVENT = 'day sealed'

/** Hours after which no transaction can add a row with an earlier ID. */
const SETTLED_HOURS = 1

/** Maximum number of rows of one digest. */
const MAX_ROWS = 20_000

type DigestedRange = Pick<LogDigest, 'rows' | 'since' | 'digest'>

async function digestRange(
  db: Pick<SqlConn, 'rows'>,
  { table }: SealedLog,
  clientId: number,
  { from, to, columns }: Pick<LogDigest, 'from' | 'to' | 'columns'>,
): Promise<DigestedRange> {
  const [found] = await db.rows<DigestedRange>(
    `SELECT count(*)::int AS rows, to_char(min(at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS since,
       encode(sha256(convert_to(coalesce(string_agg(jsonb_build_array(${columns.join(', ')})::text, E'\\n' ORDER BY id), ''), 'UTF8')), 'hex') AS digest
     FROM ${table} WHERE client_id = $1 AND id BETWEEN $2 AND $3`,
    [clientId, from, to],
  )
  return found as DigestedRange
}

/** Seals what has been added to the logs of all clients since the last digest. */
export const logSealingSchedule = schedule({
  name: 'evidence.logs',
  every: { daily: '01:40' },
  run: async (engine) => {
    for (const log of SEALED_LOGS) {
      const clients = await engine.db.tx('system', (tx) =>
        tx.rows<{ id: number }>(
          `SELECT c.id FROM client c WHERE EXISTS (SELECT FROM ${log.table} t WHERE t.client_id = c.id AND t.at < now() - interval '${SETTLED_HOURS} hours'
             AND t.id > coalesce((SELECT s.subject_id FROM seal s WHERE s.client_id = c.id AND s.subject_type = $1 ORDER BY s.subject_id DESC LIMIT 1), 0)) ORDER BY c.id`,
          [log.type],
        ),
      )
      for (const { id } of clients) while (await sealNextRange(engine, log, id));
    }
  },
})

/** Seals the next rows of a client's log. Returns true if there may be more. */
async function sealNextRange(engine: Engine, log: SealedLog, clientId: number): Promise<boolean> {
  const actor = createSystemActor(clientId, LOG_EVENT)
  let isFull = false
  await engine.inTenant(clientId, { actor, requestId: 'evidence.logs' }, async (c) => {
    const [last] = await c.work.tx.rows<{ id: number }>(
      'SELECT subject_id AS id FROM seal WHERE client_id = $1 AND subject_type = $2 ORDER BY subject_id DESC LIMIT 1',
      [clientId, log.type],
    )
    const from = Number(last?.id ?? 0) + 1
    const [end] = await c.work.tx.rows<{ to: number | null; rows: number }>(
      `SELECT max(id) AS to, count(*)::int AS rows FROM (SELECT id FROM ${log.table} WHERE client_id = $1 AND id >= $2
         AND at < now() - interval '${SETTLED_HOURS} hours' ORDER BY id LIMIT ${MAX_ROWS}) t`,
      [clientId, from],
    )
    if (end?.to == null) return () => undefined
    const range = { from, to: Number(end.to), columns: log.columns }
    const subject: LogDigest = { ...range, ...(await digestRange(c.work.tx, log, clientId, range)) }
    const about = { event: LOG_EVENT, subjectType: log.type, subjectId: range.to, subject }
    appendToChain(c.work, clientId, { ...about, at: c.now, by: actor.username })
    isFull = end.rows === MAX_ROWS
    return () => undefined
  })
  return isFull
}

const logOf = (type: string): SealedLog | undefined => SEALED_LOGS.find((log) => log.type === type)

/** Returns true if a link seals a range of a log. */
export const isLogLink = ({ subjectType }: Pick<ChainLink, 'subjectType'>): boolean => logOf(subjectType) !== undefined

/** Returns true if the first row of a range is old enough to be deleted from the log. */
function mayBeDeleted({ clock }: Engine, { keptMonths: months }: SealedLog, { since }: LogDigest): boolean {
  if (months === undefined || since === null) return false
  const oldest = clock.now().toZonedDateTimeISO('UTC').subtract({ months }).toInstant()
  return Temporal.Instant.compare(Temporal.Instant.from(since), oldest) < 0
}

/**
 * Compares a range of a log with the link that sealed it, and returns the mismatch. A range whose rows are old enough to
 * be deleted is not compared.
 */
export async function findLogMismatch(
  engine: Engine,
  clientId: number,
  link: ChainLink,
): Promise<EvidenceFinding | undefined> {
  const log = logOf(link.subjectType)
  if (!log) return undefined
  const sealed = link.subject as LogDigest
  const finding = (untrue: string) => ({ clientId, named: `Entry ${link.place} of the chain`, untrue })
  if (digestSubject(sealed) !== link.digest) return finding('the content that it sealed has been changed')
  if (mayBeDeleted(engine, log, sealed)) return undefined
  const now = await digestRange(engine.db.read, log, clientId, sealed)
  if (now.digest === sealed.digest && now.rows === sealed.rows) return undefined
  const rows = now.rows === sealed.rows ? 'has been changed' : `has ${now.rows} rows where ${sealed.rows} were sealed`
  return finding(`${log.name} ${rows} (rows ${sealed.from} to ${sealed.to})`)
}
