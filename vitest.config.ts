import { configDefaults, defineConfig } from 'vitest/config'

const unit = '{src,scripts}/**/*.unit.test.ts'

/** Only what hangs should ever meet these: how long a test takes is the machine's affair. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Characters of a value in the sentence of a failure: enough to see which of several it was. */
const outspoken = { chaiConfig: { truncateThreshold: 1000 } }

/** What does the nights' work of everybody: among all that other tests have made it took thirty seconds instead of three. */
const nights = ['src/server/{engine/clock,runs/schedules}.test.ts', 'src/modules/documents/audit-chain/check.test.ts']

const seeded = { setupFiles: ['test/support/days-ahead.ts', 'test/support/seed.ts'] }

/** Starts the server of all tests' databases. */
const POSTGRES = 'test/support/postgres.ts'
const onPostgres = { globalSetup: [POSTGRES] }

/** Begins and ends the list of what the documentation promises and nobody has seen. */
const promised = { globalSetup: [POSTGRES, 'test/support/never-seen.ts'] }

/** Projects follow one another: a worker can only be used again by its own project. */
const inOrder = (groupOrder: number) => ({ sequence: { groupOrder }, ...patient, ...outspoken, ...seeded })

/** The embedded database's processes begin with a demo world. */
const demo = { globalSetup: [POSTGRES, 'test/support/demo-world.ts'] }

const inProcesses = { pool: 'forks', maxWorkers: 2 } as const

export default defineConfig({
  test: {
    // What tests read without importing it.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/db/**', '**/*.typ', '**/test/invariants/*.txt'],
    projects: [
      { test: { name: 'unit', include: [unit], maxWorkers: 2, isolate: false, ...inOrder(1) } },
      {
        test: {
          name: 'http',
          include: ['src/**/*.test.ts', 'test/contract/**/*.test.ts'],
          exclude: [unit, ...nights, '**/node_modules/**'],
          // The files of a worker share its modules and its database: each test makes a tenant of its own in it.
          isolate: false,
          ...promised,
          ...inProcesses,
          ...inOrder(2),
          setupFiles: [...seeded.setupFiles, 'test/support/no-work-left.ts'],
        },
      },
      // After `npm ci --prefix test/clients/packages`: what is not there is left out.
      {
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          isolate: false,
          ...onPostgres,
          ...inProcesses,
          ...inOrder(6),
        },
      },
      // They look at the whole database, so each file has one to itself.
      {
        test: {
          name: 'walls',
          include: ['test/invariants/*.test.ts', ...nights],
          // The files of a worker share its modules, and no more: loading them took as long as half of what they try.
          isolate: false,
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
          ...demo,
          ...inProcesses,
          ...inOrder(4),
        },
      },
      {
        test: {
          name: 'pdf',
          include: ['test/pdf/*.test.ts'],
          ...onPostgres,
          pool: 'forks',
          maxWorkers: 1,
          ...inOrder(5),
        },
      },
    ],
  },
})
