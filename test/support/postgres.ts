import { throwawayPostgres } from '../../scripts/postgres.mjs'
import { inRoot, isMain } from '../../scripts/shared.mjs'

/** The embedded version, or the oldest supported one on this machine. */
const which = process.env.TEST_POSTGRES ?? 'embedded'
/** Each test project loads this file separately. */
const run = globalThis as { postgresOfRun?: ReturnType<typeof throwawayPostgres> }

/** Global set-up: a server for the test databases, which retains their template for the next run. */
export default async function setUpPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL && !run.postgresOfRun) return undefined
  run.postgresOfRun ??= throwawayPostgres(undefined, inRoot('node_modules', '.cache', 'stanchion', `postgres-${which}`))
  const { url, stop } = await run.postgresOfRun
  process.env.TEST_DATABASE_URL = url
  return stop
}

// For several runs at once: serves until it is stopped.
if (isMain(import.meta)) {
  await setUpPostgres()
  console.log(process.env.TEST_DATABASE_URL)
}
