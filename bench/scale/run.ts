import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import autocannon from 'autocannon'
import { startTemporaryPostgres } from '../../scripts/postgres.mjs'
import { prepareServerProgram } from '../../scripts/server.mjs'
import { type BenchSystem, signInToClient, start } from '../systems.ts'
import { type ClientSize, createScaleDatabase, SCALE_BENCH_USER } from './data.ts'
import { EXPORTED_LEAD_COUNT, exportLeads, IMPORTED_LEAD_COUNT, importLeads } from './files.ts'

/*
 * Effect of the number of rows on speed. Measures clients of one database with 10 000, 100 000, 1 000 000 and 5 000 000
 * leads and documents each, then mixed work and its memory, then two and four processes compared with one. `--quick`
 * leaves out sizes above 100 000 and takes one minute for the mixed work instead of ten.
 */
const has = (option: string) => process.argv.includes(`--${option}`)
const SIZES: readonly ClientSize[] = [
  { client: 11, rows: 10_000 },
  { client: 12, rows: 100_000 },
  ...(has('quick')
    ? []
    : [
        { client: 13, rows: 1_000_000 },
        { client: 14, rows: 5_000_000 },
      ]),
]
const MINUTES = has('quick') ? 1 : 10
const TIMES = 250
const WARM = 50
/** Number of imports, and of exports. */
const FILES = 8
const SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_connections=100',
  'random_page_cost=1.1',
  'max_wal_size=4GB',
]

const LEADS = '/api/crm/contacts'
const DOCUMENTS = '/api/safety/risk_assessments'
interface ScaleRequest {
  readonly what: string
  readonly path: string
  readonly body?: object
  /** Maximum ratio of the largest client's time to the smallest client's. */
  readonly goal?: number
}
const SCALE_REQUESTS: readonly ScaleRequest[] = [
  { what: 'leads, first page', path: `${LEADS}?retired=false`, goal: 1.3 },
  { what: 'leads by callback', path: `${LEADS}?retired=false&order[callbackDate]=asc`, goal: 1.3 },
  { what: 'documents, first page', path: `${DOCUMENTS}?retired=false`, goal: 1.3 },
  { what: 'search: a rare word', path: `${LEADS}?retired=false&q=WORD`, goal: 2 },
  { what: 'search: a common word', path: `${LEADS}?retired=false&q=plumbing`, goal: 2 },
  { what: 'search: two words', path: `${LEADS}?retired=false&q=plumbing+WORD`, goal: 2 },
  { what: 'documents: a rare word', path: `${DOCUMENTS}?retired=false&q=WORD`, goal: 2 },
  { what: 'documents: a common word', path: `${DOCUMENTS}?retired=false&q=plumbing`, goal: 2 },
  { what: 'counts by category', path: `${LEADS}/count`, goal: 1.3 },
  {
    what: 'an outcome and the next lead',
    path: `${LEADS}/ID/outcomes?retired=false`,
    body: { result: '/api/crm/last_results/47', notes: 'Spoke to them', minutes: 3 },
    goal: 1.3,
  },
]

let seed = 1
const random = (n: number) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 4294967296) * n)
}

/** Signed-in user of a client, with some of its leads. */
interface Person extends ClientSize {
  readonly headers: Record<string, string>
  readonly leads: readonly { readonly id: number; readonly word: string }[]
}

/** Requests minimal responses, as the portal's own pages do: lists without the parts that never change. */
const enter = async (base: string, client: number) => ({
  ...(await signInToClient(base, SCALE_BENCH_USER, client)),
  prefer: 'return=minimal',
})

async function comeIn(base: string, sized: ClientSize): Promise<Person> {
  const headers = await enter(base, sized.client)
  const pages = await Promise.all(
    [1, 2, 3].map(async (page) => {
      const answer = await fetch(`${base}${LEADS}?itemsPerPage=100&page=${page}`, { headers })
      return ((await answer.json()) as { 'hydra:member': { id: number; companyName: string }[] })['hydra:member']
    }),
  )
  const leads = pages.flat().map(({ id, companyName }) => ({ id, word: companyName.slice(0, 6).toLowerCase() }))
  return { ...sized, headers, leads }
}

function requestOf({ headers, leads }: Person, { path, body }: ScaleRequest) {
  const { id, word } = leads[random(leads.length)] as Person['leads'][number]
  return {
    method: body ? ('POST' as const) : ('GET' as const),
    path: path.replace('WORD', word).replace('ID', String(id)),
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }
}

async function time(base: string, person: Person, asked: ScaleRequest): Promise<number> {
  const { path, ...request } = requestOf(person, asked)
  const began = performance.now()
  const answer = await fetch(base + path, request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`)
  return performance.now() - began
}

const at = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(part * (times.length - 1))] as number

async function printSizes({ base }: BenchSystem, people: readonly Person[]): Promise<void> {
  console.log(
    `\n| p50 · p99, ms | ${people.map(({ rows }) => rows.toLocaleString('en-GB')).join(' | ')} | largest ÷ smallest | goal |`,
  )
  console.log(`|---|${people.map(() => '---|').join('')}---|---|`)
  const print = async (
    what: string,
    goal: number | undefined,
    ask: (person: Person) => Promise<number>,
    times = TIMES,
  ) => {
    const taken = people.map((): number[] => [])
    // Measures alternately, so that the load of the machine affects all of them.
    const warm = Math.min(WARM, Math.ceil(times / 4))
    for (let i = 0; i < times + warm; i++)
      for (const [n, person] of people.entries()) {
        const ms = await ask(person)
        if (i >= warm) taken[n]?.push(ms)
      }
    const middles = taken.map((each) => at(each, 0.5))
    const ratio = (middles.at(-1) as number) / (middles[0] as number)
    console.log(
      `| ${what} | ${taken.map((each) => `${at(each, 0.5).toFixed(2)} · ${at(each, 0.99).toFixed(1)}`).join(' | ')} | **${ratio.toFixed(2)}**${goal && ratio > goal ? ' (short)' : ''} | ${goal ? `≤ ${goal}` : ''} |`,
    )
  }
  for (const asked of SCALE_REQUESTS) await print(asked.what, asked.goal, (person) => time(base, person, asked))
  const comeAgain = async ({ client }: Person) => {
    const began = performance.now()
    await enter(base, client)
    return performance.now() - began
  }
  await print('sign-in', 1.3, comeAgain, 30)
  await print(
    `an export of ${EXPORTED_LEAD_COUNT.toLocaleString('en-GB')} leads`,
    1.3,
    (person) => exportLeads(base, person),
    FILES,
  )
  await print(
    `an import of ${IMPORTED_LEAD_COUNT.toLocaleString('en-GB')} leads`,
    1.3,
    (person) => importLeads(base, person),
    FILES,
  )
}

const rss = ({ process: { pid } }: BenchSystem) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Calculates the memory growth in MiB per minute, by linear regression over the second half. */
function slopeOf(samples: readonly (readonly [minute: number, mib: number])[]): number {
  const half = samples.slice(samples.length >> 1)
  const mean = (n: 0 | 1) => half.reduce((sum, one) => sum + one[n], 0) / half.length
  const [x, y] = [mean(0), mean(1)]
  return (
    half.reduce((sum, one) => sum + (one[0] - x) * (one[1] - y), 0) /
    half.reduce((sum, one) => sum + (one[0] - x) ** 2, 0)
  )
}

/** Sends a mixed load from clients of all sizes: lists, searches, counts and outcomes. */
const load = (base: string, people: readonly Person[], seconds: number) => {
  const requests = Array.from({ length: 600 }, (_, n) =>
    requestOf(people[n % people.length] as Person, SCALE_REQUESTS[random(SCALE_REQUESTS.length)] as ScaleRequest),
  )
  return autocannon({
    url: base,
    connections: 8,
    duration: seconds,
    setupClient: (client: { setRequests: (r: typeof requests) => void }) => client.setRequests(requests),
  })
}

async function printMixed(system: BenchSystem, people: readonly Person[]): Promise<void> {
  const samples: [number, number][] = []
  const began = performance.now()
  const look = setInterval(() => samples.push([(performance.now() - began) / 60_000, rss(system)]), 2000)
  const { latency, non2xx, errors, ...result } = await load(system.base, people, 60 * MINUTES)
  clearInterval(look)
  console.log(
    `\nMixed load for ${MINUTES} min, 8 connections: ${(result['2xx'] / result.duration).toFixed(0)} requests/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms (goal ≤ 10 × p50), ${non2xx + errors} failed; memory ${samples.at(-1)?.[1].toFixed(0)} MiB, increasing by ${slopeOf(samples).toFixed(1)} MiB per minute (goal ≤ 1).`,
  )
}

async function printSeveral(systems: readonly BenchSystem[], people: readonly Person[]): Promise<void> {
  const rate = async (count: number) => {
    const loads = await Promise.all(systems.slice(0, count).map(({ base }) => load(base, people, 10)))
    return loads.reduce((sum, result) => sum + result['2xx'] / result.duration, 0)
  }
  const rates = [await rate(1), await rate(2), await rate(4)] as const
  const [one, two, four] = rates.map((each) => each / rates[0]) as [number, number, number]
  console.log(
    `\nOne, two and four processes with one PostgreSQL server; ${availableParallelism()} cores for the processes, the database and the load generator: ${rates.map((each) => each.toFixed(0)).join(', ')} requests/s, ${[one, two, four].map((each) => each.toFixed(2)).join(', ')} × one process (goal ≥ 1.7 for two where there are enough cores).`,
  )
}

const postgres = await startTemporaryPostgres(SETTINGS)
try {
  console.log(
    `Creating ${SIZES.map(({ rows }) => rows.toLocaleString('en-GB')).join(', ')} leads and as many documents …`,
  )
  const database = await createScaleDatabase(postgres.url, SIZES)
  const system = await start('ours', database)
  const people = await Promise.all(SIZES.map((sized) => comeIn(system.base, sized)))
  await printSizes(system, people)
  await printMixed(system, people)
  const systems = [system]
  for (const port of [4707, 4708, 4709])
    systems.push(await start('ours', database, { port, args: [...(await prepareServerProgram()), 'start'] }))
  await printSeveral(systems, people)
  await Promise.all(systems.map((one) => one.stop()))
} finally {
  await postgres.stop()
}
