import { parseArgs } from 'node:util'
import { PROVIDER, systemActor } from '#kernel/roles.ts'
import type { Account } from '#server/auth/credentials.ts'
import type { Engine } from '#server/engine/engine.ts'
import { takeFactorAway } from './take-away.server.ts'

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

/** Takes somebody's second factor away who has lost it. Throws one sentence for nobody. */
export async function run(engine: Engine, args: string[]): Promise<string> {
  const { username, clientId } = options(args)
  const account = await engine.db.tx('system', async (tx) => {
    const [found] = await tx.rows<Account>(
      'SELECT client_id AS "clientId", id AS "userId" FROM user_account WHERE client_id = $1 AND lower(username) = lower($2)',
      [clientId, username],
    )
    return found
  })
  if (!account) throw new Error(`Client ${clientId} has nobody called "${username}".`)
  const who = systemActor(PROVIDER, 'a second factor is reset at the command line')
  const isTaken = await takeFactorAway(engine, account, { who, verb: 'factor-reset', from: undefined })
  if (!isTaken) return `${username} of client ${clientId} has no second factor.`
  await engine.security.flush()
  return `${username} of client ${clientId} has no second factor any more, and is signed out everywhere.`
}
