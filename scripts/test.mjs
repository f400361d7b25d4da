// Everything that must hold. The last line is the sum: "N passed, N failed".
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { checkAll } from './check.mjs'
import { throwawayPostgres } from './postgres.mjs'
import { setup } from './setup.mjs'
import { inRoot, node, run } from './shared.mjs'
import { buildWeb } from './web.mjs'

const sum = { passed: 0, failed: 0, skipped: 0 }

async function step(title, work) {
  console.log(`\n— ${title}`)
  let found
  try {
    found = await work()
  } catch (error) {
    console.error(error)
    found = { failed: 1 }
  }
  for (const kind of Object.keys(sum)) sum[kind] += found[kind] ?? 0
}

/** Runs a test runner and reads its JSON report with `read`. Silence, or an unexplained end, is a failure. */
async function runner(command, args, report, variables, read) {
  rmSync(inRoot(report), { force: true })
  const { code } = await run(command, args, { show: true, variables, minutes: 20 })
  const found = existsSync(inRoot(report))
    ? read(JSON.parse(readFileSync(inRoot(report), 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 }
  if (found.passed + found.failed === 0) console.error(`${command} ran no tests.`)
  else if (code !== 0 && found.failed === 0) console.error(`${command} ended with code ${code}.`)
  else return found
  return { ...found, failed: 1 }
}

function vitest(database, ...args) {
  const report = 'test-results/vitest.json'
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const variables = { DATABASE_URL: undefined, TEST_DATABASE_URL: database }
  return runner('vitest', ['run', ...reporters, ...args], report, variables, (found) => ({
    passed: found.numPassedTests,
    // A file that could not even be loaded has no tests to fail.
    failed:
      found.numFailedTests +
      found.testResults.filter((f) => f.status === 'failed' && !f.assertionResults.length).length,
    skipped: found.numPendingTests + found.numTodoTests,
  }))
}

async function onPostgres() {
  const own = process.env.TEST_DATABASE_URL
  const postgres = own ? { url: own, stop: async () => {} } : await throwawayPostgres()
  if (!postgres) {
    console.log('Skipped: no PostgreSQL 15 or newer is here, and none could be installed.')
    return { skipped: 1 }
  }
  try {
    return await vitest(postgres.url, '--project', 'http', '--project', 'walls', '--project', 'processes')
  } finally {
    await postgres.stop()
  }
}

/** Clients of the API that others wrote: too large for everybody's installation. Their tests say so where they are not here. */
async function othersClients() {
  const home = 'test/clients/packages'
  if (existsSync(inRoot(home, 'node_modules'))) return {}
  const { code } = await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', home], {
    minutes: 5,
  })
  console.log(code === 0 ? '✓ installed' : 'Skipped: they could not be installed.')
  return {}
}

function journeys() {
  return runner('playwright', ['test'], 'test-results/journeys.json', {}, (found) => ({
    passed: found.stats.expected + found.stats.flaky,
    failed: found.stats.unexpected,
    skipped: found.stats.skipped,
  }))
}

setup()
await step('Checks', checkAll)
await step('API clients that others wrote', othersClients)
await step('Unit and HTTP tests on the embedded database', () => vitest(undefined))
await step('HTTP tests on PostgreSQL', onPostgres)
let web = false
await step('Web build', async () => {
  web = await buildWeb()
  console.log(web ? '✓ dist/web is up to date' : '✗ dist/web could not be built')
  return web ? { passed: 1 } : { failed: 1 }
})
await step('Journeys in a browser', async () => {
  if (!web) console.log('Not run: there is no web to visit.')
  const browser = web && (await run(node, ['scripts/browsers.mjs'], { show: true })).code === 0
  return browser ? journeys() : { failed: 1 }
})

console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed || !sum.passed ? 1 : 0
