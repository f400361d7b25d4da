import { defineConfig } from 'vitest/config'

const unit = 'src/**/*.unit.test.ts'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: [unit] } },
      { test: { name: 'pdf', include: ['test/pdf/*.test.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 60_000 } },
      {
        test: {
          name: 'http',
          include: ['src/{rooms,server}/**/*.test.ts', 'test/{contract,walls}/**/*.test.ts', 'test/clients/*.test.ts'],
          exclude: [unit],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
