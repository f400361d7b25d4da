import { problem } from '#kernel/errors.ts'
import { hostNameOf, isLoopback } from '#server/addresses.ts'
import { checkSignIn } from '#server/auth/check-password.ts'
import type { Checked } from '#server/auth/credentials.ts'
import type { RequestFacts } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { isUsername } from '../people/username.server.ts'

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|cf-connecting-ip|true-client-ip)$/

/**
 * Does somebody at this very machine ask, by its own name, and from the portal's own page or no page? A proxy that runs here
 * passes on what others ask from its own address, and a page of another site may have been opened here.
 */
function isThisMachine({ address, host, headers }: Pick<RequestFacts, 'address' | 'host' | 'headers'>): boolean {
  const { origin } = headers
  return (
    isLoopback(address) &&
    !Object.keys(headers).some((name) => FORWARDED.test(name)) &&
    isLoopback(hostNameOf(host) ?? '') &&
    (origin === undefined || (typeof origin === 'string' && URL.parse(origin)?.host === host))
  )
}

/** What was typed, or nothing. */
export const typedText = (v: unknown): string => (typeof v === 'string' ? v : '')

/** `7`, `'007'` or `/api/portal/clients/7`; nothing for a blank, NaN for what is no client's number. */
export const clientNumber = (v: unknown): number | undefined => {
  if (v === undefined || v === null || v === '') return undefined
  const n = typeof v === 'string' ? Number(v.replace(/^\/api\/portal\/clients\//, '')) : v
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 && n < 2 ** 31 ? n : Number.NaN
}

/** One sentence for every way of being wrong: it never says whether the account exists, once or several times. */
const WRONG =
  'That username and password do not belong together. Please check both. Where several companies have the username, your client number is needed too.'

/** Checks a username and password. Throws 401 when they don't fit, 429 for a try that comes too early. */
export async function signIn(
  engine: Engine,
  given: { username: string; password: string; client?: number },
  from: RequestFacts,
  device: string | undefined,
): Promise<Checked> {
  const { username, password, client: clientId } = given
  if (!isUsername(username)) throw problem.signIn(WRONG, 'wrong_credentials')
  const { address } = from
  const account = await checkSignIn(engine.db, { username, password, clientId, address, device }, (tried) =>
    engine.security.note('sign-in-failed', tried && { ...tried, username }, from),
  )
  if (!account) throw problem.signIn(WRONG, 'wrong_credentials')
  if (account.demo && !engine.config.demoAnywhere && !isThisMachine(from))
    throw problem.forbidden('The demo passwords work only on the machine that the portal runs on.')
  return { clientId: account.clientId, userId: account.userId, hash: account.hash }
}
