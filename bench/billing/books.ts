import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startTemporaryPostgres } from '../../scripts/postgres.mjs'
import { CALL_CENTRE_POSTGRES_SETTINGS, type SignedInBenchUser } from '../floor/floor.ts'
import {
  BENCH_USER,
  type BenchSystem,
  buildDatabaseUrl,
  createBenchUser,
  runCli,
  signInToClient,
  start,
} from '../systems.ts'

/** Client that issues the invoices. Its customer `REGULAR_CUSTOMER_ID` has a long account history. */
export const SELLER_CLIENT_ID = 12
export const REGULAR_CUSTOMER_ID = 1

/**
 * Benchmark of one client's billing: the portal's server, a user with the finance role, and a separate connection to
 * the server's database.
 */
export interface BillingBench {
  readonly system: BenchSystem
  readonly database: string
  readonly finance: SignedInBenchUser
  readonly beside: pg.Pool
}

export interface BillingBenchSizes {
  readonly subscriptions: number
  /** Number of ledger transactions, each with three entries. The first `ofRegular` of them belong to one customer. */
  readonly movements: number
  readonly ofRegular: number
  /** Number of open invoices, each with one line, in the quarter that ends on 30 September 2025. */
  readonly invoices?: number
  /** Number of items in the first subscription, which is not due. */
  readonly items: number
}

/** Customers have no e-mail address, so that invoicing is measured without printing. */
const FILL = [
  `INSERT INTO client (id, company, address1, city, postcode, vat_number) VALUES (${SELLER_CLIENT_ID}, 'The seller', '14 Wharf Street', 'Leeds', 'LS1 1AA', 'GB 123 4567 82')`,
  `WITH u AS (INSERT INTO user_account (client_id, username, name, roles) VALUES (${SELLER_CLIENT_ID}, 'finance', 'Fin', '{ROLE_STAFF,ROLE_FINANCE,ROLE_BILLING_ADMIN}') RETURNING id)
   INSERT INTO credential (client_id, user_id, hash) SELECT ${SELLER_CLIENT_ID}, u.id, c.hash FROM u, credential c JOIN user_account b ON b.client_id = c.client_id AND b.id = c.user_id WHERE b.username = '${BENCH_USER.username}'`,
  `INSERT INTO tax_rate (client_id, name, percent, code) VALUES (${SELLER_CLIENT_ID}, 'Standard', 20, 'standard')`,
  `INSERT INTO app_status (client_id, product_id) SELECT ${SELLER_CLIENT_ID}, id FROM pack_product WHERE code = 'invoicing'`,
  `INSERT INTO product (client_id, id, name) VALUES (${SELLER_CLIENT_ID}, 1, 'Safety pack')`,
  `INSERT INTO plan (client_id, id, product_id, name, amount) SELECT ${SELLER_CLIENT_ID}, i, 1, 'Plan ' || i, 1000 + 37 * i FROM generate_series(1, 40) i`,
]
const CUSTOMERS = `INSERT INTO customer (client_id, id, email, metadata, billing_name, address1, city, postcode)
  SELECT ${SELLER_CLIENT_ID}, i, 'none', jsonb_build_object('company_name', 'Buyer ' || i || ' Ltd'), 'Buyer ' || i || ' Ltd', '1 High Street', 'York', 'YO1 1AA' FROM generate_series(1, $1::int) i`
/**
 * Subscriptions that started last month and are not due yet. If they were due, the server's own schedule would invoice
 * them.
 */
const SUBSCRIPTIONS = `INSERT INTO subscription (client_id, id, customer_id, company, amount, anchor, started_on, charged_from, current_from, renews_on, charged)
  SELECT ${SELLER_CLIENT_ID}, i, i, 'Buyer ' || i || ' Ltd', 1074, d.first - interval '1 month', d.first - interval '1 month', d.first - interval '1 month',
    d.first, d.first + interval '1 month', true
  FROM generate_series(1, $1::int) i, (SELECT date_trunc('month', now() AT TIME ZONE 'Europe/London') AS first) d`
const ITEMS = `INSERT INTO subscription_item (client_id, subscription_id, plan_id, product_id, description, amount, quantity, first_day)
  SELECT ${SELLER_CLIENT_ID}, s.id, p.id, 1, p.name, p.amount, 2, s.anchor FROM subscription s, generate_series(1, CASE s.id WHEN 1 THEN $1::int ELSE 1 END) n
    JOIN plan p ON p.client_id = ${SELLER_CLIENT_ID} AND p.id = n WHERE s.client_id = ${SELLER_CLIENT_ID}`
const DUE = `UPDATE subscription SET current_from = current_from - interval '1 month', renews_on = renews_on - interval '1 month' WHERE client_id = ${SELLER_CLIENT_ID} AND id > 1`
const MOVEMENTS = `INSERT INTO ledger_transaction (client_id, id, kind, day, description, customer_id, source, source_id)
  SELECT ${SELLER_CLIENT_ID}, i, 'adjustment', date '2025-01-01' + i % 365, 'Movement ' || i, CASE WHEN i <= $2 THEN ${REGULAR_CUSTOMER_ID} ELSE 2 + i % 2000 END, 'Bench', i FROM generate_series(1, $1::int) i`
const ENTRIES = `INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency, customer_id, product_id, tax_code)
  SELECT t.client_id, t.id, t.day, a.account, a.amount, 'GBP', t.customer_id, a.product, a.code FROM ledger_transaction t,
    (VALUES ('receivable', 1200, NULL::bigint, NULL), ('sales', -1000, 1, 'standard'), ('vat', -200, NULL, 'standard')) a (account, amount, product, code) WHERE t.client_id = ${SELLER_CLIENT_ID}`
/** Open invoices of one quarter, due within the months after it, and their postings. */
const INVOICES = `INSERT INTO invoice (client_id, id, number, customer_id, company, state, date, tax_point, due_on, subtotal, net, tax, total, amount_due, supplier, buyer, issued_at)
  SELECT ${SELLER_CLIENT_ID}, i, 'INV-' || i, 1 + i % 2000, 'Buyer ' || 1 + i % 2000 || ' Ltd', 'open', d.day, d.day, d.day + 30, 1000 + i % 977, 1000 + i % 977, 200, 1200 + i % 977, 1200 + i % 977, '{}', '{}', d.day
  FROM generate_series(1, $1::int) i, LATERAL (SELECT date '2025-07-01' + i % 92 AS day) d`
const INVOICE_LINES = `INSERT INTO invoice_line (client_id, id, invoice_id, description, quantity, unit_amount, tax_code, tax_percent, amount, net, tax)
  SELECT client_id, id, id, 'Site visit', 1, net, 'standard', 20, net, net, tax FROM invoice WHERE client_id = ${SELLER_CLIENT_ID}`
const INVOICE_POSTINGS = [
  `INSERT INTO ledger_transaction (client_id, id, kind, day, description, customer_id, source, source_id)
   SELECT client_id, $1::int + id, 'invoice', date, 'Invoice ' || number, customer_id, 'Invoice', id FROM invoice WHERE client_id = ${SELLER_CLIENT_ID}`,
  `INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency, customer_id, invoice_id, tax_code)
   SELECT i.client_id, $1::int + i.id, i.date, a.account, a.amount, 'GBP', i.customer_id, i.id, a.code
   FROM invoice i, LATERAL (VALUES ('receivable', i.total, NULL), ('sales', -i.net, 'standard'), ('vat', -i.tax, 'standard')) a (account, amount, code) WHERE i.client_id = ${SELLER_CLIENT_ID}`,
]
const BALANCES = `UPDATE customer c SET account_balance = s.sum FROM (SELECT customer_id AS id, sum(amount) AS sum FROM ledger_entry
  WHERE client_id = ${SELLER_CLIENT_ID} AND account = 'receivable' GROUP BY 1) s WHERE c.client_id = ${SELLER_CLIENT_ID} AND c.id = s.id`
const SEQUENCES = ['customer', 'subscription', 'ledger_transaction', 'invoice', 'plan', 'product'].map(
  (table) => `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT coalesce(max(id), 1) FROM ${table}))`,
)

const FILLED = `SELECT relid::regclass::text AS name FROM pg_stat_user_tables WHERE pg_relation_size(relid) > 0`

/**
 * Runs `work` on a connection with triggers disabled for speed. It must therefore also write the rows that triggers
 * would. Then vacuums and analyses the filled tables.
 */
async function write(database: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query('SET synchronous_commit = off; SET session_replication_role = replica')
    await work(client)
    // Without ANALYZE, plans would be prepared while the statistics show empty tables, and would scan the full tables.
    const { rows } = await client.query<{ name: string }>(FILLED)
    for (const text of [`VACUUM ANALYZE ${rows.map(({ name }) => name).join(', ')}`, 'CHECKPOINT'])
      await client.query(text)
  } finally {
    await client.end()
  }
}

export const insertBillingData = (database: string, sizes: BillingBenchSizes): Promise<void> =>
  write(database, async (client) => {
    for (const text of FILL) await client.query(text)
    await client.query(CUSTOMERS, [Math.max(sizes.subscriptions, 2002)])
    await client.query(SUBSCRIPTIONS, [sizes.subscriptions])
    await client.query(ITEMS, [sizes.items])
    await client.query(MOVEMENTS, [sizes.movements, sizes.ofRegular])
    await client.query(ENTRIES)
    if (sizes.invoices) {
      await client.query(INVOICES, [sizes.invoices])
      await client.query(INVOICE_LINES)
      for (const text of INVOICE_POSTINGS) await client.query(text, [sizes.movements])
    }
    for (const text of [BALANCES, ...SEQUENCES]) await client.query(text)
  })

const STARTED = `SELECT count(*) FILTER (WHERE state = 'completed') > 0 AND count(*) FILTER (WHERE state <> 'completed') = 0 AS done FROM pgboss.job WHERE name = 'schedules'`

/** Makes all subscriptions except the first due, once the server's schedules have run for the first time. */
export const makeSubscriptionsDue = (database: string): Promise<void> =>
  write(database, async (client) => {
    while (!(await client.query<{ done: boolean }>(STARTED)).rows[0]?.done) await sleep(50)
    await client.query(DUE)
  })

/**
 * Starts a temporary PostgreSQL server with billing data of the given sizes, and the portal's server. Runs `work`, then
 * stops both.
 */
export async function withBillingBench(
  sizes: BillingBenchSizes,
  work: (books: BillingBench) => Promise<void>,
): Promise<void> {
  const postgres = await startTemporaryPostgres(CALL_CENTRE_POSTGRES_SETTINGS)
  try {
    const admin = new pg.Client({ connectionString: postgres.url })
    await admin.connect()
    await admin.query('CREATE DATABASE bench_books')
    await admin.end()
    const database = buildDatabaseUrl(postgres.url, 'bench_books')
    await runCli(database, 'migrate')
    await createBenchUser(database)
    await insertBillingData(database, sizes)
    const beside = new pg.Pool({ connectionString: database, max: 10 })
    // Connections may still be open when the database stops. Their errors are ignored.
    beside.on('connect', (client) => client.on('error', () => {}))
    beside.on('error', () => {})
    const system = await start('ours', database)
    try {
      const headers = await signInToClient(system.base, { ...BENCH_USER, username: 'finance' }, SELLER_CLIENT_ID)
      await work({ system, database, finance: { userId: 0, headers }, beside })
    } finally {
      await system.stop()
    }
  } finally {
    await postgres.stop()
  }
}
