import type { Db, Tx } from '#server/db/db.ts'
import { AttemptTooEarly, type CountedAttempt, countAttempt } from './attempts.ts'

/** Attempts of one key: how many are counted but not yet judged, and which ones are waiting for a result. */
interface Queue {
  judged: number
  readonly waiting: (() => void)[]
}

/** Most attempts waiting under one key; further ones are refused at once. */
const WAITING_MOST = 50

/** Attempts in progress in this process, by key. */
const underWay = new WeakMap<Db, Map<string, Queue>>()

/**
 * Makes an attempt in two parts. `begin` finds its keys and counts it in one transaction; `judge` checks it without a
 * transaction, and clears the count if it is right. An attempt that is too early only because of others still being
 * judged waits for them, as they may be right, and is then counted again: concurrent wrong attempts are checked no
 * faster than sequential ones. Throws `AttemptTooEarly`.
 */
export async function makeAttempt<B, T>(
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
      leave(queues, keys, !(e instanceof AttemptTooEarly))
      if (!(e instanceof AttemptTooEarly)) throw e
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

/** Removes a judged or refused attempt, and wakes the one that has waited longest. */
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
