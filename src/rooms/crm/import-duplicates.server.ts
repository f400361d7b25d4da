import type { Db } from '#server/db/db.ts'
import { type Keys, SAME, type Same } from './import-keys.ts'

/** A lead that is there already. */
export interface Match {
  readonly same: Same
  readonly id: number
}

/**
 * For each of many keys, the lead that has it. The aggregate without a limit is meant: it makes the planner go by the
 * index key by key, however little it knows of a table that has just grown.
 */
const lookup = (same: Same, keys: string, where: string) =>
  `SELECT k.n, '${same}' AS same, m.id FROM ${keys} CROSS JOIN LATERAL (SELECT min(c.id + 0) AS id FROM contact c WHERE c.client_id = $1 AND NOT c.retired AND ${where}) m WHERE m.id IS NOT NULL`

const SQL = [
  lookup(
    'number',
    'unnest($2::int[], $3::text[]) AS k(n, key)',
    "c.company_number <> '' AND upper(c.company_number) = upper(k.key)",
  ),
  lookup(
    'phone',
    'unnest($4::int[], $5::text[]) AS k(n, key)',
    "phone_key(c.phone) <> '' AND phone_key(c.phone) = k.key",
  ),
  lookup(
    'phone',
    'unnest($4::int[], $5::text[]) AS k(n, key)',
    "phone_key(c.mobile) <> '' AND phone_key(c.mobile) = k.key",
  ),
  lookup('email', 'unnest($6::int[], $7::text[]) AS k(n, key)', "c.email <> '' AND lower(c.email) = lower(k.key)"),
  lookup(
    'company',
    'unnest($8::int[], $9::text[], $10::text[]) AS k(n, key, postcode)',
    "lower(c.company_name) = lower(k.key) AND upper(replace(coalesce(c.postcode, ''), ' ', '')) = k.postcode",
  ),
].join(' UNION ALL ')

const SUREST = Object.keys(SAME)

/**
 * The tenant's leads that rows of a file repeat, by the row's place in the list: one question for the whole list. Asked as
 * the system, since the indexes behind it can't be used through row-level security; the text names the tenant.
 */
export async function findMatches(db: Db, clientId: number, rows: readonly Keys[]): Promise<Map<number, Match>> {
  const numbers: [number, string][] = []
  const phones: [number, string][] = []
  const emails: [number, string][] = []
  const companies: [number, string, string][] = []
  rows.forEach((k, n) => {
    if (k.number) numbers.push([n, k.number])
    for (const p of k.phones) phones.push([n, p])
    if (k.email) emails.push([n, k.email])
    if (k.company) companies.push([n, ...k.company])
  })
  const found = await db.tx('system', (tx) =>
    tx.rows<{ n: number; same: Same; id: number }>(SQL, [
      clientId,
      ...[numbers, phones, emails].flatMap((list) => [list.map((k) => k[0]), list.map((k) => k[1])]),
      companies.map((k) => k[0]),
      companies.map((k) => k[1]),
      companies.map((k) => k[2]),
    ]),
  )
  const best = new Map<number, Match>()
  for (const { n, same, id } of found) {
    const known = best.get(n)
    if (!known || SUREST.indexOf(same) < SUREST.indexOf(known.same)) best.set(n, { same, id })
  }
  return best
}
