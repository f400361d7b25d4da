import type { Conn } from '#server/db/db.ts'
import { type Keys, SAME, type Same } from './keys.ts'

/** A lead that is there already. */
export interface Match {
  readonly same: Same
  readonly id: number
}

/**
 * The lead behind each key of each row. The aggregate without a limit is meant: it makes the planner go by the index, key
 * by key, however little it knows of a table that has just grown.
 */
const SQL = `SELECT u.n, split_part(k.key, ':', 1) AS same, m.id
  FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) u(n, company, number, phone, mobile, email, postcode)
  CROSS JOIN LATERAL contact_keys(u.company, u.number, u.phone, u.mobile, u.email) k(key)
  CROSS JOIN LATERAL (
    SELECT min(c.id + 0) AS id FROM contact_key ck JOIN contact c ON c.client_id = ck.client_id AND c.id = ck.contact_id
    WHERE ck.client_id = $1 AND ck.key = k.key AND NOT c.retired
      AND (k.key NOT LIKE 'companyName:%' OR upper(replace(coalesce(c.postcode, ''), ' ', '')) = u.postcode)) m
  WHERE m.id IS NOT NULL`

const SUREST = Object.keys(SAME)

/** The tenant's leads that rows of a file repeat, by the row's place in the list: one question for the whole list. */
export async function findMatches(conn: Conn, clientId: number, rows: readonly Keys[]): Promise<Map<number, Match>> {
  const found = await conn.rows<{ n: number; same: Same; id: number }>(SQL, [
    clientId,
    rows.map((_, n) => n),
    rows.map((k) => k.company?.[0] ?? null),
    rows.map((k) => k.number),
    rows.map((k) => k.phones[0] ?? null),
    rows.map((k) => k.phones[1] ?? null),
    rows.map((k) => k.email),
    rows.map((k) => k.company?.[1] ?? ''),
  ])
  const best = new Map<number, Match>()
  for (const { n, same, id } of found) {
    const known = best.get(n)
    if (!known || SUREST.indexOf(same) < SUREST.indexOf(known.same)) best.set(n, { same, id })
  }
  return best
}
