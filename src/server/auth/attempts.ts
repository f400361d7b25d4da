import { Problem, problem } from '#kernel/errors.ts'
import type { Tx } from '#server/db/db.ts'
import type { Concerned } from './security-log.ts'

/** How often something may be tried in a span of minutes: freely at first, then after longer and longer waits, at last not at all. */
export interface Pace {
  readonly free: number
  readonly most: number
  readonly minutes: number
}

/** Something that is tried, and how often it may be. */
export interface Tried {
  readonly key: string
  readonly pace: Pace
}

/** What the security log says of a try that came too early. */
interface Told {
  /** Whose account it was for, where that is known; otherwise whoever asked. */
  readonly about?: Concerned | undefined
  readonly detail: string
}

/** Refuses a try that comes too early, with the keys whose counts say so: 429. The server writes each into the security log. */
export class TooEarly extends Problem {
  readonly keys: readonly string[]
  readonly told: Told | undefined
  private readonly seconds: number
  constructor(seconds: number, keys: readonly string[], told?: Told) {
    const { status, message, headers = {} } = problem.tooMany(seconds)
    super(status, message, { headers })
    this.keys = keys
    this.told = told
    this.seconds = seconds
  }

  /** The same refusal, with what the security log is to say of it. */
  telling(about: Concerned | undefined, detail: string): TooEarly {
    return new TooEarly(this.seconds, this.keys, { about, detail })
  }
}

/**
 * Refuses what may have been a guess, in words that say that it was right. Its transaction is undone: the engine counts it
 * afterwards, and refuses it as too early where it is one too many.
 */
export class Guessed extends Problem {
  readonly tried: Tried
  constructor(refusal: Problem, tried: Tried) {
    const { status, message, code, violations = [] } = refusal
    super(status, message, { code, violations })
    this.tried = tried
  }
}

/** The longest wait between two tries before none is left, in seconds. */
const LONGEST_WAIT = 30

/** Seconds that this try comes too early by; 0 for one that may be made. `gap` and `left` are seconds: since the last try, and of the span. */
function tooEarly({ free, most }: Pace, tries: number, gap: number | null, left: number): number {
  if (tries > most) return Math.max(1, Math.ceil(left))
  if (tries <= free || gap === null) return 0
  return Math.max(0, Math.ceil(Math.min(2 ** (tries - free), LONGEST_WAIT) - gap))
}

/**
 * Counts one try under each key before it is made. One that comes too early throws `TooEarly`, and its transaction, undone, has
 * counted nothing: whoever keeps knocking waits no longer than told. Tries at the same time wait for one another here.
 */
export async function countTry(tx: Tx, tried: readonly Tried[]): Promise<void> {
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
    .map(({ key, tries, gap, left }) => ({ key, wait: tooEarly(paces.get(key) as Pace, tries, gap, left) }))
    .filter(({ wait }) => wait > 0)
  if (early.length)
    throw new TooEarly(
      Math.max(...early.map(({ wait }) => wait)),
      early.map(({ key }) => key),
    )
}

/** Throws `TooEarly` where no try is left under this key; counts nothing. */
export async function requireTryLeft(tx: Tx, { key, pace }: Tried): Promise<void> {
  const [held] = await tx.rows<{ tries: number; left: number }>(
    'SELECT tries, extract(epoch FROM since + lasts - clock_timestamp())::float8 AS left FROM attempt WHERE key = $1',
    [key],
  )
  if (held && held.tries >= pace.most && held.left > 0) throw new TooEarly(Math.ceil(held.left), [key])
}

/** Forgets the tries under these keys: somebody has proved who they are. */
export const forgetTries = (tx: Tx, keys: readonly string[]): Promise<unknown> =>
  tx.rows('DELETE FROM attempt WHERE key = ANY($1)', [keys])

/**
 * Settles a try that was right: forgets what is counted under the keys of `forget`, and takes this one back from `takeBack`, where
 * what others have tried stays. The keys are locked in the order in which tries are counted: in another, a sign-in that ends and
 * one that begins would wait for each other, and one of them fail.
 */
export async function settleTry(tx: Tx, forget: readonly string[], takeBack?: string): Promise<void> {
  const keys = takeBack === undefined ? forget : [...forget, takeBack]
  await tx.rows('SELECT FROM attempt WHERE key = ANY($1) ORDER BY key FOR UPDATE', [keys])
  await forgetTries(tx, forget)
  if (takeBack !== undefined)
    await tx.rows('UPDATE attempt SET tries = greatest(tries - 1, 0) WHERE key = $1', [takeBack])
}
