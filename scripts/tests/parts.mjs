// Parts of `npm test`. Each resolves to {passed, failed, skipped, failures, output}. With `show`, a part prints its
// output while it runs.
import { existsSync, statSync } from 'node:fs'
import { checkAll } from '../check.mjs'
import { inRoot, node, run } from '../shared.mjs'
import { buildWeb } from '../web.mjs'
import { runTestRunner, shortenFailureReason } from './reported.mjs'
import { findDownloadProblems } from './sent.mjs'
import { vitest } from './vitest.mjs'

export const runStaticChecks = async ({ all }) => {
  const lines = []
  const found = await checkAll({ all, print: (line) => lines.push(line) })
  return { ...found, output: lines.join('\n') }
}

/** Installs a browser if there is none. Uses a separate process, because installing blocks until the download ends. */
export const installBrowser = () => run(node, ['scripts/browsers.mjs'])

/**
 * Creates the demo data with which parts start. If this fails, the first of these parts tries again and prints the
 * reason.
 */
export const makeDemoWorld = () => run(node, ['test/support/demo-world.ts'])

const writtenAt = (...path) => statSync(inRoot(...path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Installs the large API clients, unless they match their lock file. They are not part of the normal installation.
 * Returns true if they are installed.
 */
async function installClients() {
  const home = 'test/clients/packages'
  if (writtenAt(home, 'node_modules/.package-lock.json') >= writtenAt(home, 'package-lock.json')) return true
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', home]
  return (await run('npm', args, { minutes: 5 })).code === 0
}

/**
 * Runs the tests with other vendors' API clients. A full run first installs the large clients. If that fails, no client
 * tests are run; they are reported as skipped or, in CI, as failed.
 */
export async function runOtherClientTests(options) {
  if (!options.all || (await installClients())) return vitest(['clients'], options)
  return { [process.env.CI ? 'failed' : 'skipped']: 1, output: 'Not run: the API clients could not be installed.' }
}

export async function checkWebBuild() {
  if (!(await buildWeb())) return { failed: 1, output: '✗ dist/web could not be built' }
  const tooMuch = findDownloadProblems(inRoot('dist', 'web'))
  return tooMuch.length
    ? { passed: 1, failed: tooMuch.length, failures: tooMuch, output: '✓ dist/web is up to date' }
    : { passed: 2, output: '✓ dist/web is up to date, and its downloads are within their limits' }
}

export const unit = (options) => vitest(['unit'], options)
export const pdf = (options) => vitest(['pdf'], options)
export const processes = (options) => vitest(['processes'], options)
export const http = (options) => vitest(['http', 'invariants'], options)

/** Returns the failed end-to-end tests in a file or in a part of one, each with the start of the reason. */
function failuresIn({ suites = [], specs }) {
  const found = specs.flatMap(({ file, title, tests }) =>
    tests.flatMap(({ status, results }) => {
      const reason = results.flatMap((result) => result.error?.message ?? [])[0]
      return status === 'unexpected' ? [`${file} › ${title}: ${shortenFailureReason(reason)}`] : []
    }),
  )
  return [...found, ...suites.flatMap(failuresIn)]
}

/**
 * End-to-end tests that `npm test` runs: the main jobs of each module. `npm run test:all` runs the others too, and
 * `npm test -- --changed` those that a change affects.
 */
const MAIN_JOURNEYS = [
  'actions/corrective-action',
  'billing/invoices',
  'billing/quotes',
  'crm/calling',
  'crm/import',
  'documents/sign-off',
  'identity/impersonation',
  'identity/session',
  'incidents/accident-book',
  'portal/lists',
  'portal/new-client',
  'safety/hazards',
  'safety/method',
  'safety/toolbox-talk',
  'sales/sales',
  'screens',
  'shell/ways-in',
].map((name) => `test/e2e/${name}.spec.ts`)

/** Runs the end-to-end tests: the main journeys, all of them, or those in the given files. */
export async function journeys({ all, show, files = all ? [] : MAIN_JOURNEYS }) {
  if (!existsSync(inRoot('dist/web/index.html')))
    return { failed: 1, output: 'Not run: the web app has not been built.' }
  const missing = files.filter((file) => !existsSync(inRoot(file)))
  if (missing.length) return { failed: missing.length, output: `There is no ${missing.join(', ')}.` }
  const browser = await run(node, ['scripts/browsers.mjs'])
  if (browser.code !== 0) return { failed: 1, output: browser.output }
  return runTestRunner({
    command: 'playwright',
    args: ['test', ...files],
    report: 'test-results/journeys.json',
    show,
    read: (found) => ({
      passed: found.stats.expected,
      failed: found.stats.unexpected + found.stats.flaky,
      skipped: found.stats.skipped,
      failures: found.suites.flatMap(failuresIn),
    }),
  })
}
