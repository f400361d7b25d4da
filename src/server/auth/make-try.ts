import type { Db, Tx } from '#server/db/db.ts'
import { countTry, TooEarly, type Tried } from './attempts.ts'

/** Of one key: how many tries are counted and not judged yet, and who waits for one of them to be. */
interface Queue {
  judged: number
  readonly waiting: (() => void)[]
}

/** Tries that wait under one key at the most: what comes on top is refused at once. */
const WAITING_MOST = 50

/** The tries of this process, by key. */
const underWay = new WeakMap<Db, Map<string, Queue>>()

/**
 * Makes a try in two parts. `begin` finds out what it counts for, and has it counted, in one transaction; `judge` looks whether it
 * is right while the database is free, and clears the count where it is. A try that comes too early only because of others that
 * are not judged yet waits for them, since they may be right, and is counted anew: of many wrong ones at once no more are looked
 * at than one after the other. Throws `TooEarly`.
 */
export async function makeTry<B, T>(
  db: Db,
  begin: (tx: Tx, count: (tried: readonly Tried[]) => Promise<void>) => Promise<B>,
  judge: (begun: B) => Promise<T>,
): Promise<T> {
  const queues = underWay.get(db) ?? new Map<string, Queue>()
  underWay.set(db, queues)
  for (;;) {
    let keys: readonly string[] = []
    const count = (tx: Tx) => (tried: readonly Tried[]) => {
      keys = tried.map(({ key }) => key)
      enter(queues, keys)
      return countTry(tx, tried)
    }
    try {
      const value = await judge(await db.tx('system', (tx) => begin(tx, count(tx))))
      leave(queues, keys)
      return value
    } catch (e) {
      leave(queues, keys, !(e instanceof TooEarly))
      if (!(e instanceof TooEarly)) throw e
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

/** A try is judged, or was not to be: whoever waits longest looks again. */
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
