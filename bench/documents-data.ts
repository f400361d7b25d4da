import pg from 'pg'
import { BENCH_USER, buildDatabaseUrl, createBenchUser, createCli } from './systems.ts'

/*
 * Documents for benchmarks. Nine out of ten are risk assessments, one in twenty is retired, and half are current. The
 * first hundred are the provider's templates. Some clients have 20 000 documents each, and the others share the rest.
 */
const CLIENTS = 5000
const LARGE_DOCUMENTS = 20_000
/** Client with few documents. */
export const SMALL_CLIENT_ID = 17
/** User who signs in to both the small and the large clients. */
export const DOCUMENTS_BENCH_USER = { username: 'docs', password: BENCH_USER.password }
export const DOCUMENTS_POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]

/** Returns the number of documents, and the IDs of the clients with 20 000 each. */
export const chooseDocumentCounts = (quick: boolean) =>
  quick ? { documents: 100_000, large: [4998] } : { documents: 1_000_000, large: [4996, 4997, 4998] }
type Size = ReturnType<typeof chooseDocumentCounts>

const HASH = `CREATE FUNCTION h(i int, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashint8extended(i, salt) & 2147483647 $$`
const FILL = `INSERT INTO document (client_id, kind, number, title, state, complete, approved, current, retired, content, author, created_at, updated_at)
  SELECT client, CASE WHEN h(i, 2) % 10 = 0 THEN 'coshh_assessment' ELSE 'risk_assessment' END, 'RA-' || lpad(i::text, 7, '0'),
    w[1 + h(i, 3) % cardinality(w)] || ' ' || t[1 + h(i, 4) % cardinality(t)] || ' ' || substr(md5(i::text), 1, 4),
    CASE WHEN h(i, 5) % 2 = 0 THEN 'current' ELSE 'complete' END, true, h(i, 5) % 2 = 0, h(i, 5) % 2 = 0 AND h(i, 6) % 20 > 0, h(i, 6) % 20 = 0,
    jsonb_build_object('location', 'Site ' || h(i, 7) % 1000, 'reviewReason', repeat('What was found on the day. ', (h(i, 8) % 12)::int)),
    'person' || h(i, 9) % 40, timestamptz '2025-01-01' + make_interval(mins => (h(i, 10) % 800000)::int), timestamptz '2025-01-01' + make_interval(mins => (h(i, 10) % 800000)::int)
  FROM (SELECT i, CASE WHEN i <= 100 THEN 0 WHEN i <= 100 + cardinality($2::int[]) * ${LARGE_DOCUMENTS} THEN ($2::int[])[1 + i % cardinality($2::int[])] ELSE (1 + h(i, 1) % ${CLIENTS - 10})::int END AS client FROM generate_series(1, $1::int) i) s,
    (SELECT string_to_array('Roofing Scaffold Asbestos Excavation Lifting Welding Painting Demolition Electrical Plumbing', ' ') w,
            string_to_array('survey works repairs access inspection maintenance', ' ') t) x`

/**
 * Words of the documents, as triggers enter them: those of number and title, and an answer of about fifty words. `w0` is in
 * nearly every answer, `w4999` in few.
 */
const WORDS = [
  `CREATE TEMP TABLE answer AS SELECT b, string_agg(format('''w%s'':3C', x), ' ') AS lexemes, string_agg('w' || x, ' ') AS words
   FROM generate_series(1, 20000) b, LATERAL (SELECT DISTINCT (5000 * power((h(b, 100 + k) % 10000) / 10000.0, 3))::int AS x FROM generate_series(1, 60) k) w GROUP BY b`,
  `INSERT INTO document_words (client_id, document_id, words, fields, parts)
   SELECT d.client_id, d.id, (a.lexemes || format(' ''ra'':1A ''%s'':1A ', ltrim(substr(d.number, 4), '0')) || t.lexemes)::tsvector, '{number,title,equipment}', ARRAY[d.number, d.title, a.words]
   FROM document d JOIN answer a ON a.b = 1 + h(d.id::int, 11) % 20000,
     LATERAL (SELECT string_agg(format('''%s'':2A ''%s'':2A', w, word_stem(w)), ' ') AS lexemes FROM regexp_split_to_table(lower(d.title), ' ') w) t
   ON CONFLICT DO NOTHING`,
]

async function fill(client: pg.Client, { documents, large }: Size): Promise<void> {
  await client.query(HASH)
  await client.query(`INSERT INTO client (id, company) SELECT i, 'Client ' || i FROM generate_series(1, ${CLIENTS}) i`)
  // Drops the indexes and rebuilds them afterwards. Updating them row by row would take minutes for the words of a
  // million titles.
  const indexes = await client.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid IN ('document'::regclass, 'document_words'::regclass) AND NOT indisunique`,
  )
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await client.query('SET synchronous_commit = off; SET session_replication_role = replica')
  await client.query(FILL, [documents, large])
  for (const text of WORDS) await client.query(text)
  await client.query('SET session_replication_role = DEFAULT')
  for (const { text } of indexes.rows) await client.query(text)
  await client.query(
    `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) SELECT c, $3, 'Docs', '{ROLE_CLIENT_ADMIN}' FROM unnest($1::int[]) c RETURNING client_id, id)
     INSERT INTO credential (client_id, user_id, hash) SELECT u.client_id, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.username = $2`,
    [[SMALL_CLIENT_ID, ...large], BENCH_USER.username, DOCUMENTS_BENCH_USER.username],
  )
  await client.query('VACUUM ANALYZE')
}

/**
 * Creates a database on a server with the migrations of a source tree, and fills it with documents and users. Returns
 * its URL.
 */
export async function createDocumentsDatabase(server: string, tree: string, size: Size): Promise<string> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query('CREATE DATABASE bench_documents')
  await admin.end()
  const database = buildDatabaseUrl(server, 'bench_documents')
  const cli = createCli(tree)
  await cli(database, 'migrate')
  await createBenchUser(database, cli)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await fill(client, size)
  await client.end()
  return database
}
