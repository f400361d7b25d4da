import { defineConfig } from '@playwright/test'
import { chromiumSwitches, findTestBrowserPath } from './scripts/browsers.mjs'
import { SLOWDOWN_FACTOR } from './test/e2e/support/pace.ts'

// The portals in end-to-end tests have their own settings, whatever the environment of the terminal.
for (const name of ['DATABASE_URL', 'DEMO_TODAY']) delete process.env[name]

export default defineConfig({
  testDir: 'test/e2e',
  // Sweeps visit every screen, list and state. Only `npm run test:all` runs them.
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
    // Caching a page's files on the device takes a tenth of the page's cost. Only tests that go offline or revisit the
    // portal enable service workers.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findTestBrowserPath(), args: chromiumSwitches },
  },
})
