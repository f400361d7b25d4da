import { type Problem, problem, violation } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { prepare } from '#server/data/values.ts'
import type { Conn, DbError } from '#server/db/db.ts'

/** A unique index by the catalogue: its keys and its condition, such as `lower(name)` and `(NOT retired)`. */
interface UniqueIndex {
  readonly keys: readonly string[]
  readonly where: string
}

const READ_INDEX = prepare(
  `SELECT ARRAY(SELECT pg_get_indexdef(x.indexrelid, n, true) FROM generate_series(1, x.indnkeyatts) n), coalesce(pg_get_expr(x.indpred, x.indrelid), '')
   FROM pg_index x WHERE x.indexrelid = to_regclass(format('public.%I', $1::text))`,
)

const indexes = new Map<string, UniqueIndex>()

/** Reads an index from the catalogue, once: it does not change while the portal runs. */
async function readUniqueIndex(conn: Conn, name: string): Promise<UniqueIndex | undefined> {
  const index = indexes.get(name)
  if (index) return index
  const [row] = await conn.arrays(READ_INDEX, [name])
  if (!row) return undefined
  const found = { keys: row[0] as string[], where: String(row[1]) }
  indexes.set(name, found)
  return found
}

const mentions = (text: string, column: string) => new RegExp(`\\b${column}\\b`).test(text)

/**
 * The field that a unique index is about: the last of its keys that people fill in. `undefined` for an index about something else, such as
 * which of several is the current one.
 */
function fieldOf(r: Resource, { keys, where }: UniqueIndex): string | undefined {
  const columns = Object.entries(r.columns).filter(([, column]) => column !== 'client_id')
  const among = (text: string) => columns.filter(([, column]) => mentions(text, column)).map(([name]) => name)
  const inKeys = keys.flatMap(among)
  if (among(where).some((name) => name !== 'retired' && !inKeys.includes(name))) return undefined
  return inKeys.findLast((name) => !r.fields[name]?.readonly)
}

const ALREADY_THERE = 'There is one of these already. Please change that one.'
const ALREADY_USED = 'Another record already has this value. Please choose a different one.'

/** The refusal of a value that another record has: 422 on its field, or 409 where no field is to blame. */
export async function duplicateProblem(conn: Conn, e: DbError, r: Resource | undefined): Promise<Problem> {
  const unique = r && e.table === r.table && e.constraint ? await readUniqueIndex(conn, e.constraint) : undefined
  const field = r && unique && fieldOf(r, unique)
  if (field) return problem.invalid([violation(field, ALREADY_USED, 'duplicate')])
  return problem.conflict(unique?.keys.join() === 'client_id' ? ALREADY_THERE : ALREADY_USED)
}
