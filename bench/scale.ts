import pg from 'pg'
import type { System } from './systems.ts'

/** A small list and a large one, of two clients: what a hundred times the rows costs the first page. */
const SIZES = [
  { client: 498, rows: 10_000 },
  { client: 499, rows: 1_000_000 },
] as const
const PASSWORD = { username: 'scale', password: 'bench-pass-1234' }

/** Fills the two clients; both get a person of their own, with the bench person's password. */
export async function fillScale(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    // Only the list is looked at: neither counts nor keys nor words to search are kept for these rows.
    await client.query('SET session_replication_role = replica')
    for (const { client: id, rows } of SIZES) {
      await client.query('DELETE FROM note WHERE client_id = $1', [id])
      for (const table of ['contact_key', 'contact_search', 'contact_count', 'contact'])
        await client.query(`DELETE FROM ${table} WHERE client_id = $1`, [id])
      await client.query(
        `INSERT INTO contact (client_id, company_name, phone, callback_date, last_result_id)
         SELECT $1, 'Scale ' || i || ' Ltd', '01632' || i, timestamptz '2026-01-01' + make_interval(mins => (h(i, 3) % 900000)::int), 1 + h(i, 4) % 40
         FROM generate_series(1, $2) i`,
        [id, rows],
      )
      await client.query(
        `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) VALUES ($1, 'scale', 'Scale', '{ROLE_STAFF}') RETURNING id)
         INSERT INTO credential (client_id, user_id, hash) SELECT $1, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.client_id = 0 AND b.username = 'bench'`,
        [id],
      )
    }
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

/** The median of the first page, with its exact total, in milliseconds, for each size. */
export async function scale(s: System): Promise<number[]> {
  const times = SIZES.map((): number[] => [])
  const headers: { authorization: string }[] = []
  for (const { client } of SIZES) {
    const signedIn = await fetch(`${s.base}/api/security/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...PASSWORD, client }),
    })
    const { token } = (await signedIn.json()) as { token: string }
    headers.push({ authorization: `Bearer ${token}` })
  }
  // Turn about, so that a busy machine is busy for both.
  for (let i = 0; i < 300; i++)
    for (const [n, each] of times.entries()) {
      const began = performance.now()
      const answer = await fetch(`${s.base}/api/crm/contacts?retired=false`, {
        headers: headers[n] as Record<string, string>,
      })
      await answer.text()
      if (i >= 50) each.push(performance.now() - began)
    }
  return times.map((each) => each.toSorted((a, b) => a - b)[each.length >> 1] as number)
}
