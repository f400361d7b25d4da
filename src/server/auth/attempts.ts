import type { Tx } from '#server/db/db.ts'

/** How often each key has been tried within the last minutes of real time, in the order of the keys. */
export async function countAttempts(tx: Tx, keys: readonly string[], minutes: number): Promise<number[]> {
  const tried = await tx.rows<{ n: number }>(
    `SELECT (SELECT count(*)::int FROM login_attempt a WHERE a.key = k.key AND a.at > now() - make_interval(mins => $2)) AS n
     FROM unnest($1::text[]) WITH ORDINALITY AS k (key, place) ORDER BY k.place`,
    [keys, minutes],
  )
  return tried.map(({ n }) => n)
}

/** Counts one attempt more for each key. */
export const noteAttempts = (tx: Tx, keys: readonly string[]): Promise<unknown> =>
  tx.rows('INSERT INTO login_attempt (key) SELECT unnest($1::text[])', [keys])

/** Forgets the attempts on a key: somebody has proved who they are. */
export const forgetAttempts = (tx: Tx, key: string): Promise<unknown> =>
  tx.rows('DELETE FROM login_attempt WHERE key = $1', [key])
