import { defineConfig } from 'vitest/config'

const unit = 'src/**/*.unit.test.ts'
const processes = { pool: 'forks', maxWorkers: 2, testTimeout: 30_000, hookTimeout: 60_000 } as const

/** Projects follow one another: a worker can only be used again by its own project. */
const inOrder = (groupOrder: number) => ({ sequence: { groupOrder } })

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: [unit], maxWorkers: 2, isolate: false, ...inOrder(1) } },
      {
        test: {
          name: 'http',
          include: ['src/**/*.test.ts', 'test/{contract,clients}/**/*.test.ts'],
          exclude: [unit, '**/node_modules/**'],
          // The files of a worker share its modules and its database: each test makes a tenant of its own in it.
          isolate: false,
          ...processes,
          ...inOrder(2),
        },
      },
      // They look at the whole database, so each file has one to itself.
      { test: { name: 'walls', include: ['test/walls/*.test.ts'], ...processes, ...inOrder(3) } },
      {
        test: {
          name: 'processes',
          include: [`test/processes/${process.env.TEST_DATABASE_URL ? 'server' : 'embedded'}*.test.ts`],
          ...processes,
          testTimeout: 180_000,
          ...inOrder(4),
        },
      },
      {
        test: {
          name: 'pdf',
          include: ['test/pdf/*.test.ts'],
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: 60_000,
          ...inOrder(5),
        },
      },
    ],
  },
})
