import pg from 'pg'
import { BENCH_USER, buildDatabaseUrl, createBenchUser, createCli } from './systems.ts'

/*
 * Databases with many records for benchmarks: some clients have 20 000 records each, and the others share the rest.
 */
const CLIENTS = 5000
/** Number of clients that share the rest. */
export const SHARING_CLIENTS = CLIENTS - 10
export const LARGE_CLIENT_RECORDS = 20_000
/** Client with few records. */
export const SMALL_CLIENT_ID = 17
export const BULK_POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]

/** Number of records, and the IDs of the clients with 20 000 each. */
export interface BulkSize {
  readonly records: number
  readonly large: readonly number[]
}

export const chooseBulkSize = (quick: boolean): BulkSize =>
  quick ? { records: 100_000, large: [4998] } : { records: 1_000_000, large: [4996, 4997, 4998] }

/** User of both the small and the large clients, with the password of `BENCH_USER`. */
interface BulkUser {
  readonly username: string
  readonly roles: readonly string[]
}

interface BulkData {
  readonly name: string
  /** Tables whose indexes are built after they are filled. Updating the indexes row by row would take minutes. */
  readonly tables: readonly string[]
  readonly users: readonly BulkUser[]
  /** Fills the tables. Runs without triggers and foreign keys; `h(i, salt)` returns a number that seems random. */
  readonly fill: (client: pg.Client) => Promise<void>
}

const HASH = `CREATE FUNCTION h(i int, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashint8extended(i, salt) & 2147483647 $$`

async function fillWithoutIndexes(client: pg.Client, { tables, fill }: BulkData): Promise<void> {
  const indexes = await client.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
     WHERE indrelid = ANY($1::text[]::regclass[]) AND NOT indisunique`,
    [tables],
  )
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await client.query('SET synchronous_commit = off; SET session_replication_role = replica')
  await fill(client)
  await client.query('SET session_replication_role = DEFAULT')
  for (const { text } of indexes.rows) await client.query(text)
}

/**
 * Creates a database on a server with the migrations of a source tree, and fills it. Returns its URL.
 */
export async function createBulkDatabase(
  server: string,
  tree: string,
  { large }: BulkSize,
  data: BulkData,
): Promise<string> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${data.name}`)
  await admin.end()
  const database = buildDatabaseUrl(server, data.name)
  const cli = createCli(tree)
  await cli(database, 'migrate')
  await createBenchUser(database, cli)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(HASH)
  await client.query(`INSERT INTO client (id, company) SELECT i, 'Client ' || i FROM generate_series(1, ${CLIENTS}) i`)
  await fillWithoutIndexes(client, data)
  for (const { username, roles } of data.users)
    await client.query(
      `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) SELECT c, $3, $3, $4::text[] FROM unnest($1::int[]) c RETURNING client_id, id)
       INSERT INTO credential (client_id, user_id, hash) SELECT u.client_id, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.username = $2`,
      [[SMALL_CLIENT_ID, ...large], BENCH_USER.username, username, roles],
    )
  await client.query('VACUUM ANALYZE')
  await client.end()
  return database
}
