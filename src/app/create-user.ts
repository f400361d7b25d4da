import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { setPassword } from '#server/auth/credentials.ts'
import type { Db } from '#server/db/db.ts'

/** A password without the command line keeping it: typed at the prompt, or piped in. */
async function askPassword(): Promise<string> {
  if (process.stdin.isTTY) {
    const prompt = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await prompt.question('Password: ')
    prompt.close()
    return answer
  }
  let all = ''
  for await (const chunk of process.stdin) all += String(chunk)
  return all.replace(/\r?\n$/, '')
}

/** Makes somebody who can sign in: the first administrator of a new portal. Throws one sentence when something is missing. */
export async function createUser(db: Db, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      username: { type: 'string' },
      client: { type: 'string', default: '0' },
      roles: { type: 'string', default: '' },
      name: { type: 'string' },
      email: { type: 'string', default: '' },
      password: { type: 'string' },
    },
  })
  if (positionals[0] !== 'create' || !values.username)
    throw new Error('Say: user create --username NAME --client 0 --roles ROLE_STAFF,…')
  const username = values.username
  const clientId = Number(values.client)
  const roles = values.roles
    .split(',')
    .map((r) => r.trim())
    .filter(Boolean)
  const password = values.password ?? (await askPassword())
  return db.tx('system', async (tx) => {
    const [client] = await tx.rows('SELECT 1 FROM client WHERE id = $1', [clientId])
    if (!client) throw new Error(`There is no client ${values.client}.`)
    const known = await tx.rows<{ name: string }>('SELECT name FROM role WHERE name = ANY($1)', [roles])
    const unknown = roles.filter((r) => !known.some((k) => k.name === r))
    if (unknown.length) throw new Error(`There is no role ${unknown.join(', ')}.`)
    const [taken] = await tx.rows('SELECT 1 FROM user_account WHERE client_id = $1 AND lower(username) = lower($2)', [
      clientId,
      username,
    ])
    if (taken) throw new Error(`Client ${clientId} already has a user ${username}.`)
    const [user] = await tx.rows<{ id: number }>(
      'INSERT INTO user_account (client_id, username, name, email, roles) VALUES ($1, $2, $3, $4, $5) RETURNING id',
      [clientId, username, values.name ?? username, values.email, roles],
    )
    await setPassword(tx, { clientId, userId: (user as { id: number }).id }, password, [username]).catch(
      (e: { violations?: { message: string }[] } & Error) => {
        throw new Error(e.violations?.[0]?.message ?? e.message)
      },
    )
    return `${username} can sign in to client ${clientId}.`
  })
}
