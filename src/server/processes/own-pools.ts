import { Pool, type PoolOptions } from './pool.ts'

const closers: (() => Promise<void>)[] = []

/**
 * Returns a getter of a pool for this process, created on first use and shared by all portals that the process serves.
 */
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

/** Ends the processes of all open pools. Optional at shutdown: they don't keep the server alive. */
export const closePools = async (): Promise<void> => {
  await Promise.all(closers.map((close) => close()))
}
