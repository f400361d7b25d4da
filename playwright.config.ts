import { defineConfig } from '@playwright/test'
import { journeysPath, switches } from './scripts/browsers.mjs'
import { SLOWDOWN_FACTOR } from './test/e2e/support/pace.ts'

// The portals of journeys have settings of their own, whatever the terminal is set up for.
for (const name of ['DATABASE_URL', 'DEMO_TODAY']) delete process.env[name]

export default defineConfig({
  testDir: 'test/e2e',
  // Sweeps look at every screen, list and state: they are of `npm run test:all`.
  testIgnore: process.env.TEST_SCOPE === 'all' ? [] : 'sweeps/**',
  globalSetup: './test/e2e/support/demo-database.ts',
  workers: 2,
  fullyParallel: true,
  timeout: 120_000 * SLOWDOWN_FACTOR,
  expect: { timeout: 20_000 * SLOWDOWN_FACTOR },
  globalTimeout: 60 * 60_000 * SLOWDOWN_FACTOR,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  use: {
    // A tenth of a page's cost is keeping what it is made of on the device: only journeys that go without a connection, or come back, ask for it.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: journeysPath(), args: switches },
  },
})
