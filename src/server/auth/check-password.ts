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
 * shares a network.
 */
const NETWORK: AttemptLimit = { free: 40, most: 100, minutes: 15 }

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
 * for every result. Throws 429 for an attempt that comes too early.
 */
export async function verifySignIn(
  db: Db,
  given: SignInAttempt,
  note: WrongPasswordLogger,
): Promise<Credential | undefined> {
  const device = given.device === undefined ? undefined : hashSecret(given.device)
  let account: Credential | undefined
  return performCountedAttempt(
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
      await db.tx('system', (tx) => recordSuccessfulAttempt(tx, own, [network]))
      return account
    },
  ).catch((e: unknown) => {
    throw e instanceof AttemptTooEarlyProblem
      ? e.telling(account && { ...whose(account), username: given.username }, '')
      : e
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
