// Everything that must hold; with `--changed [COMMIT]`, what a change touches. The last line is the sum: "N passed, N failed".
import { setup } from './setup.mjs'
import { allJourneys, baseCommit, changedFiles, planFor } from './tests/changed.mjs'
import * as parts from './tests/parts.mjs'
import { costTable, writeCosts } from './tests/table.mjs'

const began = Date.now()
const sum = { passed: 0, failed: 0, skipped: 0 }
const costs = []
const failures = []
const unsteady = []
const secondsSince = (time) => (Date.now() - time) / 1000

/** Runs a part and counts it in. One that runs beside others is printed when it ends. */
async function runPart([title, work, options = {}], show = true) {
  const started = Date.now()
  if (show) console.log(`\n— ${title}`)
  const found = await work({ ...options, show }).catch((error) => ({ failed: 1, output: `${error.stack}` }))
  if (!show) console.log(`\n— ${title}`)
  if (found.output) console.log(found.output.trim())
  for (const kind of Object.keys(sum)) sum[kind] += found[kind] ?? 0
  failures.push(...(found.failures?.length ? found.failures : found.failed ? [title] : []).map((name) => `✗ ${name}`))
  costs.push({ title, tests: (found.passed ?? 0) + (found.failed ?? 0), seconds: secondsSince(started) })
  unsteady.push(...(found.unsteady ?? []))
  return found
}

const sideBySide = (...beside) => Promise.all(beside.map((part) => runPart(part, false)))

function readPlan() {
  const at = process.argv.indexOf('--changed')
  if (at < 0) return { http: true, processes: true, journeys: allJourneys(), leftOut: [] }
  const since = process.argv[at + 1] ?? baseCommit()
  const files = changedFiles(since)
  console.log(`${files.length} files are otherwise than at ${since.slice(0, 12)}.`)
  return planFor(since, files, allJourneys())
}

// One demo world for all parts that begin with one, whatever the clock says by then.
process.env.DEMO_HOUR = new Date(began).toISOString().slice(0, 13)
await setup()
const { since, http, processes, journeys, leftOut } = readPlan()
// Beside the first parts, which need none.
const browser = journeys.length ? parts.installBrowser() : undefined
const postgres = parts.startPostgres()
const world = processes || journeys.length ? parts.makeDemoWorld() : undefined
await sideBySide(['Static checks', parts.checks], ...(journeys.length ? [['Web build', parts.webBuild]] : []))
await world
const server = await postgres
process.env.TEST_DATABASE_URL = server.url
// Processes mostly wait for one another, and a PDF is made by one thread.
await sideBySide(
  ...(http ? [['API clients that others wrote', parts.othersClients, { since }]] : []),
  ['Unit tests', parts.unit, { since }],
  ['Documents as PDF', parts.pdf, { since }],
  ...(processes ? [['Processes', parts.processes]] : []),
)
if (http) await runPart(['HTTP tests', parts.http, { since }])
server.stop()
await browser
if (journeys.length) await runPart(['Journeys in a browser', parts.journeys, { files: journeys }])

console.log(`\n${costTable(costs, secondsSince(began)).join('\n')}`)
// For `npm run figures`: only of a run that left nothing out.
if (!since && !leftOut.length) writeCosts({ seconds: secondsSince(began), tests: sum.passed + sum.failed })
if (failures.length) console.log(`\n${failures.join('\n')}`)
if (unsteady.length)
  console.log(`\nUnsteady, passed at the second try:\n${unsteady.map((name) => `~ ${name}`).join('\n')}`)
if (leftOut.length) console.log(`\nLeft out: ${leftOut.join('; ')}.`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed || !sum.passed ? 1 : 0
