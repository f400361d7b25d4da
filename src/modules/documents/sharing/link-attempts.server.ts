import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { findNamesLikeAccounts } from '#modules/identity/people/accounts.server.ts'
import {
  type AttemptLimit,
  type CountedAttempt,
  countAttempt,
  GuessRevealingProblem,
  networkForAddress,
  requireAttemptLeft,
} from '#server/auth/attempts.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'

/** Attempts to sign or answer by link from one network. A whole site may share one network. */
const FROM_NETWORK: AttemptLimit = { free: 60, most: 300, minutes: 60 }
/** Errors from one network that reveal that a name is known. */
const KNOWN_NAMES: AttemptLimit = { free: 10, most: 30, minutes: 60 }

/**
 * Counts an attempt to sign or answer by a link. Throws 403 during impersonation, 409 with the message `forOwnPeople` for
 * the company's own people and 429 after too many attempts from one network. Returns the attempt to count when an error
 * reveals that a name is known.
 */
export async function countLinkAttempt(
  c: RouteContext,
  clientId: number,
  link: string,
  forOwnPeople: string,
): Promise<CountedAttempt> {
  if (c.actor?.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  if (c.actor?.clientId === clientId) throw problem.conflict(forOwnPeople)
  const network = networkForAddress(c.request.address)
  const tried = { key: `${link} from ${network}`, pace: KNOWN_NAMES }
  await c.engine.db.tx('system', async (tx) => {
    await requireAttemptLeft(tx, tried)
    await countAttempt(tx, [{ key: `link-from:${network}`, pace: FROM_NETWORK }])
  })
  return tried
}

/**
 * Refuses names that look like a name or username of the company's accounts. Account holders sign in to sign or answer.
 * Throws 422 with `message` for each. `names`: names by the path of their field. `tried`: the attempt to count, because the error reveals
 * that a name is known.
 */
export async function assertNamesWithoutAccount(
  c: Context,
  names: ReadonlyMap<string, string>,
  message: string,
  tried: CountedAttempt,
): Promise<void> {
  const taken = await findNamesLikeAccounts(c, [...names.values()])
  const known = [...names].filter(([, name]) => taken.has(name))
  if (!known.length) return
  const violations = known.map(([path]) => violation(path, message, 'duplicate'))
  throw new GuessRevealingProblem(problem.invalid(violations), tried)
}
