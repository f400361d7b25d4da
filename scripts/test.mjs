// Runs the tests. `npm test` runs the daily selection, `npm run test:all` runs all tests, and `npm test -- --changed
// [COMMIT]` runs the tests that a change affects. The last line is the total: "N passed, N failed".
import { installDependencies } from './setup.mjs'
import { measureProcessorSeconds } from './shared.mjs'
import { runAllAttacks } from './tests/attacks.mjs'
import { findBaseCommit, listChangedFiles, planTests } from './tests/changed.mjs'
import { formatCostTable, writeTestCosts } from './tests/costs.mjs'
import { readImportGraph } from './tests/graph.mjs'
import * as parts from './tests/parts.mjs'
import { startTestPostgres } from './tests/server.mjs'

const began = Date.now()
const all = process.argv.includes('--all')
const sum = { passed: 0, failed: 0, skipped: 0 }
const costs = []
const failures = []
let server
const secondsSince = (time) => (Date.now() - time) / 1000

/**
 * Runs a part and adds its results to the totals. The output of a part that runs beside others is printed when the part
 * ends.
 */
async function runPart([title, kind, work, options = {}], show = true) {
  const started = Date.now()
  const databaseBefore = server?.seconds() ?? 0
  if (show) console.log(`\n— ${title}`)
  const { value: found, seconds: tools } = await measureProcessorSeconds(() =>
    work({ ...options, all, show }).catch((error) => ({ failed: 1, output: `${error.stack}` })),
  )
  if (!show) console.log(`\n— ${title}`)
  if (found.output) console.log(found.output.trim())
  for (const result of Object.keys(sum)) sum[result] += found[result] ?? 0
  failures.push(...(found.failures?.length ? found.failures : found.failed ? [title] : []).map((name) => `✗ ${name}`))
  const database = show ? (server?.seconds() ?? 0) - databaseBefore : 0
  const tests = (found.passed ?? 0) + (found.failed ?? 0)
  costs.push({ title, kind, tests, seconds: secondsSince(started), processor: tools + database })
}

const sideBySide = (...beside) => Promise.all(beside.map((part) => runPart(part, false)))

/**
 * Selects the parts to run: all of them, or those that a change affects. In the result, `undefined` means all files of
 * a part.
 */
function readPlan() {
  const at = process.argv.indexOf('--changed')
  if (at < 0)
    return { unit: undefined, http: undefined, pdf: true, processes: true, clients: true, journeys: undefined }
  const since = process.argv[at + 1] ?? findBaseCommit()
  const files = listChangedFiles(since)
  console.log(`${files.length} files differ from ${since.slice(0, 12)}.`)
  return planTests(files, readImportGraph(), Number(process.env.RANDOM_SEED))
}

// All parts use the same seed and demo data, even if the hour or day changes during the run.
process.env.RANDOM_SEED ??= `${Math.floor(began / 86_400_000)}`
process.env.DEMO_HOUR = new Date(began).toISOString().slice(0, 13)
if (all) process.env.TEST_SCOPE = 'all'
await installDependencies()
const plan = readPlan()
const isRun = (files) => files === undefined || files === true || files.length > 0
const some = (title, kind, work, files) => (isRun(files) ? [[title, kind, work, files === true ? {} : { files }]] : [])

// The static checks run beside all small parts, because the longest of them keeps only one processor busy. The browser
// is installed and the demo data created while the first parts run, which need neither.
const checks = runPart(['Static checks', 'static', parts.runStaticChecks], false)
const browser = isRun(plan.journeys) ? parts.installBrowser() : undefined
const world = isRun(plan.journeys) || plan.processes ? parts.makeDemoWorld() : undefined
await sideBySide(...some('Web build', 'static', parts.checkWebBuild, plan.journeys).map((part) => part.slice(0, 3)))
await Promise.all([world, browser])
server = await startTestPostgres()
await sideBySide(
  ...some('Unit tests', 'small', parts.unit, plan.unit),
  ...some('PDF documents', 'small', parts.pdf, plan.pdf),
  ...some("Other vendors' API clients", 'small', parts.runOtherClientTests, plan.clients),
)
await checks
for (const part of [
  ...some('Processes', 'small', parts.processes, plan.processes),
  ...some('HTTP tests', 'http', parts.http, plan.http),
  ...some('End-to-end tests', 'journeys', parts.journeys, plan.journeys),
  ...(all ? [['Attacks on a running portal', 'small', runAllAttacks]] : []),
])
  await runPart(part)
await server.stop()
const { user, system } = process.cpuUsage()
costs.push({ title: 'Overhead between parts', kind: 'static', tests: 0, seconds: 0, processor: (user + system) / 1e6 })

console.log(`\n${formatCostTable(costs, secondsSince(began)).join('\n')}`)
// `npm run figures` compares these costs with the budget, so they are saved only after a complete `npm test`.
if (!all && !plan.leftOut) writeTestCosts({ seconds: secondsSince(began), parts: costs })
if (failures.length)
  console.log(
    `\n${failures.join('\n')}\n\nTo repeat this run on another day, set RANDOM_SEED=${process.env.RANDOM_SEED}.`,
  )
if (plan.leftOut?.length) console.log(`\nLeft out: ${plan.leftOut.join('; ')}.`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed || !sum.passed ? 1 : 0
