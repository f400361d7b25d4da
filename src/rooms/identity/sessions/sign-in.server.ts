import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { countAttempts, forgetAttempts, noteAttempts } from '#server/auth/attempts.ts'
import { type Credential, findCredentials } from '#server/auth/credentials.ts'
import { verifyPassword } from '#server/auth/passwords.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { RequestFacts } from '#server/engine/route.ts'
import { user } from '../people/user.ts'
import { isThisMachine } from './this-machine.server.ts'

const WINDOW_MINUTES = 15
const PER_ACCOUNT = 8
const PER_ADDRESS = 60
/** What was typed, or nothing. */
export const typedText = (v: unknown): string => (typeof v === 'string' ? v : '')

/** `7`, `'007'` or `/api/portal/clients/7`; nothing for a blank, NaN for what is no client's number. */
export const clientNumber = (v: unknown): number | undefined => {
  if (v === undefined || v === null || v === '') return undefined
  const n = typeof v === 'string' ? Number(v.replace(/^\/api\/portal\/clients\//, '')) : v
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 && n < 2 ** 31 ? n : Number.NaN
}

/** One sentence for every way of being wrong: it never says whether the account exists. */
const WRONG = 'That username and password do not belong together. Please check both and try again.'

/** Checks a username and password. Throws 401 when they don't fit, 429 after too many attempts on the account or from the address. */
export async function signIn(
  engine: Engine,
  given: { username: string; password: string; client?: number },
  from: RequestFacts,
): Promise<{ clientId: number; userId: number }> {
  const accountKey = `account:${given.username.toLowerCase()}`
  const keys = [accountKey, `address:${from.address}`]
  const candidates = await engine.db.tx('system', async (tx) => {
    const [account = 0, address = 0] = await countAttempts(tx, keys, WINDOW_MINUTES)
    if (account >= PER_ACCOUNT || address >= PER_ADDRESS) throw problem.tooMany(WINDOW_MINUTES * 60)
    return findCredentials(tx, given.username, given.client)
  })
  const right: Credential[] = []
  for (const c of candidates) if (await verifyPassword(c.hash, given.password)) right.push(c)
  if (!candidates.length) await verifyPassword(undefined, given.password)
  const [only] = right
  if (!only) {
    await engine.db.tx('system', (tx) => noteAttempts(tx, keys))
    throw problem.signIn(WRONG, 'wrong_credentials')
  }
  if (right.length > 1)
    throw problem.signIn('That sign-in exists for several companies. Please enter your client number as well.')
  if (only.demo && !engine.config.demoAnywhere && !isThisMachine(from))
    throw problem.forbidden('The demo passwords work only on the machine that the portal runs on.')
  await engine.db.tx('system', (tx) => forgetAttempts(tx, accountKey))
  return { clientId: only.clientId, userId: only.userId }
}

/** The signed-in person as clients of the API know them. */
export async function whoIs(
  engine: Engine,
  actor: Actor,
  visit: { until: string; reason: string } | undefined,
): Promise<Record<string, unknown>> {
  const { email, client } = await engine.one(user, actor, actor.userId)
  return {
    '@context': '/api/contexts/User',
    '@id': `/api/portal/users/${actor.userId}`,
    '@type': 'User',
    id: actor.userId,
    username: actor.username,
    name: actor.name,
    email: email,
    client: {
      '@id': `/api/portal/clients/${actor.clientId}`,
      '@type': 'Client',
      id: actor.clientId,
      company: client?.company ?? '',
    },
    roles: actor.roles,
    scopes: actor.scopes,
    team: actor.team ?? [],
    packs: actor.packs ?? {},
    isStaff: actor.clientId === PROVIDER,
    isImpersonating: !!actor.original,
    original: actor.original
      ? {
          id: actor.original.userId,
          clientId: actor.original.clientId,
          username: actor.original.username,
          name: actor.original.name,
        }
      : null,
    impersonation: visit ?? null,
  }
}
