import type { Db, Tx, TxIdentity } from '#server/db/db.ts'

/**
 * Starts a request, and executes another operation once the request has made this many transactions. The operation
 * therefore runs at a fixed point between two steps, regardless of speed. Returns both results; `reached` is false if
 * the request has fewer steps.
 */
export async function runBetweenTransactions<T>(
  db: Db,
  after: number,
  meanwhile: () => Promise<unknown>,
  ask: () => Promise<T>,
): Promise<{ readonly answer: T; readonly reached: boolean }> {
  const tx = db.tx.bind(db)
  let done = 0
  // Background work has transactions too. If one of these triggers the operation, it runs concurrently with the
  // request, but is still awaited.
  let happened: Promise<unknown> | undefined
  db.tx = async <V>(as: TxIdentity, work: (tx: Tx) => Promise<V>): Promise<V> => {
    const value = await tx(as, work)
    if (++done === after) {
      db.tx = tx
      happened = meanwhile()
      await happened
    }
    return value as V
  }
  try {
    const answer = await ask()
    await happened
    return { answer, reached: happened !== undefined }
  } finally {
    db.tx = tx
  }
}
