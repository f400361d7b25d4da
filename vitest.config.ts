import { configDefaults, defineConfig } from 'vitest/config'

const unit = '{src,scripts}/**/*.unit.test.ts'

/** Only what hangs should ever meet these: how long a test takes is the machine's affair. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Characters of a value in the sentence of a failure: enough to see which of several it was. */
const outspoken = { chaiConfig: { truncateThreshold: 1000 } }

const onServer = process.env.TEST_DATABASE_URL !== undefined

/** What is about addresses, words and files, and no database would answer otherwise: never tried on both. */
const once = [
  'test/contract/{addresses,documents,guards,maintenance,negotiation,openapi,rich-text}.test.ts',
  'test/invariants/{documents,exports,lists,migrations,three-years,unclean-input,words,worlds}.test.ts',
]

/** About the order of the embedded database's one thread. */
const oneThread = 'src/**/*.embedded.test.ts'
/** Printed of the embedded database. */
const printed = 'test/invariants/matrix.test.ts'

/**
 * What the embedded database might decide otherwise than a server: beside the contract and the walls, the engine, work that asks which
 * of them it is on, and what many want at once. All else is tried on one of them: on the server where there is one (ADR 140).
 */
const onBoth = [
  'src/server/**/*.test.ts',
  oneThread,
  'src/modules/billing/{acceptance/acceptance,customers/balance,ledger/ledger,payments/payments}.test.ts',
  'src/modules/companies/import.test.ts',
  'src/modules/crm/{contacts/{queue,search},imports/import}.test.ts',
  'src/modules/documents/signing/signing.test.ts',
  'src/modules/portal/{mail/mail,runs/run}.test.ts',
  'src/modules/safety/risk/risk-item.test.ts',
  'src/modules/sales/counted/renewal.test.ts',
]

/** What does the nights' work of everybody: among all that other tests have made it took thirty seconds instead of three. */
const nights = ['src/server/{engine/clock,runs/schedules}.test.ts', 'src/modules/documents/audit-chain/check.test.ts']

/** Said by `npm test`: all of it is tried on a server, so that the embedded database need only try what is tried on both. */
const isSecond = !onServer && process.env.TESTED_ON_SERVER !== undefined
const modules = isSecond ? onBoth : ['src/**/*.test.ts']
const leftOut = isSecond ? once : onServer ? [oneThread, printed] : []

const seeded = { setupFiles: ['test/support/days-ahead.ts', 'test/support/seed.ts'] }

/** Begins and ends the list of what the documentation promises and nobody has seen. */
const promised = { globalSetup: ['test/support/never-seen.ts'] }

/** Projects follow one another: a worker can only be used again by its own project. */
const inOrder = (groupOrder: number) => ({ sequence: { groupOrder }, ...patient, ...outspoken, ...seeded })

/** A server's database has no demo world. */
const demo = onServer ? {} : { globalSetup: ['test/support/demo-world.ts'] }

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
          include: [...modules, 'test/contract/**/*.test.ts'],
          exclude: [unit, ...leftOut, ...nights, '**/node_modules/**'],
          // The files of a worker share its modules and its database: each test makes a tenant of its own in it.
          isolate: false,
          ...promised,
          ...inProcesses,
          ...inOrder(2),
          setupFiles: [...seeded.setupFiles, 'test/support/no-work-left.ts'],
        },
      },
      // After `npm ci --prefix test/clients/packages`: what is not there is left out.
      { test: { name: 'clients', include: ['test/clients/*.test.ts'], isolate: false, ...inProcesses, ...inOrder(6) } },
      // They look at the whole database, so each file has one to itself.
      {
        test: {
          name: 'walls',
          include: ['test/invariants/*.test.ts', ...nights],
          exclude: leftOut,
          // The files of a worker share its modules, and no more: loading them took as long as half of what they try.
          isolate: false,
          ...inProcesses,
          ...inOrder(3),
          setupFiles: [...seeded.setupFiles, 'test/support/own-database.ts'],
        },
      },
      {
        test: {
          name: 'processes',
          include: [`test/processes/${onServer ? 'server' : 'embedded'}*.test.ts`],
          ...demo,
          ...inProcesses,
          ...inOrder(4),
        },
      },
      { test: { name: 'pdf', include: ['test/pdf/*.test.ts'], pool: 'forks', maxWorkers: 1, ...inOrder(5) } },
    ],
  },
})
