import { randomBytes } from 'node:crypto'
import { PROVIDER } from '#kernel/roles.ts'
import type { Db } from '#server/db/db.ts'
import { timeOf } from '#server/engine/clock.ts'

/** Generates an ID for a new test gateway object. */
export const newTestRef = (kind: string): string => `${kind}_test_${randomBytes(16).toString('hex')}`

export async function putTestObject(db: Db, kind: string, name: string, data: unknown): Promise<void> {
  await db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO test_gateway (client_id, kind, ref, data) VALUES ($1, $2, $3, $4)
       ON CONFLICT (client_id, ref) DO UPDATE SET data = test_gateway.data || EXCLUDED.data`,
      [PROVIDER, kind, name, JSON.stringify(data)],
    ),
  )
}

interface Put<T> {
  readonly ref: string
  readonly data: T
  readonly created: string
}
/** Finds objects of a kind by a field, newest first. */
export const findTestObjects = <T>(db: Db, kind: string, where: string, value: string): Promise<Put<T>[]> =>
  db.tx('system', (tx) =>
    tx.rows(
      `SELECT ref, data, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created FROM test_gateway
       WHERE client_id = $1 AND kind = $2 AND ${where} = $3 ORDER BY id DESC`,
      [PROVIDER, kind, value],
    ),
  )

/** Finds objects of a kind whose delayed outcome is due. */
export const findDueTestObjects = <T>(db: Db, kind: string): Promise<Pick<Put<T>, 'ref' | 'data'>[]> =>
  db.tx('system', (tx) =>
    tx.rows(
      `SELECT ref, data FROM test_gateway
       WHERE client_id = $1 AND kind = $2 AND (data ->> 'due')::timestamptz <= $3::timestamptz ORDER BY id`,
      [PROVIDER, kind, timeOf(db).toString()],
    ),
  )

export async function getTestObject<T>(
  db: Db,
  kind: string,
  name: string,
): Promise<(T & { created: string }) | undefined> {
  const [found] = await findTestObjects<T>(db, kind, 'ref', name)
  return found && { ...found.data, created: found.created }
}

/** Updates an object under a lock; `change` returns the fields to merge in. */
export const updateTestObject = <T, R>(
  db: Db,
  name: string,
  change: (data: T) => { readonly put?: Partial<T>; readonly answer: R },
): Promise<R | undefined> =>
  db.tx('system', async (tx) => {
    const [row] = await tx.rows<{ data: T }>(
      'SELECT data FROM test_gateway WHERE client_id = $1 AND ref = $2 FOR UPDATE',
      [PROVIDER, name],
    )
    if (!row) return undefined
    const { put: more, answer } = change(row.data)
    if (more)
      await tx.rows('UPDATE test_gateway SET data = data || $3::jsonb WHERE client_id = $1 AND ref = $2', [
        PROVIDER,
        name,
        JSON.stringify(more),
      ])
    return answer
  })

/** Stores an object with our key once and returns its ID. */
export const putTestObjectOnce = <T extends { readonly key: string }>(db: Db, kind: string, data: T): Promise<string> =>
  db.tx('system', async (tx) => {
    const at = [PROVIDER, kind, data.key]
    const known = () =>
      tx.rows<{ ref: string }>(
        "SELECT ref FROM test_gateway WHERE client_id = $1 AND kind = $2 AND data ->> 'key' = $3",
        at,
      )
    await tx.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [data.key])
    const [before] = await known()
    if (before) return before.ref
    const name = newTestRef(kind)
    await tx.rows('INSERT INTO test_gateway (client_id, kind, ref, data) VALUES ($1, $2, $3, $4)', [
      PROVIDER,
      kind,
      name,
      JSON.stringify(data),
    ])
    return name
  })
