import { PROVIDER } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/engine.ts'

/** What people are called whose usernames records carry: those of the client, and of the provider who came in. */
export async function readNames(
  engine: Engine,
  clientId: number,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await engine.db.tx('system', (tx) =>
    tx.rows<{ username: string; name: string }>(
      'SELECT username, name FROM user_account WHERE client_id = ANY($1::int[]) AND username = ANY($2::text[]) ORDER BY client_id',
      [[clientId, PROVIDER], usernames],
    ),
  )
  return new Map(rows.map((u) => [u.username, u.name]))
}
