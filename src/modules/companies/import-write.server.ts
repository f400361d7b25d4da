import type { Tx } from '#server/db/db.ts'
import { clearSearchBacklog } from '#server/db/search-backlog.ts'
import { COLUMNS } from './import-row.ts'

const NAMES = COLUMNS.join(', ')
const of = (alias: string) => COLUMNS.map((c) => `${alias}.${c}`).join(', ')

/** What is staged, each number once (the last row of it counts), as far as it is new or has changed. */
const UPSERT = `
  WITH fresh AS (SELECT DISTINCT ON (number) ${NAMES} FROM company_staging ORDER BY number, nth DESC),
  differs AS (SELECT ${of('f')} FROM fresh f LEFT JOIN company c ON c.number = f.number
              WHERE c.id IS NULL OR (${of('c')}) IS DISTINCT FROM (${of('f')})),
  written AS (INSERT INTO company (${NAMES}) SELECT ${NAMES} FROM differs
              ON CONFLICT (number) DO UPDATE SET (${NAMES}) = ROW (${of('EXCLUDED')})
              RETURNING xmax = 0 AS added)
  SELECT count(*) FILTER (WHERE added)::int AS added, count(*) FILTER (WHERE NOT added)::int AS changed FROM written`

/** Brings the register up to date with what is staged. */
export async function upsert(tx: Tx): Promise<{ added: number; changed: number }> {
  // Millions of companies are never read through for a step's few thousand: each is looked up by its number.
  await tx.rows('SET LOCAL enable_hashjoin = off')
  await tx.rows('SET LOCAL enable_mergejoin = off')
  await tx.rows('SET LOCAL synchronous_commit = off')
  const [counts] = await tx.rows<{ added: number; changed: number }>(UPSERT)
  return counts ?? { added: 0, changed: 0 }
}

export const isEmpty = async (tx: Tx): Promise<boolean> => (await tx.rows('SELECT 1 FROM company LIMIT 1')).length === 0

/** Searching is slow without its indexes, but filling an empty register with them is slower. */
export const dropIndexes = (tx: Tx) => tx.rows('SELECT company_indexes(false)')

/** Builds what indexes are missing, and tells the planner what there is now. */
export async function finish(tx: Tx): Promise<void> {
  await tx.rows("SET LOCAL maintenance_work_mem = '512MB'")
  await tx.rows('SELECT company_indexes(true)')
  await clearSearchBacklog(tx, 'company')
  await tx.rows('ANALYZE company')
}
