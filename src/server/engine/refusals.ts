import { Problem, problem } from '#kernel/errors.ts'
import { snake } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Reference } from '#server/data/input.ts'
import { type Conn, isDbError } from '#server/db/db.ts'
import { duplicateProblem } from './duplicates.ts'

/** The record is not within reach for what is to be done to it. */
export class NotAccessible extends Problem {
  constructor() {
    super(404, problem.notFound().message)
  }
}

/** What was being changed, and what the body refers to: to name the one that a foreign key refuses. */
export interface WriteAttempt {
  readonly resource?: Resource
  readonly references?: readonly Reference[]
  /** What unique indexes refuse, in words of whoever writes. */
  readonly worded?: ReadonlyMap<string, () => Problem> | undefined
}

/** What the database refuses, in words; anything unknown stays a failure. */
export async function asProblem(
  e: unknown,
  { resource: r, references = [], worded }: WriteAttempt,
  conn: Conn,
): Promise<unknown> {
  if (!isDbError(e)) return e
  if (e.code === '23505') return worded?.get(e.constraint ?? '')?.() ?? duplicateProblem(conn, e, r)
  const missing = e.code === '23503' && / is not present in table "(\w+)"/.exec(e.detail ?? '')?.[1]
  // The database keeps the value to itself behind row-level security; the constraint's name tells the column.
  const meant = references.filter((ref) => ref.target.table === missing)
  const named = meant.find((ref) => e.constraint?.includes(`_${snake(ref.field)}_`)) ?? meant[0]
  if (named) return problem.unknownTarget(named.given)
  if (e.code === '23503')
    return problem.conflict('This refers to a record that is not there, or others still refer to it.', 'in_use')
  // What a rule of the database refuses in words that are for people.
  if (e.code === 'ST409') return problem.conflict(e.message, e.detail === 'leads_left' ? 'leads_left' : 'conflict')
  if (e.code === '22003' || e.code === '22008') return problem.badRequest('A number or date is out of range.')
  if (e.code === '40001' || e.code === '40P01' || e.code === '55P03')
    return problem.conflict(
      'Somebody else was changing this at the same moment. Please try again.',
      'changed_meanwhile',
    )
  return e
}
