import { Problem } from '#kernel/errors.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { selectPlanFor } from '#server/data/plan.ts'
import { escapeLike } from '#server/data/query-values.ts'
import { prepare } from '#server/data/values.ts'
import { type Conn, type Db, isDbError, type Prepared } from '#server/db/db.ts'
import { companiesHouse } from './company.ts'

const plan = selectPlanFor(companiesHouse)
const RANK = 'active DESC, length, key, id'
/** Maximum database time of a search. */
const PATIENCE = '3s'
const TIMED_OUT = '57014'

/** A found company: its columns and ranking values. */
interface Found {
  readonly id: number
  readonly active: boolean
  readonly begins: boolean
  readonly length: number
  readonly sent: ApiRecord
}

/**
 * Finds the best companies for a condition. An unnamed statement is planned for its own values: a rare part uses the
 * index, a common one the result order.
 */
async function findBest(
  conn: Conn,
  where: string,
  values: readonly [part: string, other: string],
  limit: number,
): Promise<Found[]> {
  const rows = await conn.rows<{ row: unknown[]; begins: boolean; active: boolean; length: number; id: number }>(
    `SELECT json_build_array(${plan.select}) AS row, t.id, starts_with(t.key, lower($1)) AS begins, t.active, t.length
     FROM (SELECT id FROM company WHERE ${where} ORDER BY ${RANK} LIMIT ${limit}) k JOIN company t USING (id)`,
    values,
  )
  return rows.map((r) => ({ ...r, sent: plan.send(r.row) }))
}

/** Ranks active companies first, then names starting with the text, then the shortest. */
const rank = (a: Found, b: Found) =>
  Number(b.active) - Number(a.active) || Number(b.begins) - Number(a.begins) || a.length - b.length || a.id - b.id

/** True if the trigram index can find the part: three letters, or the start or end of a word. */
const isFindable = (part: string) =>
  /.{3}/u.test(part) && /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(part)

/** Finds companies whose names contain a part, best first. One or two characters match only the start of a name. */
export async function searchCompanies(db: Db, typed: string, limit: number): Promise<ApiRecord[]> {
  const part = typed.replace(/\s+/g, ' ').trim()
  if (!part) return []
  const [begins, holds] = await Promise.all([
    findBest(db.read, 'key >= lower($1) AND key < lower($2)', [part, `${part}\u{10ffff}`], limit),
    isFindable(part) ? findByPart(db, part, limit) : [],
  ])
  return [...begins, ...holds]
    .sort(rank)
    .slice(0, limit)
    .map((c) => c.sent)
}

const findByPart = (db: Db, part: string, limit: number): Promise<Found[]> =>
  db
    .tx({ clientId: 0 }, async (tx) => {
      // Sent in one batch to save a round trip.
      const found = [
        tx.script(`SET LOCAL statement_timeout = '${PATIENCE}'`),
        findBest(tx, 'key LIKE lower($2) AND NOT starts_with(key, lower($1))', [part, `%${escapeLike(part)}%`], limit),
      ] as const
      return (await Promise.all(found))[1]
    })
    .catch((e: unknown) => {
      if (!isDbError(e) || e.code !== TIMED_OUT) throw e
      throw new Problem(503, 'Too many companies match. Please type more of the name, or the number.')
    })

const ONE = (column: string) => prepare(`SELECT ${plan.select} FROM company t WHERE t.${column} = $1`)
const BY_NUMBER = ONE('number')
const BY_ID = ONE('id')

async function findOne(conn: Conn, by: Prepared, value: string | number): Promise<ApiRecord | undefined> {
  const [row] = await conn.arrays(by, [value])
  return row && plan.send(row)
}

export const findCompanyByNumber = (conn: Conn, number: string) => findOne(conn, BY_NUMBER, number)
export const findCompanyById = (conn: Conn, id: number) => findOne(conn, BY_ID, id)
