import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createPortalEngine } from '#app/engine.ts'
import { readConfig } from '#server/config.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { CHAIN_START, digestSubject, hashChainLink } from '#server/evidence/link.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { measureEvidencePdf } from './evidence-pdf.ts'
import { insertReferencingDocuments, measureWhereUsed } from './references.ts'
import { measureSealing } from './sealing.ts'
import { createStatementCountingDb, measureSigning } from './signing.ts'
import { buildDatabaseUrl, runCli } from './systems.ts'

/*
 * Benchmark of evidence. It measures the links per second that `portal verify` proves, comparing each with the stored
 * record, and the memory for a short and a long chain of one client. The long chain should take no more memory. It also
 * measures printing a document of forty hazards, finding the uses of a document, saving a signature compared with a bare
 * insert, and what a seal adds to a write. Prints figures and goals; asserts only that genuine evidence is verified as
 * genuine. The benchmark `documents` measures lists. `node bench/evidence.ts --quick` uses a tenth of the data,
 * `--signing` measures only signatures and seals, and `--where-used` measures only the search for uses.
 */
const SIGNING = process.argv.includes('--signing')
const WHERE_USED = process.argv.includes('--where-used')
const RUNS_ALL_PARTS = !SIGNING && !WHERE_USED
const SIZES = !RUNS_ALL_PARTS ? [1000] : process.argv.includes('--quick') ? [2000, 10_000] : [20_000, 100_000]
const REFERENCES = process.argv.includes('--quick') ? 100_000 : 1_000_000
/** Number of signatures per document, in addition to its completion and approval. */
const SIGNATURES = 8
const LINKS = 2 + SIGNATURES
const LINES_PER_DOCUMENT = 10
const BATCH = 100

type Row = Readonly<Record<string, unknown>>
const sealed = (table: string, row: Row, columns: readonly string[]) => ({
  table,
  columns,
  rows: [columns.map((c) => row[c] ?? null)],
})
const own = (row: Row, ...without: string[]) =>
  Object.keys(row)
    .filter((c) => !['client_id', 'search_text', ...without].includes(c))
    .sort()

const STATE = ['id', 'state', 'complete', 'approved', 'current', 'retired', 'approved_by']
const SEALED_COLUMNS = [...STATE, 'number', 'revision', 'title', 'content', 'author', 'kind']

/** Inserts documents with their links, as the portal would. */
async function fill(client: pg.Client, clientId: number, links: number): Promise<void> {
  await client.query("INSERT INTO client (id, company) VALUES ($1, 'Bench')", [clientId])
  let end = CHAIN_START
  for (let made = 0; made < links / LINKS; made += BATCH) {
    const documents = await client.query<{ row: Row }>(
      `INSERT INTO document AS d (client_id, kind, number, title, state, complete, approved, current, content, approved_by, author)
       SELECT $1, 'risk_assessment', 'RA-' || (i + $2::int), 'Roof repairs', 'current', true, true, true, jsonb_build_object('location', 'Site ' || i, 'note', repeat('What was found. ', 20)), 'ada', 'ada'
       FROM generate_series(1, ${BATCH}) i RETURNING to_jsonb(d) AS row`,
      [clientId, made],
    )
    const ids = documents.rows.map(({ row }) => row.id)
    const of = async (sql: string) =>
      Map.groupBy((await client.query<{ row: Row }>(sql, [clientId, ids])).rows, ({ row }) => row.document_id)
    const lines = await of(
      `INSERT INTO risk_item AS r (client_id, document_id, position, hazard_name, description) SELECT $1, d, i, 'Falling', 'From the edge' FROM unnest($2::bigint[]) d, generate_series(0, ${LINES_PER_DOCUMENT - 1}) i RETURNING to_jsonb(r) AS row`,
    )
    const signatures = await of(
      `INSERT INTO signature AS g (client_id, document_id, place, name, method) SELECT $1, d, i, 'Person ' || i, 'typed' FROM unnest($2::bigint[]) d, generate_series(1, ${SIGNATURES}) i RETURNING to_jsonb(g) AS row`,
    )
    const rows: unknown[] = []
    const add = (event: string, subjectId: number, subject: unknown) => {
      const about = {
        form: 2 as const,
        event,
        subjectType: 'Document',
        subjectId,
        at: '2026-01-01T00:00:00Z',
        by: 'ada',
      }
      const link = { ...about, place: end.place + 1, digest: digestSubject(subject), previous: end.hash }
      end = { place: link.place, hash: hashChainLink(link) }
      rows.push({ ...link, subject, hash: end.hash })
      return link.digest
    }
    const marks: string[] = []
    for (const { row } of documents.rows) {
      const id = Number(row.id)
      const all = (lines.get(row.id) ?? []).map((line) => line.row)
      const columns = own(all[0] ?? {}, 'document_id', 'document_number')
      const whole = {
        table: 'risk_item',
        columns,
        rows: all.map((line) => columns.map((c) => line[c] ?? null)),
        whole: true,
      }
      marks.push(add('completed', id, { sealed: [sealed('document', row, SEALED_COLUMNS), whole] }))
      add('approved', id, { sealed: [sealed('document', row, STATE)] })
      for (const { row: hand } of signatures.get(row.id) ?? [])
        add('signed', id, { sealed: [sealed('signature', hand, own(hand, 'document_id'))] })
    }
    await client.query(
      `INSERT INTO seal (client_id, form, place, event, subject_type, subject_id, subject, digest, previous, hash, at, by)
       SELECT $1, form, place, event, "subjectType", "subjectId", subject, digest, previous, hash, at, by
       FROM jsonb_to_recordset($2::jsonb) AS l (form int, place int, event text, "subjectType" text, "subjectId" bigint, subject jsonb, digest text, previous text, hash text, at timestamptz, by text)`,
      [clientId, JSON.stringify(rows)],
    )
    await client.query(
      'UPDATE document d SET seal = m.seal FROM unnest($2::bigint[], $3::text[]) m (id, seal) WHERE d.client_id = $1 AND d.id = m.id',
      [clientId, ids, marks],
    )
  }
}

/** Returns the value of `work`, and the peak memory in megabytes while it runs. */
async function most<T>(work: () => Promise<T>): Promise<{ value: T; megabytes: number }> {
  let megabytes = 0
  const look = () => {
    megabytes = Math.max(megabytes, process.memoryUsage().rss / 1e6)
  }
  const timer = setInterval(look, 20)
  try {
    const value = await work()
    look()
    return { value, megabytes }
  } finally {
    clearInterval(timer)
  }
}

if (RUNS_ALL_PARTS) await measureEvidencePdf()
const postgres = await startTemporaryPostgres(['shared_buffers=512MB', 'max_wal_size=4GB'])
const folder = mkdtempSync(join(tmpdir(), 'stanchion-bench-'))
try {
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query('CREATE DATABASE bench_evidence')
  await admin.end()
  const database = buildDatabaseUrl(postgres.url, 'bench_evidence')
  await runCli(database, 'migrate')
  const client = new pg.Client({ connectionString: database })
  // If a run fails, the server stops first. The resulting connection error must not hide the original error.
  client.on('error', () => {})
  await client.connect()
  for (const [n, size] of SIZES.entries()) {
    console.log(`Creating a chain with ${size.toLocaleString('en-GB')} links …`)
    await fill(client, 900 + n, size)
  }
  if (!SIGNING) {
    console.log(`Creating ${REFERENCES.toLocaleString('en-GB')} references …`)
    await insertReferencingDocuments(client, 910, REFERENCES)
  }
  await client.query('VACUUM ANALYZE')
  await client.end()
  const sent = { statements: 0, journeys: 0 }
  const db = createStatementCountingDb(connectToDbServer(database, 4), sent)
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: database })
  const engine = createPortalEngine(db, config)
  if (RUNS_ALL_PARTS) {
    console.log(
      '\n| verified links, one client | seconds | links per second | goal | peak memory, MB |\n|---|---|---|---|---|',
    )
    for (const [n, size] of SIZES.entries()) {
      const began = performance.now()
      const { value, megabytes } = await most(() => verifyEvidence(engine, 900 + n))
      const seconds = (performance.now() - began) / 1000
      if (value.links !== size || value.broken.length)
        throw new Error(`The verification found ${value.links} links, ${value.broken[0] ?? 'none broken'}`)
      console.log(
        `| ${size.toLocaleString('en-GB')} | ${seconds.toFixed(1)} | **${Math.round(size / seconds).toLocaleString('en-GB')}** | ≥ 2,000 | ${megabytes.toFixed(0)} |`,
      )
    }
  }
  if (!SIGNING) await measureWhereUsed(engine, 910, REFERENCES)
  if (!WHERE_USED) {
    await measureSigning(db, sent, engine, 900)
    await measureSealing(db, config, 900)
  }
  await db.close()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}
