import { Pool, type PoolOptions } from './pool.ts'

const closers: (() => Promise<void>)[] = []

/** A pool of this process's own, whatever portals it serves: opened when it is first asked for. */
export function ownPool<Order extends object, Answer>(options: () => PoolOptions): () => Pool<Order, Answer> {
  let pool: Pool<Order, Answer> | undefined
  closers.push(async () => {
    await pool?.close()
    pool = undefined
  })
  return () => {
    pool ??= new Pool(options())
    return pool
  }
}

/** Ends the processes of all pools, if there are any. They hold nobody up: a server may simply end, too. */
export const closePools = async (): Promise<void> => {
  await Promise.all(closers.map((close) => close()))
}
