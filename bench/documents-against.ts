import { resolve } from 'node:path'
import { throwawayPostgres } from '../scripts/postgres.mjs'
import { program } from '../scripts/shared.mjs'
import { makeDocuments, SETTINGS, SMALL, signIn, sizeOf } from './documents-data.ts'
import { root, type Shot, start } from './systems.ts'
import { pairText, takeTurns } from './turns.ts'

/*
 * Lists, searches and single documents of this tree's server beside another tree's, an earlier commit with its own installation, in the
 * same documents: `npm run bench -- documents-against --tree=../earlier`. Each has its own database on a PostgreSQL of its own; both are
 * up at once and work by turns. `--quick` takes 100 000 documents instead of 1 000 000, `--rounds=` so many turns of each.
 */
const given = (name: string) => process.argv.find((o) => o.startsWith(`--${name}=`))?.slice(name.length + 3)
const earlier = given('tree')
if (!earlier) {
  console.log('Say which tree to measure against: --tree=FOLDER.')
  process.exit(1)
}
const size = sizeOf(process.argv.includes('--quick'))
const rounds = Number(given('rounds') ?? 4)
const only = given('figures')?.split(',')
const LARGE = size.large.at(-1) as number
const LIST = '/api/safety/risk_assessments?retired=false'

interface Side {
  readonly system: Awaited<ReturnType<typeof start>>
  readonly headers: ReadonlyMap<number, Record<string, string>>
  /** Documents of each client, to ask for one by one. */
  readonly ids: ReadonlyMap<number, readonly number[]>
}

async function side(tree: string, database: string, port: number): Promise<Side> {
  const system = await start('ours', database, { port, args: [...program, 'start'], tree })
  const headers = new Map<number, Record<string, string>>()
  const ids = new Map<number, number[]>()
  for (const client of [SMALL, LARGE]) {
    const of = { ...(await signIn(system.base, client)), prefer: 'return=minimal' }
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

/** What is asked: of whom, and where. */
const FIGURES: readonly (readonly [name: string, client: number, path: (s: Side) => string])[] = [
  ['list-small', SMALL, () => LIST],
  ['list-large', LARGE, () => LIST],
  ['later-page', LARGE, () => `${LIST}&page=20`],
  ['in-force', LARGE, () => `${LIST}&current=true`],
  ['rare-word-small', SMALL, () => `${LIST}&q=7a3`],
  ['rare-word', LARGE, () => `${LIST}&q=7a3`],
  ['common-word', LARGE, () => `${LIST}&q=roofing`],
  ['every-kind', LARGE, () => '/api/safety/documents?retired=false'],
  ['get', LARGE, (s) => `/api/safety/risk_assessments/${pick(s.ids.get(LARGE) ?? [])}`],
]

const servers = [await throwawayPostgres(SETTINGS), await throwawayPostgres(SETTINGS)] as const
if (!servers[0] || !servers[1]) {
  console.log('No PostgreSQL server programs could be had; the figures need a real server.')
  process.exit(1)
}
try {
  const trees = [resolve(earlier), root] as const
  console.log(`Making ${size.documents.toLocaleString('en-GB')} documents, twice …`)
  const [then, now] = [
    await side(trees[0], await makeDocuments(servers[0].url, trees[0], size), 4704),
    await side(trees[1], await makeDocuments(servers[1].url, trees[1], size), 4712),
  ]
  try {
    console.log('| documents | requests/s there | here | here ÷ there | processor ms there | here | here ÷ there |')
    console.log('|---|---|---|---|---|---|---|')
    for (const [figure, client, path] of FIGURES.filter(([name]) => !only || only.includes(name))) {
      const runner = (s: Side) => ({
        system: { ...s.system, headers: s.headers.get(client) ?? {} },
        shot: (): Shot => ({ method: 'GET', path: path(s) }),
      })
      const { rates, processor } = await takeTurns(runner(then), runner(now), rounds)
      console.log(`| ${figure} | ${pairText(rates, 0)} | ${pairText(processor, 3)} |`)
    }
  } finally {
    await Promise.all([then.system.stop(), now.system.stop()])
  }
} finally {
  for (const server of servers) await server?.stop()
}
