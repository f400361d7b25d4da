import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { type BenchTarget, formatPairCells, measureTargetsAlternately } from './turns.ts'

/** Returns the value of a command-line option such as `--tree=../earlier`. */
const given = (name: string) => process.argv.find((o) => o.startsWith(`--${name}=`))?.slice(name.length + 3)

/**
 * Returns the path of the other source tree: an earlier commit with its own `node_modules`. Exits if the option is
 * missing.
 */
export function readTreeOption(): string {
  const tree = given('tree')
  if (tree !== undefined) return tree
  console.log('Name the source tree to compare with: --tree=FOLDER.')
  process.exit(1)
}

/** The servers of the other source tree and of this one, each with a database on a separate PostgreSQL server. */
interface Sides<S> {
  readonly there: S
  readonly here: S
  readonly stop: () => Promise<unknown>
}

interface Beside<S> {
  readonly settings: string[]
  /** Heading of the column that names the figures. */
  readonly heading: string
  readonly figures: readonly string[]
  /** Starts both servers, one after the other. */
  readonly start: (there: string, here: string) => Promise<Sides<S>>
  /** Creates the runners that send a figure's requests to each server. */
  readonly runners: (figure: string, sides: Sides<S>) => Promise<readonly [BenchTarget, BenchTarget]>
}

/**
 * Starts the servers of both trees, measures them alternately, prints the results and stops them. `--figures=` selects
 * the figures, and `--rounds=` sets the number of rounds.
 */
export async function compareServers<S>({ settings, heading, figures, start, runners }: Beside<S>): Promise<void> {
  const only = given('figures')?.split(',')
  const rounds = Number(given('rounds') ?? 4)
  const [there, here] = [await startTemporaryPostgres(settings), await startTemporaryPostgres(settings)]
  try {
    const sides = await start(there.url, here.url)
    try {
      console.log(
        `| ${heading} | requests/s, other tree | requests/s, this tree | this ÷ other | CPU ms, other tree | CPU ms, this tree | this ÷ other |`,
      )
      console.log('|---|---|---|---|---|---|---|')
      for (const figure of figures.filter((name) => !only || only.includes(name))) {
        const { rates, processor } = await measureTargetsAlternately(...(await runners(figure, sides)), rounds)
        console.log(`| ${figure} | ${formatPairCells(rates, 0)} | ${formatPairCells(processor, 3)} |`)
      }
    } finally {
      await sides.stop()
    }
  } finally {
    for (const server of [there, here]) await server.stop()
  }
}
