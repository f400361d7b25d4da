// The parts of `npm test`. Each resolves to {passed, failed, skipped, failures, output}; `show` lets it print as it goes.
import { existsSync, statSync } from 'node:fs'
import { checkAll } from '../check.mjs'
import { inRoot, node, run } from '../shared.mjs'
import { buildWeb } from '../web.mjs'
import { beginningOf, runReported } from './reported.mjs'
import { tooMuchSent } from './sent.mjs'
import { vitest } from './vitest.mjs'

export const checks = async ({ all }) => {
  const lines = []
  const found = await checkAll({ all, print: (line) => lines.push(line) })
  return { ...found, output: lines.join('\n') }
}

/** Installs a browser, where there is none, in a process of its own: installing waits for the network. */
export const installBrowser = () => run(node, ['scripts/browsers.mjs'])

/** Makes the demo world that parts begin with. Where it could not be made, the first of them tries again and prints the reason. */
export const makeDemoWorld = () => run(node, ['test/support/demo-world.ts'])

const writtenAt = (...path) => statSync(inRoot(...path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Are the large clients installed as their lock file has them? They are not part of everybody's installation. */
async function installClients() {
  const home = 'test/clients/packages'
  if (writtenAt(home, 'node_modules/.package-lock.json') >= writtenAt(home, 'package-lock.json')) return true
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', home]
  return (await run('npm', args, { minutes: 5 })).code === 0
}

/** API clients of other vendors. Where the large ones can't be installed, their tests are skipped; in CI that is a failure. */
export async function otherClients(options) {
  if (!options.all || (await installClients())) return vitest(['clients'], options)
  return { [process.env.CI ? 'failed' : 'skipped']: 1, output: 'Not run: the clients could not be installed.' }
}

export async function webBuild() {
  if (!(await buildWeb())) return { failed: 1, output: '✗ dist/web could not be built' }
  const tooMuch = tooMuchSent(inRoot('dist', 'web'))
  return tooMuch.length
    ? { passed: 1, failed: tooMuch.length, failures: tooMuch, output: '✓ dist/web is up to date' }
    : { passed: 2, output: '✓ dist/web is up to date, and what is sent of it is within its limits' }
}

export const unit = (options) => vitest(['unit'], options)
export const pdf = (options) => vitest(['pdf'], options)
export const processes = (options) => vitest(['processes'], options)
export const http = (options) => vitest(['http', 'invariants'], options)

/** The journeys of a file, or a part of one, that failed, each with the beginning of the reason. */
function failuresIn({ suites = [], specs }) {
  const found = specs.flatMap(({ file, title, tests }) =>
    tests.flatMap(({ status, results }) => {
      const reason = results.flatMap((result) => result.error?.message ?? [])[0]
      return status === 'unexpected' ? [`${file} › ${title}: ${beginningOf(reason)}`] : []
    }),
  )
  return [...found, ...suites.flatMap(failuresIn)]
}

/** Journeys in a browser: all, or those in some files. */
export async function journeys({ show, files = [] }) {
  if (!existsSync(inRoot('dist/web/index.html'))) return { failed: 1, output: 'Not run: there is no web to visit.' }
  const browser = await run(node, ['scripts/browsers.mjs'])
  if (browser.code !== 0) return { failed: 1, output: browser.output }
  return runReported({
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
