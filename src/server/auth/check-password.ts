import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { Db, Tx } from '#server/db/db.ts'
import {
  type AttemptLimit,
  AttemptTooEarlyProblem,
  type CountedAttempt,
  clearAttempts,
  countAttempt,
  networkForAddress,
  recordSuccessfulAttempt,
} from './attempts.ts'
import { type Account, type CheckedAccount, type Credential, findCredentials, readPasswordHash } from './credentials.ts'
import { verifyPassword } from './passwords.ts'
import { hashSecret } from './secret.ts'

/** Attempts under one key: the number being judged, and the callbacks that wake those waiting for a result. */
interface Queue {
  judged: number
  readonly waiting: (() => void)[]
}

/** Maximum attempts waiting under one key; further attempts are rejected immediately. */
const WAITING_MOST = 50

/** Attempts in progress in this process, by database and key. */
const underWay = new WeakMap<Db, Map<string, Queue>>()

/**
 * Makes an attempt in two steps. `begin` finds the attempt's keys and counts the attempt in one transaction. `judge`
 * checks the attempt outside a transaction, and clears the count if the attempt is successful. While other attempts are
 * still being judged, an attempt that is too early waits for their results, because a success clears the count. The
 * waiting attempt is then counted again. Concurrent wrong attempts are therefore checked no faster than sequential
 * ones. Throws `AttemptTooEarlyProblem`.
 */
export async function performCountedAttempt<B, T>(
  db: Db,
  begin: (tx: Tx, count: (tried: readonly CountedAttempt[]) => Promise<void>) => Promise<B>,
  judge: (begun: B) => Promise<T>,
): Promise<T> {
  const queues = underWay.get(db) ?? new Map<string, Queue>()
  underWay.set(db, queues)
  for (;;) {
    let keys: readonly string[] = []
    const count = (tx: Tx) => (tried: readonly CountedAttempt[]) => {
      keys = tried.map(({ key }) => key)
      enter(queues, keys)
      return countAttempt(tx, tried)
    }
    try {
      const value = await judge(await db.tx('system', (tx) => begin(tx, count(tx))))
      leave(queues, keys)
      return value
    } catch (e) {
      leave(queues, keys, !(e instanceof AttemptTooEarlyProblem))
      if (!(e instanceof AttemptTooEarlyProblem)) throw e
      const before = e.keys.map((key) => queues.get(key)).find((q) => q && q.judged > 0)
      if (!before || before.waiting.length >= WAITING_MOST) {
        wakeNext(queues, keys)
        throw e
      }
      await new Promise<void>((woken) => before.waiting.push(woken))
    }
  }
}

function enter(queues: Map<string, Queue>, keys: readonly string[]): void {
  for (const key of keys) {
    const queue = queues.get(key) ?? { judged: 0, waiting: [] }
    queue.judged++
    queues.set(key, queue)
  }
}

/** Removes a judged or rejected attempt. Wakes the attempt that has waited longest, unless `isOver` is false. */
function leave(queues: Map<string, Queue>, keys: readonly string[], isOver = true): void {
  for (const key of keys) {
    const queue = queues.get(key)
    if (!queue) continue
    queue.judged--
    if (!queue.judged && !queue.waiting.length) queues.delete(key)
  }
  if (isOver) wakeNext(queues, keys)
}

function wakeNext(queues: Map<string, Queue>, keys: readonly string[]): void {
  for (const key of keys) {
    const queue = queues.get(key)
    queue?.waiting.shift()?.()
    if (queue && !queue.judged && !queue.waiting.length) queues.delete(key)
  }
}

/** Limit on wrong passwords for one account from one network, or from one known browser. */
const ACCOUNT_LIMIT: AttemptLimit = { free: 4, most: 8, minutes: 15 }
/** Limit on wrong passwords for one account from all networks. Known browsers are neither counted nor blocked. */
const ANYWHERE: AttemptLimit = { free: 20, most: 100, minutes: 15 }
/**
 * Limit on wrong passwords for all accounts from one network. Allows more free attempts, because everybody in an office
 * shares a network: correct sign-ins at new browsers still succeed beside a hundred wrong ones.
 */
const NETWORK: AttemptLimit = { free: 120, most: 150, minutes: 15 }

/**
 * Sign-ins at unknown browsers of one network take turns, so that they leave connections to others. Up to 400 wait, as
 * in an office where everybody signs in at once.
 */
const unknownBrowsers = new ConcurrencyLimiter(3, 400)
/**
 * Sign-ins at unknown browsers of all networks together. Further ones are refused (429), because a flood from many
 * networks would otherwise occupy the process and its connections.
 */
const allUnknownBrowsers = new ConcurrencyLimiter(6, 600)
/** Concurrent look-ups of the browsers that claim to be known, so that a flood of them leaves connections to others. */
const lookUps = new ConcurrencyLimiter(3, 1000)
/** Passwords from unknown browsers checked at once. One of Node's four threads stays free for known browsers. */
const unknownPasswords = new ConcurrencyLimiter(3, Number.POSITIVE_INFINITY)

/** Credentials entered at sign-in, and the origin of the request. */
export interface SignInAttempt {
  readonly username: string
  readonly password: string
  readonly clientId: number | undefined
  readonly address: string
  /** Secret that identifies a browser used for an earlier sign-in. */
  readonly device: string | undefined
}

/** Callback that logs a wrong password, with the account if there is one. */
export type WrongPasswordLogger = (account: Account | undefined) => void

/**
 * Returns the account for a username and password; `undefined` if they don't match. Checks the password of at most one
 * account; an ambiguous name never matches. Counts the attempt before checking the password, and takes the same time
 * for every result. Throws 429 for an attempt that comes too early. Known browsers wait for nobody else's attempts.
 */
export async function verifySignIn(
  db: Db,
  given: SignInAttempt,
  note: WrongPasswordLogger,
): Promise<Credential | undefined> {
  const device = given.device === undefined ? undefined : hashSecret(given.device)
  const find = async (tx: Tx) => {
    const { folded, accounts } = await findCredentials(tx, given.username, given.clientId, device)
    const known = accounts.filter((a) => a.known)
    return { folded, account: (known.length === 1 ? known : accounts.length === 1 ? accounts : [])[0] }
  }
  const isKnown = device !== undefined && (await lookUps.run('', () => db.tx('system', find))).account?.known === true
  const attempt = () => attemptSignIn(db, { ...given, device }, find, note)
  if (isKnown) return attempt()
  return unknownBrowsers.run(networkForAddress(given.address), () => allUnknownBrowsers.run('', attempt))
}

export interface FoundAccount {
  /** The username in the form in which usernames are compared. */
  readonly folded: string
  readonly account: Credential | undefined
}

/**
 * Returns the account whose one-time code was entered, as `verifySignIn` does for a password: with the same limits, and
 * counted together with wrong passwords. `find` returns the account with the hash of its code.
 */
export const verifySignInCode = (
  db: Db,
  given: Omit<SignInAttempt, 'device'>,
  find: (tx: Tx) => Promise<FoundAccount>,
  note: WrongPasswordLogger,
): Promise<Credential | undefined> =>
  unknownBrowsers.run(networkForAddress(given.address), () =>
    allUnknownBrowsers.run('', () => attemptSignIn(db, { ...given, device: undefined }, find, note)),
  )

function attemptSignIn(
  db: Db,
  { username, password, address, device }: SignInAttempt,
  find: (tx: Tx) => Promise<FoundAccount>,
  note: WrongPasswordLogger,
): Promise<Credential | undefined> {
  let account: Credential | undefined
  return performCountedAttempt(
    db,
    async (tx, count) => {
      const found = await find(tx)
      account = found.account
      const tried = triesOf(account, found.folded, address, device)
      await count(tried)
      return tried
    },
    async (counted) => {
      const verify = () => verifyPassword(account?.hash, password)
      if (!(await (account?.known ? verify() : unknownPasswords.run('', verify)))) {
        note(account)
        return undefined
      }
      const network = networkKey(address)
      const own = counted.map((t) => t.key).filter((key) => key !== network)
      await db.tx('system', (tx) => recordSuccessfulAttempt(tx, own, [network]))
      return account
    },
  ).catch((e: unknown) => {
    throw e instanceof AttemptTooEarlyProblem ? e.telling(account && { ...whose(account), username }, '') : e
  })
}

/**
 * Returns the account with its current password hash if the password is right; otherwise `undefined`. For signed-in
 * users. Counts attempts per session, so that attempts in one session don't block another. Throws 429 for an attempt
 * that comes too early.
 */
export function verifyOwnPassword(
  db: Db,
  account: Account,
  password: string,
  session: number | undefined,
): Promise<CheckedAccount | undefined> {
  const key = `own-password:${nameOf(account)} in ${session}`
  return performCountedAttempt(
    db,
    async (tx, count) => {
      await count([{ key, pace: ACCOUNT_LIMIT }])
      return readPasswordHash(tx, account)
    },
    async (held) => {
      if (!(await verifyPassword(held, password)) || held === undefined) return undefined
      await db.tx('system', (tx) => clearAttempts(tx, [key]))
      return { ...whose(account), hash: held }
    },
  )
}

const whose = ({ clientId, userId }: Account): Account => ({ clientId, userId })
const nameOf = ({ clientId, userId }: Account) => `${clientId}.${userId}`
const networkKey = (address: string) => `sign-in-from:${networkForAddress(address)}`

/**
 * Returns the keys under which an attempt is counted. They contain the account's ID or, if the username is unknown or
 * ambiguous, a hash of the username, because people sometimes type their password into that field.
 */
function triesOf(
  account: Credential | undefined,
  folded: string,
  address: string,
  device: string | undefined,
): readonly CountedAttempt[] {
  const name = account ? nameOf(account) : `#${hashSecret(folded)}`
  if (account?.known) return [{ key: `sign-in:${name} by ${device}`, pace: ACCOUNT_LIMIT }]
  return [
    { key: `sign-in:${name} from ${networkForAddress(address)}`, pace: ACCOUNT_LIMIT },
    { key: `sign-in:${name}`, pace: ANYWHERE },
    { key: networkKey(address), pace: NETWORK },
  ]
}
