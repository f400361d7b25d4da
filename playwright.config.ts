import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumPath, switches } from './scripts/browsers.mjs'

// Journeys begin in an empty portal of their own, whatever the terminal is set up for.
for (const name of ['DATABASE_URL', 'DEMO_TODAY']) delete process.env[name]
const port = 3199
const address = `http://127.0.0.1:${port}`

export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Two browsers, a server and a database share two cores: a journey that was only slow may be made again.
  retries: 2,
  globalTimeout: 15 * 60_000,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  use: {
    baseURL: address,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: switches },
  },
  webServer: {
    command: 'rm -rf "$DATA_DIR" && exec node_modules/.bin/node src/app/cli.ts start',
    url: `${address}/healthz`,
    env: { PORT: `${port}`, DATA_DIR: join(tmpdir(), 'stanchion-journeys') },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
})
