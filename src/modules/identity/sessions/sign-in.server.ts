import { problem } from '#kernel/errors.ts'
import { hostNameOf, isLoopback } from '#server/addresses.ts'
import { checkSignIn } from '#server/auth/check-password.ts'
import type { CheckedAccount } from '#server/auth/credentials.ts'
import type { RequestFacts } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { isUsername } from '../people/username.server.ts'

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|cf-connecting-ip|true-client-ip)$/

/**
 * True if the request comes from this machine, by its own name, and from the portal's own page or no page. A local
 * proxy forwards requests of others from its own address, and a page of another site may be open here.
 */
function isLocalRequest({ address, host, headers }: Pick<RequestFacts, 'address' | 'host' | 'headers'>): boolean {
  const { origin } = headers
  return (
    isLoopback(address) &&
    !Object.keys(headers).some((name) => FORWARDED.test(name)) &&
    isLoopback(hostNameOf(host) ?? '') &&
    (origin === undefined || (typeof origin === 'string' && URL.parse(origin)?.host === host))
  )
}

/** Typed text, or an empty string. */
export const typedText = (v: unknown): string => (typeof v === 'string' ? v : '')

/** Parses `7`, `'007'` or `/api/portal/clients/7`; undefined if blank, NaN if invalid. */
export const parseClientNumber = (v: unknown): number | undefined => {
  if (v === undefined || v === null || v === '') return undefined
  const n = typeof v === 'string' ? Number(v.replace(/^\/api\/portal\/clients\//, '')) : v
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 && n < 2 ** 31 ? n : Number.NaN
}

/** One message for every failure: it never reveals whether the account exists, once or several times. */
const WRONG =
  'The username and password do not match. Please check both. If several companies use this username, your client number is needed too.'

/** Checks a username and password. Throws 401 if they don't match, 429 for an attempt that comes too early. */
export async function signIn(
  engine: Engine,
  given: { username: string; password: string; client?: number },
  from: RequestFacts,
  device: string | undefined,
): Promise<CheckedAccount> {
  const { username, password, client: clientId } = given
  if (!isUsername(username)) throw problem.signIn(WRONG, 'wrong_credentials')
  const { address } = from
  const account = await checkSignIn(engine.db, { username, password, clientId, address, device }, (tried) =>
    engine.security.note('sign-in-failed', tried && { ...tried, username }, from),
  )
  if (!account) throw problem.signIn(WRONG, 'wrong_credentials')
  if (account.demo && !engine.config.demoAnywhere && !isLocalRequest(from))
    throw problem.forbidden('The demo passwords work only on the machine that runs the portal.')
  return { clientId: account.clientId, userId: account.userId, hash: account.hash }
}
