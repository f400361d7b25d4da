import { Problem, problem } from '#kernel/errors.ts'
import { parseIpv6Groups } from '#server/addresses.ts'
import type { Tx } from '#server/db/db.ts'
import type { SecurityEventSubject } from './security-log.ts'

/**
 * Returns the network of an IP address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because a
 * household or server has all addresses with these bits to itself.
 */
export const networkForAddress = (address: string): string =>
  address.includes(':')
    ? parseIpv6Groups(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address

/**
 * Rate limit for attempts within a period. The first few attempts need no wait, and further ones need increasing waits.
 * After the maximum, none is allowed until the period ends.
 */
export interface AttemptLimit {
  readonly free: number
  readonly most: number
  readonly minutes: number
}

export interface CountedAttempt {
  readonly key: string
  readonly pace: AttemptLimit
}

/** Details for the security log about an attempt that came too early. */
interface EarlyAttemptDetails {
  /** The account concerned; if it is unknown, the event is logged for the requester. */
  readonly about?: SecurityEventSubject | undefined
  readonly detail: string
}

/**
 * Problem 429 for an attempt that comes too early, with the keys whose limits were exceeded. The server writes each key
 * to the security log.
 */
export class AttemptTooEarlyProblem extends Problem {
  readonly keys: readonly string[]
  readonly told: EarlyAttemptDetails | undefined
  private readonly seconds: number
  constructor(seconds: number, keys: readonly string[], told?: EarlyAttemptDetails) {
    const { status, message, headers = {} } = problem.tooMany(seconds)
    super(status, message, { headers })
    this.keys = keys
    this.told = told
    this.seconds = seconds
  }

  /** Returns the same error with details for the security log. */
  telling(about: SecurityEventSubject | undefined, detail: string): AttemptTooEarlyProblem {
    return new AttemptTooEarlyProblem(this.seconds, this.keys, { about, detail })
  }
}

/**
 * Error whose message reveals that a guess was right. The engine counts the attempt after the rollback, and returns 429
 * instead if the limit has been exceeded.
 */
export class GuessRevealingProblem extends Problem {
  readonly tried: CountedAttempt
  constructor(refusal: Problem, tried: CountedAttempt) {
    const { status, message, code, violations = [] } = refusal
    super(status, message, { code, violations })
    this.tried = tried
  }
}

/** Longest wait between two attempts, in seconds. */
const MAX_WAIT_SECONDS = 30

/**
 * Returns the seconds to wait before this attempt; 0 if the attempt is allowed. `gap`: seconds since the last attempt;
 * `left`: seconds until the period ends.
 */
function tooEarly({ free, most }: AttemptLimit, tries: number, gap: number | null, left: number): number {
  if (tries > most) return Math.max(1, Math.ceil(left))
  if (tries <= free || gap === null) return 0
  return Math.max(0, Math.ceil(Math.min(2 ** (tries - free), MAX_WAIT_SECONDS) - gap))
}

/**
 * Counts one attempt under each key, before the attempt is made. Throws `AttemptTooEarlyProblem` if the attempt comes
 * too early; the transaction is then rolled back, so that repeated attempts don't lengthen the wait. Locks the keys, so
 * that concurrent attempts run one after the other.
 */
export async function countAttempt(tx: Tx, tried: readonly CountedAttempt[]): Promise<void> {
  const paces = new Map(tried.map(({ key, pace }) => [key, pace]))
  const counted = await tx.rows<{ key: string; tries: number; gap: number | null; left: number }>(
    `INSERT INTO attempt AS a (key, tries, since, lasts, at)
     SELECT k.key, 1, clock_timestamp(), make_interval(mins => k.minutes), clock_timestamp()
     FROM unnest($1::text[], $2::int[]) AS k (key, minutes) ORDER BY k.key
     ON CONFLICT (key) DO UPDATE SET
       tries = CASE WHEN a.since + a.lasts < clock_timestamp() THEN 1 ELSE a.tries + 1 END,
       since = CASE WHEN a.since + a.lasts < clock_timestamp() THEN clock_timestamp() ELSE a.since END,
       lasts = EXCLUDED.lasts, at = clock_timestamp(), former_at = a.at
     RETURNING key, tries, extract(epoch FROM at - former_at)::float8 AS gap, extract(epoch FROM since + lasts - at)::float8 AS left`,
    [[...paces.keys()], [...paces.values()].map((pace) => pace.minutes)],
  )
  const early = counted
    .map(({ key, tries, gap, left }) => ({ key, wait: tooEarly(paces.get(key) as AttemptLimit, tries, gap, left) }))
    .filter(({ wait }) => wait > 0)
  if (early.length)
    throw new AttemptTooEarlyProblem(
      Math.max(...early.map(({ wait }) => wait)),
      early.map(({ key }) => key),
    )
}

/** Throws `AttemptTooEarlyProblem` if no attempt is left under this key. Does not count an attempt. */
export async function requireAttemptLeft(tx: Tx, { key, pace }: CountedAttempt): Promise<void> {
  const [held] = await tx.rows<{ tries: number; left: number }>(
    'SELECT tries, extract(epoch FROM since + lasts - clock_timestamp())::float8 AS left FROM attempt WHERE key = $1',
    [key],
  )
  if (held && held.tries >= pace.most && held.left > 0) throw new AttemptTooEarlyProblem(Math.ceil(held.left), [key])
}

/**
 * Restarts the period of each key that has no attempt left, so that the lock lasts for the whole period. Called after a
 * wrong attempt. Returns the longest such period in minutes; 0 if an attempt is left under every key.
 */
export async function lockUsedUpKeys(tx: Tx, tried: readonly CountedAttempt[]): Promise<number> {
  const locked: number[] = []
  for (const { key, pace } of tried.toSorted((a, b) => a.key.localeCompare(b.key)))
    if (
      (
        await tx.rows('UPDATE attempt SET since = clock_timestamp() WHERE key = $1 AND tries >= $2 RETURNING 1', [
          key,
          pace.most,
        ])
      ).length
    )
      locked.push(pace.minutes)
  return Math.max(0, ...locked)
}

/** Deletes the attempts counted under these keys. Called after successful authentication. */
export const clearAttempts = (tx: Tx, keys: readonly string[]): Promise<unknown> =>
  tx.rows('DELETE FROM attempt WHERE key = ANY($1)', [keys])

/**
 * Records a successful attempt: clears the counts of the keys in `forget`, and subtracts one from the counts of
 * `takeBack`, because those keys also count other people's attempts. Locks the keys in the same order as `countAttempt`,
 * because concurrent sign-ins would deadlock otherwise.
 */
export async function recordSuccessfulAttempt(
  tx: Tx,
  forget: readonly string[],
  takeBack: readonly string[] = [],
): Promise<void> {
  await tx.rows('SELECT FROM attempt WHERE key = ANY($1) ORDER BY key FOR UPDATE', [[...forget, ...takeBack]])
  await clearAttempts(tx, forget)
  if (takeBack.length)
    await tx.rows('UPDATE attempt SET tries = greatest(tries - 1, 0) WHERE key = ANY($1)', [takeBack])
}

/** Minutes in which the openings of a link from one network count as one. */
const OPENING_MINUTES = 15

/**
 * True if a link was not opened from this network within the last 15 minutes. Otherwise the opening is not recorded
 * again, so that the holder of a link can't fill the audit trail.
 */
export async function isNewOpening(tx: Pick<Tx, 'rows'>, link: string, address: string): Promise<boolean> {
  const begun = await tx.rows(
    `INSERT INTO attempt AS a (key, tries, since, lasts, at)
     VALUES ($1, 1, clock_timestamp(), make_interval(mins => $2), clock_timestamp())
     ON CONFLICT (key) DO UPDATE SET since = clock_timestamp(), lasts = excluded.lasts, at = clock_timestamp()
       WHERE a.since + a.lasts < clock_timestamp() RETURNING 1`,
    [`link-opened:${link} from ${networkForAddress(address)}`, OPENING_MINUTES],
  )
  return begun.length > 0
}
