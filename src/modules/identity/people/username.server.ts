import { problem, violation } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { findUsernameOwner, lockUsername } from '#server/auth/accounts.ts'
import { type AttemptLimit, RevealingRefusal, requireAttemptLeft } from '#server/auth/attempts.ts'
import { overClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { user } from './user.ts'

const { max: LONGEST = 0, pattern } = user.fields.username

/** Limit on a client's collisions with the provider's usernames: each refusal reveals one. */
const COME_UPON: AttemptLimit = { free: 10, most: 10, minutes: 60 }

/** True if the text is a valid username. */
export const isUsername = (name: string): boolean => name.length <= LONGEST && !!pattern?.regex.test(name)

/**
 * Refuses a username that another user of the client has or had: their documents and signatures name them by it. Also
 * refuses the provider's usernames in a client, and a client's at the provider: records of every client carry them, so
 * they must be unambiguous.
 */
export async function assertUsernameFree(c: Context, id: number | undefined, username: string): Promise<void> {
  if (!isUsername(username)) return
  const tried = { key: `usernames:${c.actor.clientId}`, pace: COME_UPON }
  const isClients = c.actor.clientId !== PROVIDER
  const holder = await overClients(c, async (tx) => {
    if (isClients) await requireAttemptLeft(tx, tried)
    await lockUsername(tx, username)
    return findUsernameOwner(tx, username, { clientId: c.clientId, userId: id })
  })
  if (!holder) return
  const refusal = problem.invalid([
    violation('username', 'This username is already taken. Please choose another', 'duplicate'),
  ])
  throw isClients && holder === 'other' ? new RevealingRefusal(refusal, tried) : refusal
}
