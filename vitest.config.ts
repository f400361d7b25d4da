import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Whether all tests run (`npm run test:all`). Otherwise, `npm test` leaves out the slow tests and samples the sweeps
 * (`test/support/scope.ts`).
 */
const isAll = process.env.TEST_SCOPE === 'all'
process.env.RANDOM_SEED ??= `${Math.floor(Date.now() / 86_400_000)}`

const daily = (files: string[]) => (isAll ? [] : files)

const unit = '{src,scripts}/**/*.unit.test.ts'

/**
 * Tests that depend on the content of the whole database, or do the work of every client. Each file has a separate
 * database.
 */
const ownDatabase = [
  'test/invariants/*.test.ts',
  'src/server/{engine/clock,jobs/schedules}.test.ts',
  'src/modules/documents/audit-chain/check.test.ts',
]

/**
 * All process tests except those of the start, a server's limits, a server's files, and processes that are killed
 * during jobs.
 */
const SLOW_PROCESSES = [
  'test/processes/server-{broken,lanes,outage,three}.test.ts',
  'test/processes/embedded{,-accounts,-acknowledged,-billing-killed,-breaks,-evidence,-killed}.test.ts',
]

/** Generous timeouts: only a hung test should hit them. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Maximum number of characters of a value in a failure message. */
const outspoken = { chaiConfig: { truncateThreshold: 1000 } }

const seeded = { setupFiles: ['test/support/days-ahead.ts', 'test/support/seed.ts'] }

/** Setup file that starts the server for all tests' databases, unless the run has already started it. */
const POSTGRES = 'test/support/postgres.ts'
const onPostgres = { globalSetup: [POSTGRES] }

/** Runs the projects one after another, because a worker can be reused only by the same project. */
const inOrder = (groupOrder: number) => ({ sequence: { groupOrder }, ...patient, ...outspoken, ...seeded })

// The files in a worker share its modules. Loading the modules takes as long as half of the tests. A third worker uses the
// two processors while the others wait for the database.
const inProcesses = { pool: 'forks', maxWorkers: 3, isolate: false } as const

export default defineConfig({
  test: {
    // Files that tests read without an import.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/db/**', '**/*.typ', '**/test/invariants/*.txt'],
    projects: [
      { test: { name: 'unit', include: [unit], maxWorkers: 2, isolate: false, ...inOrder(1) } },
      {
        test: {
          name: 'http',
          include: ['src/**/*.test.ts', 'test/contract/**/*.test.ts'],
          exclude: [unit, ...ownDatabase, '**/node_modules/**'],
          // Starts and prints the list of documented statuses that occurred in no test.
          globalSetup: [POSTGRES, 'test/support/never-seen.ts'],
          ...inProcesses,
          ...inOrder(2),
          setupFiles: [...seeded.setupFiles, 'test/support/next-file.ts'],
        },
      },
      {
        test: {
          name: 'invariants',
          include: ownDatabase,
          ...onPostgres,
          ...inProcesses,
          ...inOrder(3),
          setupFiles: [...seeded.setupFiles, 'test/support/own-database.ts'],
        },
      },
      {
        test: {
          name: 'processes',
          include: ['test/processes/*.test.ts'],
          exclude: daily(SLOW_PROCESSES),
          globalSetup: [POSTGRES, 'test/support/demo-world.ts'],
          pool: 'forks',
          maxWorkers: 2,
          ...inOrder(4),
        },
      },
      {
        test: {
          name: 'pdf',
          include: ['test/pdf/*.test.ts'],
          exclude: daily(['test/pdf/{documents,shapes}.test.ts']),
          ...onPostgres,
          pool: 'forks',
          maxWorkers: 1,
          ...inOrder(5),
        },
      },
      // The tests in admin, alcaeus and heracles need `npm ci --prefix test/clients/packages`. Without it, they are
      // skipped.
      {
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          exclude: daily(['test/clients/{admin,alcaeus,heracles,jsonld}.test.ts']),
          ...onPostgres,
          ...inProcesses,
          ...inOrder(6),
        },
      },
    ],
  },
})
