import { startTemporaryPostgres } from '../../scripts/postgres.mjs'
import { inRoot, isMain } from '../../scripts/shared.mjs'

/** PostgreSQL version for the tests: the embedded one, or the oldest supported one on this machine. */
const which = process.env.TEST_POSTGRES ?? 'embedded'
/** The server is stored globally, because each test project loads this file separately. */
const run = globalThis as { postgresOfRun?: ReturnType<typeof startTemporaryPostgres> }

/** Global set-up: starts a server for the test databases. The server retains their template for the next run. */
export default async function setUpPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL && !run.postgresOfRun) return undefined
  run.postgresOfRun ??= startTemporaryPostgres(
    undefined,
    inRoot('node_modules', '.cache', 'stanchion', `postgres-${which}`),
  )
  const { url, stop } = await run.postgresOfRun
  process.env.TEST_DATABASE_URL = url
  return stop
}

// Serves until it is stopped, so that several concurrent runs can use it.
if (isMain(import.meta)) {
  await setUpPostgres()
  console.log(process.env.TEST_DATABASE_URL)
}
