import { parseArgs } from 'node:util'
import { PROVIDER, systemActor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/engine.ts'
import { type Person, tellOfFactor } from './change.server.ts'
import { hasFactor, lockFactors, readFactors, removeAll } from './factors.server.ts'

const USAGE = 'Say: user reset-factor --username NAME --client 0'

function options(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { username: { type: 'string' }, client: { type: 'string', default: '0' } },
  })
  const clientId = Number(values.client)
  if (!values.username || !Number.isSafeInteger(clientId)) throw new Error(USAGE)
  return { username: values.username, clientId }
}

/**
 * Takes somebody's second factor away who has lost it, with their recovery codes, and signs them out everywhere. Where one is
 * compulsory they set up another at their next sign-in. Throws one sentence for nobody.
 */
export async function run(engine: Engine, args: string[]): Promise<string> {
  const { username, clientId } = options(args)
  const reset = await engine.db.tx('system', async (tx) => {
    const [person] = await tx.rows<Person>(
      `SELECT client_id AS "clientId", id AS "userId", username, name, email FROM user_account
       WHERE client_id = $1 AND lower(username) = lower($2)`,
      [clientId, username],
    )
    if (!person) throw new Error(`Client ${clientId} has nobody called "${username}".`)
    await lockFactors(tx, person)
    if (!hasFactor(await readFactors(tx, person))) return undefined
    await removeAll(tx, person)
    const by = systemActor(PROVIDER, 'a second factor is reset at the command line')
    await tellOfFactor(engine, tx, person, 'factor-reset', by, undefined)
    return person
  })
  if (!reset) return `${username} of client ${clientId} has no second factor.`
  await engine.security.flush()
  await engine.sessions.revokeAll(reset.clientId, reset.userId)
  return `${username} of client ${clientId} has no second factor any more, and is signed out everywhere.`
}
