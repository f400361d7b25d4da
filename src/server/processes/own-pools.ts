import { WorkerPool, type WorkerPoolOptions } from './pool.ts'

const closers: (() => Promise<void>)[] = []

/**
 * Returns a getter of a pool for this process, created on first use and shared by all portals that the process serves.
 */
export function lazyPool<Order extends object, Answer>(
  options: () => WorkerPoolOptions,
): () => WorkerPool<Order, Answer> {
  let pool: WorkerPool<Order, Answer> | undefined
  closers.push(async () => {
    await pool?.close()
    pool = undefined
  })
  return () => {
    pool ??= new WorkerPool(options())
    return pool
  }
}

/** Ends the processes of all open pools. Optional at shutdown: they don't keep the server alive. */
export const closeAllPools = async (): Promise<void> => {
  await Promise.all(closers.map((close) => close()))
}
