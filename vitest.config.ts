import { configDefaults, defineConfig } from 'vitest/config'

/** `npm run test:all`; otherwise `npm test`, which leaves the slow ones out and samples the sweeps (`test/support/scope.ts`). */
const isAll = process.env.TEST_SCOPE === 'all'
process.env.RANDOM_SEED ??= `${Math.floor(Date.now() / 86_400_000)}`

const daily = (files: string[]) => (isAll ? [] : files)

const unit = '{src,scripts}/**/*.unit.test.ts'

/** What the whole database holds matters to them, or they do every client's work: each file has a database to itself. */
const ownDatabase = [
  'test/invariants/*.test.ts',
  'src/server/{engine/clock,jobs/schedules}.test.ts',
  'src/modules/documents/audit-chain/check.test.ts',
]

const onServer = process.env.TEST_DATABASE_URL !== undefined
/** About the one thread of the embedded database. */
const embedded = onServer ? ['src/**/*.embedded.test.ts'] : []

/** Everything but the start, the limits of a server, its files, and processes that are killed in the midst of jobs. */
const SLOW_PROCESSES = [
  'test/processes/server-{broken,lanes,outage,three}.test.ts',
  'test/processes/embedded{,-acknowledged,-billing-killed,-breaks,-evidence,-killed}.test.ts',
]

/** Generous timeouts: only a hung test should hit them. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Characters of a value in a failure's sentence. */
const outspoken = { chaiConfig: { truncateThreshold: 1000 } }

const seeded = { setupFiles: ['test/support/days-ahead.ts', 'test/support/seed.ts'] }

/** Projects follow one another: a worker is used again by its own project alone. */
const inOrder = (groupOrder: number) => ({ sequence: { groupOrder }, ...patient, ...outspoken, ...seeded })

// Files of a worker share its modules: loading them takes as long as half of the tests.
const inProcesses = { pool: 'forks', maxWorkers: 2, isolate: false } as const

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
          exclude: [unit, ...embedded, ...ownDatabase, '**/node_modules/**'],
          // Begins and ends the list of documented statuses that no test has seen.
          globalSetup: ['test/support/never-seen.ts'],
          ...inProcesses,
          ...inOrder(2),
          setupFiles: [...seeded.setupFiles, 'test/support/next-file.ts'],
        },
      },
      {
        test: {
          name: 'invariants',
          include: ownDatabase,
          ...inProcesses,
          ...inOrder(3),
          setupFiles: [...seeded.setupFiles, 'test/support/own-database.ts'],
        },
      },
      {
        test: {
          name: 'processes',
          include: [`test/processes/${onServer ? 'server' : 'embedded'}*.test.ts`],
          exclude: daily(SLOW_PROCESSES),
          ...(onServer ? {} : { globalSetup: ['test/support/demo-world.ts'] }),
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
          pool: 'forks',
          maxWorkers: 1,
          ...inOrder(5),
        },
      },
      // All but the first need `npm ci --prefix test/clients/packages`; without it they are skipped.
      {
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          exclude: daily(['test/clients/{admin,alcaeus,heracles,jsonld}.test.ts']),
          ...inProcesses,
          ...inOrder(6),
        },
      },
    ],
  },
})
