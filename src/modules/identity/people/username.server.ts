import { problem, violation } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { findHolder, lockUsername } from '#server/auth/accounts.ts'
import { Guessed, type Pace, requireTryLeft } from '#server/auth/attempts.ts'
import { overClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { user } from './user.ts'

const { max: LONGEST = 0, pattern } = user.fields.username

/** Names of the provider's people that a client may come upon: each refusal tells of one. */
const COME_UPON: Pace = { free: 10, most: 10, minutes: 60 }

/** May somebody be called so? What can't be a username is nobody's. */
export const isUsername = (name: string): boolean => name.length <= LONGEST && !!pattern?.regex.test(name)

/**
 * Refuses a username that somebody else of the client has or had: what they wrote, approved and signed names them by it for ever.
 * And one of the provider's people in a client, or of a client's people at the provider: notes and documents of every client carry
 * the provider's usernames, and whoever signs in by one is nobody else. Two who choose a name at the same
 * time wait for each other. What a client comes upon is counted: throws 429 for one too many, whether the name is taken or not.
 */
export async function checkUsername(c: Context, id: number | undefined, username: string): Promise<void> {
  if (!isUsername(username)) return
  const tried = { key: `usernames:${c.actor.clientId}`, pace: COME_UPON }
  const isClients = c.actor.clientId !== PROVIDER
  const holder = await overClients(c, async (tx) => {
    if (isClients) await requireTryLeft(tx, tried)
    await lockUsername(tx, username)
    return findHolder(tx, username, { clientId: c.clientId, userId: id })
  })
  if (!holder) return
  const refusal = problem.invalid([
    violation('username', 'Somebody has this username already. Please choose another', 'duplicate'),
  ])
  throw isClients && holder === 'other' ? new Guessed(refusal, tried) : refusal
}
