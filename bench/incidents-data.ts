import pg from 'pg'
import { BENCH_USER, buildDatabaseUrl, createBenchUser, createCli } from './systems.ts'

/*
 * Incidents for benchmarks: three of four are reported by one of 40 sites, one in five is a near miss, one in fifty is
 * deleted, and four of five have one injured party, every tenth of them with an absence. They happened over two years.
 * Some clients have 20 000 incidents each, and the others share the rest.
 */
const CLIENTS = 5000
const LARGE_INCIDENTS = 20_000
/** Client with few incidents. */
export const SMALL_CLIENT_ID = 17
/** Users of both the small and the large clients. Only the second reads health details. */
export const INCIDENTS_BENCH_USER = { username: 'book', password: BENCH_USER.password }
export const HEALTH_BENCH_USER = { username: 'health', password: BENCH_USER.password }
export const INCIDENTS_POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]

/** Returns the number of incidents, and the IDs of the clients with 20 000 each. */
export const chooseIncidentCounts = (quick: boolean) =>
  quick ? { incidents: 100_000, large: [4998] } : { incidents: 1_000_000, large: [4996, 4997, 4998] }
type Size = ReturnType<typeof chooseIncidentCounts>

const HASH = `CREATE FUNCTION h(i int, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashint8extended(i, salt) & 2147483647 $$`

const FILL = `INSERT INTO incident_report (client_id, number, near_miss, description, happened_at, incident_type_id, site_id, department_id, internal_location, city, reported_by,
    sub_activity, state, retired, retire_reason, riddor_outcome, riddor_decision, author, created_at, reported_at, updated_at)
  SELECT client, 'INC-' || lpad(i::text, 7, '0'), h(i, 2) % 5 = 0,
    w[1 + h(i, 3) % cardinality(w)] || ' ' || t[1 + h(i, 4) % cardinality(t)] || ' ' || substr(md5(i::text), 1, 4) || repeat('. It was wet and the light was bad', (h(i, 8) % 6)::int),
    at, 1 + h(i, 5) % 31, CASE WHEN h(i, 6) % 4 > 0 AND s.big THEN client * 100 + h(i, 7) % 40 END, CASE WHEN h(i, 9) % 2 = 0 AND s.big THEN client * 100 + h(i, 10) % 20 END,
    'Bay ' || h(i, 11) % 30, 'Leeds', 'Ann Carter', 'Mixing', (ARRAY['reported', 'investigating', 'closed'])[1 + h(i, 12) % 3], h(i, 13) % 50 = 0, CASE WHEN h(i, 13) % 50 = 0 THEN 'Entered twice' ELSE '' END,
    'notReportable', CASE WHEN h(i, 14) % 20 = 0 THEN 'reportable' ELSE 'not reportable' END, 'person' || h(i, 15) % 40, at, at, at
  FROM (SELECT i, i <= cardinality($2::int[]) * ${LARGE_INCIDENTS} AS big,
      CASE WHEN i <= cardinality($2::int[]) * ${LARGE_INCIDENTS} THEN ($2::int[])[1 + i % cardinality($2::int[])] ELSE (1 + h(i, 1) % ${CLIENTS - 10})::int END AS client,
      date_trunc('hour', now()) - make_interval(mins => (h(i, 16) % 1051200)::int) AS at FROM generate_series(1, $1::int) i) s,
    (SELECT string_to_array('Slipped Tripped Cut Burnt Bruised Crushed Fell Strained Dropped Collided', ' ') w,
            string_to_array('ladder scaffold mixer doorway pallet stairs', ' ') t) x`

const PEOPLE = `INSERT INTO incident_person (client_id, report_id, detailed, name, job_class_id, incident_type_id, main_factor_id, injury_sustained_id, severity_id, body_part_id, description, absences)
  SELECT r.client_id, r.id, true, 'Person ' || h(r.id::int, 20) % 5000, 1, 1 + h(r.id::int, 21) % 16, 1 + h(r.id::int, 22) % 25, 1, 7, 2 + h(r.id::int, 23) % 23, 'Cut',
    CASE WHEN h(r.id::int, 24) % 10 = 0 THEN jsonb_build_array(jsonb_build_object('from', (r.happened_at::date + 1)::text, 'until', (r.happened_at::date + 1 + (h(r.id::int, 25) % 12)::int)::text)) END
  FROM incident_report r WHERE NOT r.near_miss`

async function fill(client: pg.Client, { incidents, large }: Size): Promise<void> {
  await client.query(HASH)
  await client.query(`INSERT INTO client (id, company) SELECT i, 'Client ' || i FROM generate_series(1, ${CLIENTS}) i`)
  for (const id of large) {
    await client.query(
      `INSERT INTO incident_site (client_id, id, name) SELECT $1::int, $1::int * 100 + i, 'Site ' || i FROM generate_series(0, 39) i`,
      [id],
    )
    await client.query(
      `INSERT INTO incident_department (client_id, id, name) SELECT $1::int, $1::int * 100 + i, 'Department ' || i FROM generate_series(0, 19) i`,
      [id],
    )
    await client.query(
      `INSERT INTO incident_workforce_month (client_id, month, hours, headcount) SELECT $1::int, date_trunc('month', now())::date - make_interval(months => i), 40000, 250 FROM generate_series(1, 60) i`,
      [id],
    )
  }
  // Drops the indexes and rebuilds them afterwards. Updating them row by row would take minutes.
  const indexes = await client.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
     WHERE indrelid IN ('incident_report'::regclass, 'incident_person'::regclass) AND NOT indisunique`,
  )
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await client.query('SET synchronous_commit = off; SET session_replication_role = replica')
  await client.query(FILL, [incidents, large])
  await client.query(PEOPLE)
  await client.query('SET session_replication_role = DEFAULT')
  for (const { text } of indexes.rows) await client.query(text)
  for (const [{ username }, roles] of [
    [INCIDENTS_BENCH_USER, '{ROLE_CLIENT_ADMIN}'],
    [HEALTH_BENCH_USER, '{ROLE_CLIENT_ADMIN,ROLE_INCIDENT_READER}'],
  ] as const)
    await client.query(
      `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) SELECT c, $3, $3, $4::text[] FROM unnest($1::int[]) c RETURNING client_id, id)
       INSERT INTO credential (client_id, user_id, hash) SELECT u.client_id, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.username = $2`,
      [[SMALL_CLIENT_ID, ...large], BENCH_USER.username, username, roles],
    )
  await client.query('VACUUM ANALYZE')
}

/** Creates a database with the migrations, and fills it with incidents and users. Returns its URL. */
export async function createIncidentsDatabase(server: string, tree: string, size: Size): Promise<string> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query('CREATE DATABASE bench_incidents')
  await admin.end()
  const database = buildDatabaseUrl(server, 'bench_incidents')
  const cli = createCli(tree)
  await cli(database, 'migrate')
  await createBenchUser(database, cli)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await fill(client, size)
  await client.end()
  return database
}
