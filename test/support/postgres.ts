import { throwawayPostgres } from '../../scripts/postgres.mjs'
import { inRoot, isMain } from '../../scripts/shared.mjs'

/** The embedded version, or the oldest of this machine that is supported. */
const which = process.env.TEST_POSTGRES ?? 'embedded'
/** Projects load this file each for itself. */
const run = globalThis as { postgresOfRun?: ReturnType<typeof throwawayPostgres> }

/** Before all tests of a run: a server for their databases, which keeps their template for the next run. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL && !run.postgresOfRun) return undefined
  run.postgresOfRun ??= throwawayPostgres(undefined, inRoot('node_modules', '.cache', 'stanchion', `postgres-${which}`))
  const { url, stop } = await run.postgresOfRun
  process.env.TEST_DATABASE_URL = url
  return stop
}

// For several runs at once: until it is told to end.
if (isMain(import.meta)) {
  await setup()
  console.log(process.env.TEST_DATABASE_URL)
}
