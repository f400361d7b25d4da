import pg from 'pg'
import type { Resource } from '#kernel/resource.ts'
import { coshhAssessment } from '#modules/safety/coshh/coshh-assessment.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { type ListQuery, listQuery } from '#server/data/queries.ts'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { BULK_POSTGRES_SETTINGS, chooseBulkSize, SMALL_CLIENT_ID } from './bulk-data.ts'
import { createDocumentsDatabase, DOCUMENTS_BENCH_USER } from './documents-data.ts'
import { findSubstanceId, insertSubstances, RAW_SUBSTANCE_QUERIES } from './documents-substances.ts'
import { measurePackPdf } from './pack.ts'
import { PROJECT_ROOT, signInToClient, start } from './systems.ts'

/*
 * Benchmark of controlled documents. Compares the portal with plain queries, for a page of 30 documents with its total
 * and for a search, on the same PostgreSQL server in the same run. Prints ratios and asserts nothing. `node
 * bench/documents.ts --quick` uses 100 000 documents instead of 1 000 000, `--pack` only prints a pack of sixty pages,
 * `--list` measures only lists and searches, and `--coshh` only COSHH assessments by substance.
 */
const size = chooseBulkSize(process.argv.includes('--quick'))
const TIMES = 500
/** Number of warm-up requests, which are not timed. */
const WARM = 200

/**
 * Returns the plain queries for the same page and its total: the client's own documents and the provider's current
 * templates, newest first. With a word, the plain full-text queries, best first.
 */
const ROWS = `FROM document WHERE kind = 'risk_assessment' AND NOT retired`
const rawPage = (client: number) => {
  const one = (of: string) => `(SELECT * ${ROWS} AND ${of} ORDER BY id DESC LIMIT 30)`
  return {
    page: `SELECT * FROM (${one('client_id = $1')} UNION ALL ${one('client_id = 0 AND current')}) d ORDER BY id DESC LIMIT 30`,
    count: `SELECT count(*) ${ROWS} AND (client_id = $1 OR client_id = 0 AND current)`,
    values: [client],
  }
}
const rawSearch = (client: number, word: string) => {
  const found = `FROM document_words s JOIN document d ON d.client_id = s.client_id AND d.id = s.document_id
    WHERE s.words @@ words_query($2, true) AND s.client_id IN ($1, 0) AND (d.client_id = $1 OR d.current) AND d.kind = 'risk_assessment' AND NOT d.retired`
  const headline = "ts_headline('simple', array_to_string(s.parts, ' '), words_query($2, false))"
  return {
    page: `SELECT f.*, ${headline} FROM (SELECT d.*, ts_rank(s.words, words_query($2, false)) AS rank ${found} ORDER BY rank DESC, d.id DESC LIMIT 30) f
      JOIN document_words s ON s.client_id = f.client_id AND s.document_id = f.id ORDER BY f.rank DESC, f.id DESC`,
    count: `SELECT count(*) ${found}`,
    values: [client, word],
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

/** A client's request, and the equivalent plain query. */
interface BenchmarkRequest {
  readonly label: string
  readonly path: string
  readonly raw: { readonly page: string; readonly count: string; readonly values: readonly unknown[] }
  /** First part of the names of the two prepared statements. */
  readonly name: string
  /** The portal's two statements, for measuring them without the rest of the server. */
  readonly made?: ListQuery
}

type Portal = Awaited<ReturnType<typeof start>>
type Headers = Awaited<ReturnType<typeof signInToClient>>

async function over({ base }: Portal, headers: Headers, path: string) {
  const answer = await fetch(base + path, { headers })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as { 'hydra:totalItems': number; 'hydra:member': unknown[] }
}

/**
 * Prints a line with the times of the plain query, of the portal's statements (if given) and of the portal, and their
 * ratios. Throws if the portal and the plain query find different numbers of rows.
 */
async function beside(
  ours: Portal,
  headers: Headers,
  client: pg.Client,
  { label, path, raw, name, made }: BenchmarkRequest,
) {
  const alone = async () => {
    const values = [...raw.values]
    const page = await client.query({ name: `${name}page`, text: raw.page, values })
    const count = await client.query({ name: `${name}count`, text: raw.count, values })
    return { rows: page.rows.length, total: Number(count.rows[0].count) }
  }
  const [mine, plain] = [await over(ours, headers, path), await alone()]
  if (mine['hydra:totalItems'] !== plain.total || mine['hydra:member'].length !== plain.rows)
    throw new Error(`${path}: the portal counts ${mine['hydra:totalItems']}, but the plain query counts ${plain.total}`)
  const [query, portal] = [await median(alone), await median(() => over(ours, headers, path))]
  const bare = made && (await median(() => statements(client, made, `${name}${label}`)))
  const itself = bare === undefined ? '' : ` ${bare.toFixed(2)} | **${(bare / query).toFixed(2)}** |`
  console.log(
    `| ${label} (${plain.total}) | ${query.toFixed(2)} |${itself} ${portal.toFixed(2)} | **${(portal / query).toFixed(2)}** |`,
  )
}

/** Runs the portal's statements for the page and its total, as the server does. */
async function statements(client: pg.Client, { page, count }: ListQuery, name: string) {
  await client.query({ name: `${name}p`, text: page.query.text, values: [...page.values] })
  await client.query({ name: `${name}c`, text: count.capped.query.text, values: [...count.capped.values] })
}

const WHOSE = [
  ['a small client', SMALL_CLIENT_ID],
  ['a client with 20 000 documents', size.large.at(-1) as number],
] as const

async function compare(ours: Portal, client: pg.Client): Promise<void> {
  console.log(
    `\n| list of ${size.records.toLocaleString('en-GB')} documents | query alone, ms | our statements, ms | ÷ query (goal: 1.3) | through the portal, ms | ÷ query |\n|---|---|---|---|---|---|`,
  )
  for (const [whose, id] of WHOSE) {
    const headers = await signInToClient(ours.base, DOCUMENTS_BENCH_USER, id)
    for (const [what, word] of [
      ['the list', undefined],
      ['a rare word of titles, unfinished', '7a3'],
      ['a common word of titles', 'roofing'],
      ['a rare word of contents', 'w4211'],
      ['a common word of contents', 'w97'],
      ['a word of a third of all documents', 'w3'],
    ] as const)
      await beside(ours, headers, client, {
        label: `${whose}, ${what}`,
        path: `/api/safety/risk_assessments?retired=false${word ? `&q=${word}` : ''}`,
        raw: word ? rawSearch(id, word) : rawPage(id),
        name: `raw${word ? 'search' : 'list'}`,
        made: listOf(riskAssessment.resource, id, { retired: 'false', ...(word ? { q: word } : {}) }),
      })
  }
}

/** Returns the statements that the list of a type of documents runs for a client's administrator. */
function listOf(of: Resource, clientId: number, query: RequestQuery): ListQuery {
  const who = {
    userId: 0,
    clientId,
    username: DOCUMENTS_BENCH_USER.username,
    name: '',
    roles: ['ROLE_CLIENT_ADMIN'],
    scopes: [],
    packs: { safety: 'active' } as const,
  }
  const made = listQuery(of, who, query, { limit: 30, offset: 0 })
  if (!made) throw new Error('This actor can see no documents.')
  return made
}

/**
 * Compares the portal with plain queries for the COSHH assessments that use a substance. Also measures the search for
 * all documents that a change to the substance affects.
 */
async function compareSubstances(ours: Portal, client: pg.Client): Promise<void> {
  const references = (await insertSubstances(client)).toLocaleString('en-GB')
  console.log(
    `\n| COSHH assessments by substance, ${references} references | query alone, ms | our statements, ms | ÷ query (goal: 2) | through the portal, ms | ÷ query |\n|---|---|---|---|---|---|`,
  )
  const used: string[] = []
  for (const [whose, id] of WHOSE) {
    const headers = await signInToClient(ours.base, DOCUMENTS_BENCH_USER, id)
    const substance = await findSubstanceId(client, id)
    await beside(ours, headers, client, {
      label: whose,
      path: `/api/safety/coshh_assessments?retired=false&substances.substance=${substance}`,
      raw: { ...RAW_SUBSTANCE_QUERIES, values: [id, substance] },
      name: 'rawsubstance',
      made: listOf(coshhAssessment.resource, id, { retired: 'false', 'substances.substance': String(substance) }),
    })
    const path = `/api/safety/substances/${substance}/where_used`
    const found = await over(ours, headers, path)
    const ms = await median(() => over(ours, headers, path))
    used.push(
      `| ${whose}, the first ${found['hydra:member'].length} of ${found['hydra:totalItems']} | ${ms.toFixed(1)} | 50 |`,
    )
  }
  console.log(
    `\n| documents affected by a change to a substance, ${references} references | median, ms | goal, ms |\n|---|---|---|\n${used.join('\n')}`,
  )
}

const only = (part: string) => process.argv.includes(`--${part}`)
if (!only('coshh') && !only('list')) await measurePackPdf()
if (only('pack')) process.exit()
const postgres = await startTemporaryPostgres(BULK_POSTGRES_SETTINGS)
try {
  console.log(`Creating ${size.records.toLocaleString('en-GB')} documents …`)
  const database = await createDocumentsDatabase(postgres.url, PROJECT_ROOT, size)
  const client = new pg.Client({ connectionString: database })
  // If a run fails, the server stops first. The resulting connection error must not hide the original error.
  client.on('error', () => {})
  await client.connect()
  const ours = await start('ours', database)
  try {
    if (!only('coshh')) await compare(ours, client)
    if (!only('list')) await compareSubstances(ours, client)
  } finally {
    await ours.stop()
  }
  await client.end()
} finally {
  await postgres.stop()
}
