import { parseArgs } from 'node:util'
import { Problem } from '#kernel/errors.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { setPassword } from '#server/auth/credentials.ts'
import { findPasswordViolations } from '#server/auth/passwords.ts'
import { parseClientOption } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { user } from '../people/user.ts'
import { role } from '../roles/role.ts'
import { readHiddenLine } from './first-login.server.ts'

/** Reads a password from a prompt or a pipe, so that the password stays out of the command history. */
async function askPassword(): Promise<string> {
  if (process.stdin.isTTY) {
    // Starts reading before the prompt is printed, so that early keystrokes are hidden too.
    const typed = readHiddenLine(process.stdin)
    process.stdout.write('Password (hidden while you type):')
    const answer = await typed
    process.stdout.write('\n')
    return answer
  }
  let all = ''
  for await (const chunk of process.stdin) all += String(chunk)
  return all.replace(/\r?\n$/, '')
}

const USAGE = 'Usage: user create --username NAME --client 0 --roles ROLE_STAFF,…'

function options(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      username: { type: 'string' },
      client: { type: 'string', default: '0' },
      roles: { type: 'string', default: '' },
      name: { type: 'string' },
      email: { type: 'string', default: '' },
      password: { type: 'string' },
    },
  })
  const { username, name = username, email, password } = values
  if (!username || !name) throw new Error(USAGE)
  const clientId = parseClientOption(values.client)
  const roles = values.roles
    .split(',')
    .map((r) => r.trim())
    .filter(Boolean)
  return { clientId, password, person: { username, name, email, roles } }
}

/**
 * Creates a user who can sign in, such as the first administrator of a new portal. Throws an error with a message if
 * the details are invalid or the password is too weak.
 */
export async function runCreateUserCommand(engine: Engine, args: string[]): Promise<string> {
  const { clientId, person, ...given } = options(args)
  const { username } = person
  const password = given.password ?? (await askPassword())
  const home = await engine.readIn(clientId, 'read the company name for the password check', (c) =>
    c.get(client, clientId),
  )
  const about = [username, person.name, home?.company ?? '', engine.config.provider]
  const [weak] = findPasswordViolations(password, about)
  if (weak) throw new Error(weak.message)
  const userId = await addPerson(engine, clientId, person).catch((e: unknown) => {
    throw e instanceof Problem ? new Error(e.violations?.[0]?.message ?? e.message) : e
  })
  await engine.db.tx('system', (tx) => setPassword(tx, { clientId, userId }, password, about))
  return `${username} can sign in to client ${clientId}.`
}

type Person = ReturnType<typeof options>['person']

function addPerson(engine: Engine, clientId: number, person: Person): Promise<number> {
  const actor = createSystemActor(PROVIDER_CLIENT_ID, 'create a user at the command line')
  return engine.inTenant(clientId, { actor, requestId: 'command line' }, async (c) => {
    if (!(await c.get(client, clientId))) throw new Error(`There is no client ${clientId}.`)
    const known = new Set((await c.find(role, { name: person.roles })).map((r) => r.name))
    const unknown = person.roles.filter((name) => !known.has(name))
    if (unknown.length) throw new Error(`There is no role ${unknown.join(', ')}.`)
    const wanted = person.username.toLowerCase()
    if ((await c.find(user, {})).some((u) => u.username.toLowerCase() === wanted))
      throw new Error(`Client ${clientId} already has a user ${person.username}.`)
    const made = await c.withoutPermissionCheck('create a user as the operator').create(user, person)
    const { id } = await made.saved()
    return () => id
  })
}
