import { defineConfig } from '@playwright/test'
import { journeysPath, switches } from './scripts/browsers.mjs'
import { PACE } from './test/e2e/support/pace.ts'

// Journeys begin in an empty portal of their own, whatever the terminal is set up for.
for (const name of ['DATABASE_URL', 'DEMO_TODAY']) delete process.env[name]

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/support/demo-world.ts',
  workers: 2,
  fullyParallel: true,
  timeout: 120_000 * PACE,
  expect: { timeout: 20_000 * PACE },
  globalTimeout: 60 * 60_000 * PACE,
  // In a portal begun anew; whoever looks for what is unsteady sets a pace, and nothing is tried twice (ADR 140).
  retries: process.env.PACE ? 0 : 1,
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
