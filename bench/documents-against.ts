import { resolve } from 'node:path'
import { programArguments } from '../scripts/shared.mjs'
import { compareServers, readTreeOption } from './beside.ts'
import { BULK_POSTGRES_SETTINGS, chooseBulkSize, SMALL_CLIENT_ID } from './bulk-data.ts'
import { createDocumentsDatabase, DOCUMENTS_BENCH_USER } from './documents-data.ts'
import { type BenchRequest, PROJECT_ROOT, signInToClient, start } from './systems.ts'

/*
 * Compares lists, searches and single documents of this source tree's server with those of another source tree (an
 * earlier commit with its own `node_modules`), on the same documents: `npm run bench -- documents-against
 * --tree=../earlier`. Each server has a database on a separate PostgreSQL server. Both run at the same time, and the
 * benchmark measures them alternately. `--quick` uses 100 000 documents instead of 1 000 000; `--rounds=` sets the
 * number of rounds for each figure.
 */
const trees = [resolve(readTreeOption()), PROJECT_ROOT] as const
const size = chooseBulkSize(process.argv.includes('--quick'))
const LARGE = size.large.at(-1) as number
const LIST = '/api/safety/risk_assessments?retired=false'

interface Side {
  readonly system: Awaited<ReturnType<typeof start>>
  readonly headers: ReadonlyMap<number, Record<string, string>>
  /** Document IDs by client, for requests for single documents. */
  readonly ids: ReadonlyMap<number, readonly number[]>
}

async function side(tree: string, database: string, port: number): Promise<Side> {
  const system = await start('ours', database, { port, args: [...programArguments, 'start'], tree })
  const headers = new Map<number, Record<string, string>>()
  const ids = new Map<number, number[]>()
  for (const client of [SMALL_CLIENT_ID, LARGE]) {
    const of = { ...(await signInToClient(system.base, DOCUMENTS_BENCH_USER, client)), prefer: 'return=minimal' }
    headers.set(client, of)
    const listed = (await (await fetch(system.base + LIST, { headers: of })).json()) as {
      'hydra:member': { id: number }[]
    }
    ids.set(
      client,
      listed['hydra:member'].map(({ id }) => id),
    )
  }
  return { system, headers, ids }
}

let drawn = 0
const pick = <T>(all: readonly T[]): T => all[drawn++ % all.length] as T

/** Figures to measure: name, client and path. */
const FIGURES: readonly (readonly [name: string, client: number, path: (s: Side) => string])[] = [
  ['list-small', SMALL_CLIENT_ID, () => LIST],
  ['list-large', LARGE, () => LIST],
  ['later-page', LARGE, () => `${LIST}&page=20`],
  ['in-force', LARGE, () => `${LIST}&current=true`],
  ['rare-word-small', SMALL_CLIENT_ID, () => `${LIST}&q=7a3`],
  ['rare-word', LARGE, () => `${LIST}&q=7a3`],
  ['common-word', LARGE, () => `${LIST}&q=roofing`],
  ['every-kind', LARGE, () => '/api/safety/documents?retired=false'],
  ['get', LARGE, (s) => `/api/safety/risk_assessments/${pick(s.ids.get(LARGE) ?? [])}`],
]

await compareServers<Side>({
  settings: BULK_POSTGRES_SETTINGS,
  heading: 'documents',
  figures: FIGURES.map(([name]) => name),
  start: async (urlThere, urlHere) => {
    console.log(`Creating ${size.records.toLocaleString('en-GB')} documents in each of two databases …`)
    const then = await side(trees[0], await createDocumentsDatabase(urlThere, trees[0], size), 4704)
    const now = await side(trees[1], await createDocumentsDatabase(urlHere, trees[1], size), 4712)
    return { there: then, here: now, stop: () => Promise.all([then.system.stop(), now.system.stop()]) }
  },
  runners: async (figure, { there, here }) => {
    const found = FIGURES.find(([name]) => name === figure)
    if (!found) throw new Error(`There is no figure ${figure}.`)
    const [, client, path] = found
    const runner = (s: Side) => ({
      system: { ...s.system, headers: s.headers.get(client) ?? {} },
      shot: (): BenchRequest => ({ method: 'GET', path: path(s) }),
    })
    return [runner(there), runner(here)]
  },
})
