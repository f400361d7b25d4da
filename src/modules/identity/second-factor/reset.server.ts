import { parseArgs } from 'node:util'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { findAccountByUsername } from '#server/auth/accounts.ts'
import { parseClientOption } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { removeSecondFactor } from './enrol.server.ts'

const USAGE = 'Usage: user reset-factor --username NAME --client 0'

function options(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { username: { type: 'string' }, client: { type: 'string', default: '0' } },
  })
  if (!values.username) throw new Error(USAGE)
  return { username: values.username, clientId: parseClientOption(values.client) }
}

/** Removes a user's lost second factor. Throws an error with a message if the user does not exist. */
export async function runResetSecondFactorCommand(engine: Engine, args: string[]): Promise<string> {
  const { username, clientId } = options(args)
  const account = await engine.db.tx('system', (tx) => findAccountByUsername(tx, clientId, username))
  if (!account) throw new Error(`Client ${clientId} has no user "${username}".`)
  const who = createSystemActor(PROVIDER_CLIENT_ID, 'reset a second factor at the command line')
  const isTaken = await removeSecondFactor(engine, account, { who, verb: 'factor-reset', from: undefined })
  if (!isTaken) return `${username} of client ${clientId} has no second factor.`
  await engine.security.flush()
  return `The second factor for ${username} of client ${clientId} has been removed, and the user is signed out everywhere.`
}
