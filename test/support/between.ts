import type { As, Db, Tx } from '#server/db/db.ts'

/**
 * Asks for something, and does something else once so many of its transactions are over: at this one place between two of its
 * steps, whatever the pace. What came of both; `reached` is false where it has fewer steps.
 */
export async function inBetween<T>(
  db: Db,
  after: number,
  meanwhile: () => Promise<unknown>,
  ask: () => Promise<T>,
): Promise<{ readonly answer: T; readonly reached: boolean }> {
  const tx = db.tx.bind(db)
  let done = 0
  // Work of the background has transactions too: then it happens beside the steps, and is waited for all the same.
  let happened: Promise<unknown> | undefined
  db.tx = async <V>(as: As, work: (tx: Tx) => Promise<V>): Promise<V> => {
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
