import type { Db } from '#server/db/db.ts'
import { forgetTries, type Pace, settleTry, TooEarly, type Tried } from './attempts.ts'
import { type Account, type Checked, type Credential, findCredentials, readHash } from './credentials.ts'
import { makeTry } from './make-try.ts'
import { networkOf } from './network.ts'
import { verifyPassword } from './passwords.ts'
import { digest } from './secret.ts'

/** Wrong passwords for one account from one network, or from one browser that it knows. */
const OWN: Pace = { free: 4, most: 8, minutes: 15 }
/** Wrong passwords for one account from all networks together; browsers that it knows are not counted, and not kept out. */
const ANYWHERE: Pace = { free: 20, most: 100, minutes: 15 }
/** Wrong passwords from one network for all accounts: an office is many people. */
const NETWORK: Pace = { free: 40, most: 100, minutes: 15 }

/** What was typed at sign-in, and where. */
export interface Given {
  readonly username: string
  readonly password: string
  readonly clientId: number | undefined
  readonly address: string
  /** The secret of a browser that somebody has signed in with before. */
  readonly device: string | undefined
}

/** Writes down a password that was wrong, and for which account, where there is one. */
export type Note = (account: Account | undefined) => void

/**
 * The account that a username and password open; `undefined` when they don't. The password of one account at the most is looked
 * at, and a name that fits several opens none, whatever the password. Every try is counted before the password is checked, and
 * every answer costs the same work. Throws 429 for a try that comes too early.
 */
export async function checkSignIn(db: Db, given: Given, note: Note): Promise<Credential | undefined> {
  const device = given.device === undefined ? undefined : digest(given.device)
  let account: Credential | undefined
  return makeTry(
    db,
    async (tx, count) => {
      const { folded, accounts } = await findCredentials(tx, given.username, given.clientId, device)
      const known = accounts.filter((a) => a.known)
      account = (known.length === 1 ? known : accounts.length === 1 ? accounts : [])[0]
      const tried = triesOf(account, folded, given.address, device)
      await count(tried)
      return tried
    },
    async (counted) => {
      if (!(await verifyPassword(account?.hash, given.password))) {
        note(account)
        return undefined
      }
      const network = networkKey(given.address)
      const own = counted.map((t) => t.key).filter((key) => key !== network)
      await db.tx('system', (tx) => settleTry(tx, own, network))
      return account
    },
  ).catch((e: unknown) => {
    throw e instanceof TooEarly ? e.telling(account && { ...whose(account), username: given.username }, '') : e
  })
}

/**
 * The account with its present password, if this is it; `undefined` for another. For somebody who is signed in, by this session;
 * counted for it, so that what is tried in one keeps nobody from theirs. Throws 429 for a try that comes too early.
 */
export function checkOwnPassword(
  db: Db,
  account: Account,
  password: string,
  session: number | undefined,
): Promise<Checked | undefined> {
  const key = `own-password:${nameOf(account)} in ${session}`
  return makeTry(
    db,
    async (tx, count) => {
      await count([{ key, pace: OWN }])
      return readHash(tx, account)
    },
    async (held) => {
      if (!(await verifyPassword(held, password)) || held === undefined) return undefined
      await db.tx('system', (tx) => forgetTries(tx, [key]))
      return { ...whose(account), hash: held }
    },
  )
}

const whose = ({ clientId, userId }: Account): Account => ({ clientId, userId })
const nameOf = ({ clientId, userId }: Account) => `${clientId}.${userId}`
const networkKey = (address: string) => `sign-in-from:${networkOf(address)}`

/** What a try counts for: the account by its number; a name that is nobody's, or several people's, by its hash, as people type passwords there. */
function triesOf(
  account: Credential | undefined,
  folded: string,
  address: string,
  device: string | undefined,
): readonly Tried[] {
  const name = account ? nameOf(account) : `#${digest(folded)}`
  if (account?.known) return [{ key: `sign-in:${name} by ${device}`, pace: OWN }]
  return [
    { key: `sign-in:${name} from ${networkOf(address)}`, pace: OWN },
    { key: `sign-in:${name}`, pace: ANYWHERE },
    { key: networkKey(address), pace: NETWORK },
  ]
}
