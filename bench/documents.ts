import pg from 'pg'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { cli, start, USER, within } from './systems.ts'

/*
 * Controlled documents: what a page of 30 with its total, and a search, cost through the portal against the query that anybody
 * would write, on the same PostgreSQL, in the same run. Prints ratios; asserts nothing.
 * `node bench/documents.ts --quick` takes 100 000 documents instead of 1 000 000.
 */
const quick = process.argv.includes('--quick')
const DOCUMENTS = quick ? 100_000 : 1_000_000
const CLIENTS = 5000
/** These clients have 20 000 documents each; the others share the rest. */
const LARGE = quick ? [4998] : [4996, 4997, 4998]
const LARGE_DOCUMENTS = 20_000
const SMALL = 17
const SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]
const TIMES = 500
/** So many first ones are not counted: the server is still warming up. */
const WARM = 200

const HASH = `CREATE FUNCTION h(i int, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashint8extended(i, salt) & 2147483647 $$`
/** Nine of ten are risk assessments; a twentieth is retired, half are current; the first hundred are the provider's templates. */
const FILL = `INSERT INTO document (client_id, kind, number, title, state, complete, approved, current, retired, content, author, created_at, updated_at)
  SELECT client, CASE WHEN h(i, 2) % 10 = 0 THEN 'coshh_assessment' ELSE 'risk_assessment' END, 'RA-' || lpad(i::text, 7, '0'),
    w[1 + h(i, 3) % cardinality(w)] || ' ' || t[1 + h(i, 4) % cardinality(t)] || ' ' || substr(md5(i::text), 1, 4),
    CASE WHEN h(i, 5) % 2 = 0 THEN 'current' ELSE 'complete' END, true, h(i, 5) % 2 = 0, h(i, 5) % 2 = 0 AND h(i, 6) % 20 > 0, h(i, 6) % 20 = 0,
    jsonb_build_object('location', 'Site ' || h(i, 7) % 1000, 'reviewReason', repeat('What was found on the day. ', (h(i, 8) % 12)::int)),
    'person' || h(i, 9) % 40, timestamptz '2025-01-01' + make_interval(mins => (h(i, 10) % 800000)::int), timestamptz '2025-01-01' + make_interval(mins => (h(i, 10) % 800000)::int)
  FROM (SELECT i, CASE WHEN i <= 100 THEN 0 WHEN i <= 100 + cardinality($2::int[]) * ${LARGE_DOCUMENTS} THEN ($2::int[])[1 + i % cardinality($2::int[])] ELSE (1 + h(i, 1) % ${CLIENTS - 10})::int END AS client FROM generate_series(1, $1::int) i) s,
    (SELECT string_to_array('Roofing Scaffold Asbestos Excavation Lifting Welding Painting Demolition Electrical Plumbing', ' ') w,
            string_to_array('survey works repairs access inspection maintenance', ' ') t) x`

/** The query that anybody would write for the same page: the client's own and the provider's templates, newest first. */
const ROWS = `FROM document WHERE kind = 'risk_assessment' AND NOT retired`
const rawPage = (client: number, word?: string) => {
  const like = word ? ' AND search_text LIKE $2' : ''
  const one = (of: string) => `(SELECT * ${ROWS} AND client_id = ${of}${like} ORDER BY id DESC LIMIT 30)`
  return {
    page: `SELECT * FROM (${one('$1')} UNION ALL ${one('0')}) d ORDER BY id DESC LIMIT 30`,
    count: `SELECT count(*) ${ROWS} AND client_id IN ($1, 0)${like}`,
    values: word ? [client, `%${word}%`] : [client],
  }
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const began = performance.now()
    await work()
    if (n >= WARM) times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1] as number
}

async function fill(client: pg.Client): Promise<void> {
  await client.query(HASH)
  await client.query(`INSERT INTO client (id, company) SELECT i, 'Client ' || i FROM generate_series(1, ${CLIENTS}) i`)
  // Made anew afterwards: row by row, the words of a million titles take minutes.
  const indexes = await client.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = 'document'::regclass AND NOT indisunique`,
  )
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await client.query('SET synchronous_commit = off')
  await client.query(FILL, [DOCUMENTS, LARGE])
  for (const { text } of indexes.rows) await client.query(text)
  await client.query(
    `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) SELECT c, 'docs', 'Docs', '{ROLE_CLIENT_ADMIN}' FROM unnest($1::int[]) c RETURNING client_id, id)
     INSERT INTO credential (client_id, user_id, hash) SELECT u.client_id, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.username = $2`,
    [[SMALL, ...LARGE], USER.username],
  )
  await client.query('VACUUM ANALYZE')
}

async function compare(database: string, client: pg.Client): Promise<void> {
  const ours = await start('ours', database)
  try {
    console.log(
      `\n| documents, of ${DOCUMENTS.toLocaleString('en-GB')} | query alone, ms | ours, ms | ours ÷ query |\n|---|---|---|---|`,
    )
    for (const [whose, id] of [
      ['a small client', SMALL],
      ['a client with 20 000', LARGE.at(-1) as number],
    ] as const) {
      const signedIn = await fetch(`${ours.base}/api/security/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'docs', password: USER.password, client: id }),
      })
      const { token } = (await signedIn.json()) as { token: string }
      for (const [what, word] of [
        ['the list', undefined],
        ['a rare word', '7a3'],
        ['a common word', 'roofing'],
      ] as const) {
        const path = `/api/safety/risk_assessments?retired=false${word ? `&q=${word}` : ''}`
        const over = async () => {
          const answer = await fetch(ours.base + path, { headers: { authorization: `Bearer ${token}` } })
          if (!answer.ok) throw new Error(await answer.text())
          return (await answer.json()) as { 'hydra:totalItems': number; 'hydra:member': unknown[] }
        }
        const raw = rawPage(id, word)
        const name = `raw${word ? 'search' : 'list'}`
        const alone = async () => {
          const { values } = raw
          const page = await client.query({ name: `${name}page`, text: raw.page, values })
          const count = await client.query({ name: `${name}count`, text: raw.count, values })
          return { rows: page.rows.length, total: Number(count.rows[0].count) }
        }
        const [mine, plain] = [await over(), await alone()]
        if (mine['hydra:totalItems'] !== plain.total || mine['hydra:member'].length !== plain.rows)
          throw new Error(`${path}: ${mine['hydra:totalItems']} by us, ${plain.total} by the query`)
        const [query, portal] = [await median(alone), await median(over)]
        console.log(
          `| ${whose}, ${what} (${plain.total}) | ${query.toFixed(2)} | ${portal.toFixed(2)} | **${(portal / query).toFixed(2)}** |`,
        )
      }
    }
  } finally {
    await ours.stop()
  }
}

const postgres = await throwawayPostgres(SETTINGS)
if (!postgres) {
  console.log('No PostgreSQL server programs could be had; the figures need a real server.')
  process.exit(1)
}
try {
  console.log(`Making ${DOCUMENTS.toLocaleString('en-GB')} documents in ${CLIENTS.toLocaleString('en-GB')} clients …`)
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query('CREATE DATABASE bench_documents')
  await admin.end()
  const database = within(postgres.url, 'bench_documents')
  await cli(database, 'migrate')
  const given = ['--username', USER.username, '--roles', 'ROLE_STAFF', '--password', USER.password]
  await cli(database, 'user', 'create', ...given)
  const client = new pg.Client({ connectionString: database })
  // Where a run fails, the server goes first; what failed is told, not that.
  client.on('error', () => {})
  await client.connect()
  await fill(client)
  await compare(database, client)
  await client.end()
} finally {
  await postgres.stop()
}
