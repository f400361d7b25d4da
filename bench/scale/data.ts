import pg from 'pg'
import { BENCH_USER, buildDatabaseUrl, createBenchUser, runCli } from '../systems.ts'

/** A client and its number of leads, which is also its number of documents. */
export interface ClientSize {
  readonly client: number
  readonly rows: number
}
export const SCALE_BENCH_USER = { username: 'scale', password: BENCH_USER.password }

const FUNCTION = `CREATE FUNCTION h(n bigint, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashint8extended(n, salt) & 9223372036854775807 $$`
/**
 * SQL for a company name: a word that is rare at any size, a word that a tenth of the leads share, and a legal form.
 */
const NAME = `initcap(substr(md5($1::int || 'w' || i), 1, 6)) || ' ' || w[1 + h(i, 4) % cardinality(w)] || ' ' || (ARRAY['Ltd','LLP','PLC','& Sons'])[1 + h(i, 5) % 4]`
const COMPANY_NAME_WORDS = `(SELECT ARRAY['Plumbing','Electrical','Foods','Joinery','Transport','Logistics','Design','Motors','Roofing','Energy'] AS w) x`
const LEADS = `INSERT INTO contact (client_id, company_name, phone, callback_date, last_result_id, category)
  SELECT $1, ${NAME}, '01632' || i, timestamptz '2026-01-01' + make_interval(mins => (h(i, 3) % 900000)::int), 47, 'CB' FROM generate_series(1, $2::int) i, ${COMPANY_NAME_WORDS}`
const DOCUMENTS = `INSERT INTO document (client_id, kind, number, title, state, complete, approved, current, content, author, created_at, updated_at)
  SELECT $1, 'risk_assessment', 'RA-' || i, ${NAME}, CASE WHEN current THEN 'current' ELSE 'complete' END, true, current, current, '{}', 'scale', at, at
  FROM (SELECT i, h(i, 6) % 2 = 0 AS current, timestamptz '2025-01-01' + make_interval(mins => (h(i, 7) % 800000)::int) AS at FROM generate_series(1, $2::int) i) s, ${COMPANY_NAME_WORDS}`
/** Inserts the search and count rows that triggers would have written with the leads. */
const BESIDE = [
  `INSERT INTO contact_search SELECT client_id, id, lower(company_name), contact_search_text(company_name, name, email, company_number, city, postcode, phone, mobile) FROM contact`,
  `INSERT INTO contact_count (client_id, owner_id, category, ir35, n) SELECT client_id, 0, category, ir35, count(*) FROM contact GROUP BY client_id, category, ir35`,
]

/** Creates a database with clients of the given sizes, each with a user. Returns its URL. */
export async function createScaleDatabase(server: string, sizes: readonly ClientSize[]): Promise<string> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query('CREATE DATABASE bench_scale')
  await admin.end()
  const database = buildDatabaseUrl(server, 'bench_scale')
  await runCli(database, 'migrate')
  await createBenchUser(database)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query(FUNCTION)
    // Drops the indexes and rebuilds them afterwards. Updating them row by row would take minutes for the words of a
    // million names.
    const indexes = await client.query<{ name: string; text: string }>(
      `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid IN ('document'::regclass, 'contact_search'::regclass) AND NOT indisunique`,
    )
    for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
    await client.query('SET synchronous_commit = off; SET session_replication_role = replica')
    for (const { client: id, rows } of sizes) {
      await client.query(`INSERT INTO client (id, company) VALUES ($1, 'Client ' || $1::int)`, [id])
      await client.query(
        'INSERT INTO app_status (client_id, product_id) SELECT $1, id FROM pack_product WHERE begins AND NOT retired',
        [id],
      )
      for (const text of [LEADS, DOCUMENTS]) await client.query(text, [id, rows])
      await client.query(
        `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) VALUES ($1, $2, 'Scale', '{ROLE_STAFF,ROLE_CLIENT_ADMIN,ROLE_LEADS_ADMIN}') RETURNING id)
         INSERT INTO credential (client_id, user_id, hash) SELECT $1, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.username = $3`,
        [id, SCALE_BENCH_USER.username, BENCH_USER.username],
      )
    }
    for (const text of [...BESIDE, ...indexes.rows.map((index) => index.text)]) await client.query(text)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
  return database
}
