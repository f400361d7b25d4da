import { isBlockedByImpersonation, NOT_WHILE_IMPERSONATING } from '#kernel/can.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { snake } from '#kernel/fields.ts'
import { closedPack } from '#kernel/packs.ts'
import type { Resource, Verb } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Reference } from '#server/data/input.ts'
import { type Conn, isDbError } from '#server/db/db.ts'
import { duplicateProblem } from './duplicates.ts'

/** The refusal of an actor: not signed in, impersonating, a pack that their client lacks or has no longer, or no permission. */
export function refusal(actor: Actor | undefined, r: Resource, verb: Verb = 'read'): Problem {
  if (!actor) return problem.signIn()
  return isBlockedByImpersonation(actor, verb, r)
    ? problem.forbidden(NOT_WHILE_IMPERSONATING, 'in_person')
    : closedPack(actor, r.pack)
}

/** The record is not accessible to the actor for this. */
export class NotAccessible extends Problem {
  constructor() {
    super(404, problem.notFound().message)
  }
}

/** The record and references of a write: to name the reference that a foreign key refuses. */
export interface WriteAttempt {
  readonly resource?: Resource
  readonly references?: readonly Reference[]
  /** Refusals of unique indexes in words of the behaviour, by index. */
  readonly uniqueMessages?: ReadonlyMap<string, () => Problem> | undefined
}

/** A refusal of the database in words; anything unknown stays a failure. */
export async function asProblem(
  e: unknown,
  { resource: r, references = [], uniqueMessages: worded }: WriteAttempt,
  conn: Conn,
): Promise<unknown> {
  if (!isDbError(e)) return e
  if (e.code === '23505') return worded?.get(e.constraint ?? '')?.() ?? duplicateProblem(conn, e, r)
  const missing = e.code === '23503' && / is not present in table "(\w+)"/.exec(e.detail ?? '')?.[1]
  // The database keeps the value to itself behind row-level security; the constraint's name tells the column.
  const candidates = references.filter((ref) => ref.target.table === missing)
  const named = candidates.find((ref) => e.constraint?.includes(`_${snake(ref.field)}_`)) ?? candidates[0]
  if (named) return problem.unknownTarget(named.given)
  if (e.code === '23503')
    return problem.conflict('This refers to a record that is not there, or others still refer to it.', 'in_use')
  // A rule of the database whose message is written for people.
  if (e.code === 'ST409') return problem.conflict(e.message, e.detail === 'leads_left' ? 'leads_left' : 'conflict')
  if (e.code === '22003' || e.code === '22008') return problem.badRequest('A number or date is out of range.')
  if (e.code === '40001' || e.code === '40P01' || e.code === '55P03')
    return problem.conflict(
      'Somebody else was changing this at the same moment. Please try again.',
      'changed_meanwhile',
    )
  return e
}
