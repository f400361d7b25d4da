import {
  FORBIDDEN_DURING_IMPERSONATION_MESSAGE,
  isActionBlockedByImpersonation,
  isBlockedByImpersonation,
} from '#kernel/can.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { toSnakeCase } from '#kernel/fields.ts'
import { createPackProblem } from '#kernel/packs.ts'
import type { AccessVerb, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { RelationReference } from '#server/data/input.ts'
import { prepareSql } from '#server/data/values.ts'
import { type DbError, isDbError, type SqlConn } from '#server/db/db.ts'

/**
 * A unique index as described in the database catalogue: its keys and its condition, such as `lower(name)` and `(NOT
 * retired)`.
 */
interface UniqueIndex {
  readonly keys: readonly string[]
  readonly where: string
}

const READ_INDEX = prepareSql(
  `SELECT ARRAY(SELECT pg_get_indexdef(x.indexrelid, n, true) FROM generate_series(1, x.indnkeyatts) n), coalesce(pg_get_expr(x.indpred, x.indrelid), '')
   FROM pg_index x WHERE x.indexrelid = to_regclass(format('public.%I', $1::text))`,
)

const indexes = new Map<string, UniqueIndex>()

/**
 * Reads an index from the database catalogue; `undefined` if there is no such index. Each index is read only once,
 * because indexes don't change while the portal is running.
 */
async function readUniqueIndex(conn: SqlConn, name: string): Promise<UniqueIndex | undefined> {
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
 * Returns the field that a unique index concerns: the last key that users fill in. Returns `undefined` if users fill in
 * none of the keys, as in an index that ensures that only one of several records is current.
 */
function fieldOf(r: Resource, { keys, where }: UniqueIndex): string | undefined {
  const columns = Object.entries(r.columns).filter(([, column]) => column !== 'client_id')
  const among = (text: string) => columns.filter(([, column]) => mentions(text, column)).map(([name]) => name)
  const inKeys = keys.flatMap(among)
  if (among(where).some((name) => name !== 'retired' && !inKeys.includes(name))) return undefined
  return inKeys.findLast((name) => !r.fields[name]?.readonly)
}

const ALREADY_THERE = 'Your company already has a record of this type. Please change the existing record.'
const ALREADY_USED = 'Another record already has this value. Please choose a different one.'

/**
 * Returns the problem for a value that another record already has: 422 on the value's field, or 409 if the index has no
 * field.
 */
async function duplicateProblem(conn: SqlConn, e: DbError, r: Resource | undefined): Promise<Problem> {
  const unique = r && e.table === r.table && e.constraint ? await readUniqueIndex(conn, e.constraint) : undefined
  const field = r && unique && fieldOf(r, unique)
  if (field) return problem.invalid([violation(field, ALREADY_USED, 'duplicate')])
  return problem.conflict(unique?.keys.join() === 'client_id' ? ALREADY_THERE : ALREADY_USED)
}

/**
 * Returns the problem that explains why an actor has no access: not signed in, impersonating, a missing or expired
 * pack, or no permission. `action` is the name of the refused action; it is empty for a read or write.
 */
export function createAccessProblem(
  actor: Actor | undefined,
  r: Resource,
  verb: AccessVerb = 'read',
  action = '',
): Problem {
  if (!actor) return problem.signIn()
  const isBlocked = action ? isActionBlockedByImpersonation(actor, action, r) : isBlockedByImpersonation(actor, verb, r)
  return isBlocked
    ? problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
    : createPackProblem(actor, r.pack)
}

/** Problem for a record that the actor may not access for this verb. */
export class RecordNotAccessibleProblem extends Problem {
  constructor() {
    super(404, problem.notFound().message)
  }
}

/** Record and references of a write, used to name the reference that a foreign key rejects. */
export interface WriteAttempt {
  readonly resource?: Resource
  readonly references?: readonly RelationReference[]
  /**
   * Functions that create the error for a violated unique index, with the module's own message. Keyed by the name of
   * the index.
   */
  readonly uniqueMessages?: ReadonlyMap<string, () => Problem> | undefined
}

/** Converts a database error to a Problem; returns unknown errors unchanged. */
export async function toProblem(
  e: unknown,
  { resource: r, references = [], uniqueMessages: worded }: WriteAttempt,
  conn: SqlConn,
): Promise<unknown> {
  if (!isDbError(e)) return e
  if (e.code === '23505') return worded?.get(e.constraint ?? '')?.() ?? duplicateProblem(conn, e, r)
  const missing = e.code === '23503' && / is not present in table "(\w+)"/.exec(e.detail ?? '')?.[1]
  // Row-level security hides the value from the error, but the constraint's name contains the column.
  const candidates = references.filter((ref) => ref.target.table === missing)
  const named = candidates.find((ref) => e.constraint?.includes(`_${toSnakeCase(ref.field)}_`)) ?? candidates[0]
  // A reference to a template has already been resolved, so the template exists but belongs to the provider.
  if (named?.target.tenant === 'own or template')
    return problem.invalid([
      violation(named.field, 'This was supplied with the portal. Copy it to your company, then choose the copy.'),
    ])
  if (named) return problem.unknownTarget(named.given)
  if (e.code === '23503')
    return problem.conflict(
      missing
        ? 'Something you chose no longer exists, or belongs to another company. Choose it again.'
        : 'Other records still refer to this record.',
      'in_use',
    )
  // A database rule whose message is written for users.
  if (e.code === 'ST409') return problem.conflict(e.message, e.detail === 'leads_left' ? 'leads_left' : 'conflict')
  if (e.code === '22003' || e.code === '22008') return problem.badRequest('A number or date is out of range.')
  if (e.code === '40001' || e.code === '40P01' || e.code === '55P03')
    return problem.conflict('Somebody else was changing this at the same time. Please try again.', 'changed_meanwhile')
  return e
}
