import { configDefaults, defineConfig } from 'vitest/config'

const unit = '{src,scripts}/**/*.unit.test.ts'

/** Only what hangs should ever meet these: how long a test takes is the machine's affair. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Characters of a value in the sentence of a failure: enough to see which of several it was. */
const outspoken = { chaiConfig: { truncateThreshold: 1000 } }

/**
 * What is about addresses, words and files, and no database would answer otherwise, or about the order of its one thread: not tried a
 * second time on a server.
 */
const once = process.env.TEST_DATABASE_URL
  ? [
      'test/contract/{addresses,documents,guards,maintenance,negotiation,openapi,rich-text}.test.ts',
      'test/walls/{documents,lists,matrix,migrations,words}.test.ts',
      'src/**/*.embedded.test.ts',
    ]
  : []

const seeded = { setupFiles: ['test/support/days-ahead.ts', 'test/support/seed.ts'] }

/** Begins and ends the list of what the documentation promises and nobody has seen. */
const promised = { globalSetup: ['test/support/never-seen.ts'] }

/** Projects follow one another: a worker can only be used again by its own project. */
const inOrder = (groupOrder: number) => ({ sequence: { groupOrder }, ...patient, ...outspoken, ...seeded })

/** A server's database has no demo world. */
const demo = process.env.TEST_DATABASE_URL ? {} : { globalSetup: ['test/support/demo-world.ts'] }

const inProcesses = { pool: 'forks', maxWorkers: 2 } as const

export default defineConfig({
  test: {
    // What tests read without importing it.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/db/**', '**/*.typ', '**/test/walls/*.txt'],
    projects: [
      { test: { name: 'unit', include: [unit], maxWorkers: 2, isolate: false, ...inOrder(1) } },
      {
        test: {
          name: 'http',
          include: ['src/**/*.test.ts', 'test/contract/**/*.test.ts'],
          exclude: [unit, ...once, '**/node_modules/**'],
          // The files of a worker share its modules and its database: each test makes a tenant of its own in it.
          isolate: false,
          ...promised,
          ...inProcesses,
          ...inOrder(2),
        },
      },
      // After `npm ci --prefix test/clients/packages`: what is not there is left out.
      { test: { name: 'clients', include: ['test/clients/*.test.ts'], isolate: false, ...inProcesses, ...inOrder(6) } },
      // They look at the whole database, so each file has one to itself.
      { test: { name: 'walls', include: ['test/walls/*.test.ts'], exclude: once, ...inProcesses, ...inOrder(3) } },
      {
        test: {
          name: 'processes',
          include: [`test/processes/${process.env.TEST_DATABASE_URL ? 'server' : 'embedded'}*.test.ts`],
          ...demo,
          ...inProcesses,
          ...inOrder(4),
        },
      },
      { test: { name: 'pdf', include: ['test/pdf/*.test.ts'], pool: 'forks', maxWorkers: 1, ...inOrder(5) } },
    ],
  },
})
