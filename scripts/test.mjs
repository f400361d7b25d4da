// The tests: `npm test` what a day can afford, `npm run test:all` everything, `npm test -- --changed [COMMIT]` what a change touches.
// The last line is the sum: "N passed, N failed".
import { setup } from './setup.mjs'
import { measured } from './shared.mjs'
import { baseCommit, changedFiles, planFor } from './tests/changed.mjs'
import { costTable, writeCosts } from './tests/costs.mjs'
import { readGraph } from './tests/graph.mjs'
import * as parts from './tests/parts.mjs'
import { startServer } from './tests/server.mjs'

const began = Date.now()
const all = process.argv.includes('--all')
const sum = { passed: 0, failed: 0, skipped: 0 }
const costs = []
const failures = []
let server
const secondsSince = (time) => (Date.now() - time) / 1000

/** Runs a part and counts it in. One that runs beside others is printed when it ends. */
async function runPart([title, kind, work, options = {}], show = true) {
  const started = Date.now()
  const databaseBefore = server?.seconds() ?? 0
  if (show) console.log(`\n— ${title}`)
  const { value: found, seconds: tools } = await measured(() =>
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

/** Selects the parts to run: all of them, or those that a change touches. `files` undefined means all files of a part. */
function readPlan() {
  const at = process.argv.indexOf('--changed')
  if (at < 0)
    return { unit: undefined, http: undefined, pdf: true, processes: true, clients: true, journeys: undefined }
  const since = process.argv[at + 1] ?? baseCommit()
  const files = changedFiles(since)
  console.log(`${files.length} files differ from ${since.slice(0, 12)}.`)
  return planFor(files, readGraph(), Number(process.env.RANDOM_SEED))
}

// One seed and one demo world for all parts, whatever the clock says by then.
process.env.RANDOM_SEED ??= `${Math.floor(began / 86_400_000)}`
process.env.DEMO_HOUR = new Date(began).toISOString().slice(0, 13)
if (all) process.env.TEST_SCOPE = 'all'
await setup()
const plan = readPlan()
const isRun = (files) => files === undefined || files === true || files.length > 0
const some = (title, kind, work, files) => (isRun(files) ? [[title, kind, work, files === true ? {} : { files }]] : [])

// Beside the first parts, which need none of it.
const browser = isRun(plan.journeys) ? parts.installBrowser() : undefined
const world = isRun(plan.journeys) || plan.processes ? parts.makeDemoWorld() : undefined
await sideBySide(
  ['Static checks', 'static', parts.checks],
  ...some('Web build', 'static', parts.webBuild, plan.journeys).map((part) => part.slice(0, 3)),
)
await Promise.all([world, browser])
server = await startServer()
await sideBySide(
  ...some('Unit tests', 'small', parts.unit, plan.unit),
  ...some('Documents as PDF', 'small', parts.pdf, plan.pdf),
  ...some('API clients of other vendors', 'small', parts.otherClients, plan.clients),
)
for (const part of [
  ...some('Processes', 'small', parts.processes, plan.processes),
  ...some('HTTP tests', 'http', parts.http, plan.http),
  ...some('Journeys in a browser', 'journeys', parts.journeys, plan.journeys),
])
  await runPart(part)
await server.stop()
const { user, system } = process.cpuUsage()
costs.push({ title: 'Between the parts', kind: 'static', tests: 0, seconds: 0, processor: (user + system) / 1e6 })

console.log(`\n${costTable(costs, secondsSince(began)).join('\n')}`)
// For `npm run figures`: of a run that left nothing out.
if (!all && !plan.leftOut) writeCosts({ seconds: secondsSince(began), parts: costs })
if (failures.length)
  console.log(`\n${failures.join('\n')}\n\nRANDOM_SEED=${process.env.RANDOM_SEED} tries the same again on another day.`)
if (plan.leftOut?.length) console.log(`\nLeft out: ${plan.leftOut.join('; ')}.`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed || !sum.passed ? 1 : 0
