// Injects faults into a temporary copy of the project, one at a time, and runs the tests that should detect them
// (faults.mjs). Without arguments, it uses the faults that need no browser; with `--all`, all faults; with words, those
// whose names contain one of them: `npm run mutants -- list VAT`. With `--check`, it runs no tests and only reports
// whether each fault can be injected.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installDependencies } from '../setup.mjs'
import { exitWithError, inRoot, measureProcessorSeconds, node, root, run } from '../shared.mjs'
import { FAULTS, findFaultProblems } from './faults.mjs'
import { startTestPostgres } from './server.mjs'

await installDependencies()
const args = process.argv.slice(2)
const words = args.filter((arg) => !arg.startsWith('--'))
const needsBrowser = ({ checks }) => checks.every((check) => check.startsWith('journeys'))
const chosen = FAULTS.filter(({ name }) => !words.length || words.some((word) => name.includes(word))).filter(
  (fault) => args.includes('--all') || words.length || !needsBrowser(fault),
)

const problems = FAULTS.flatMap(findFaultProblems)
if (problems.length)
  exitWithError(`The code has changed. Please update scripts/tests/faults.mjs.\n${problems.join('\n')}`)
if (args.includes('--check')) {
  console.log(`All ${FAULTS.length} faults can be injected.`)
  process.exit()
}

/** Copies the project's files, committed or not, and links its packages. */
function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'stanchion-mutants-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  // The list may include a file that is deleted but not yet committed.
  for (const file of list
    .toString()
    .split('\n')
    .filter((name) => name && existsSync(inRoot(name)))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(inRoot(file), join(copy, file))
  }
  symlinkSync(inRoot('node_modules'), join(copy, 'node_modules'))
  return copy
}

const copy = copyProject()
const variables = { TEST_SCOPE: undefined, DATABASE_URL: undefined }

/** Runs a check in the copied source tree. Returns whether the check passed, and its output. */
async function runCheck(check) {
  const [project, path] = check.split(' ')
  if (project === 'journeys') {
    const built = await run(node, ['scripts/web.mjs'], { variables, cwd: copy })
    if (built.code !== 0) return { passes: false, output: built.output }
  }
  const command =
    project === 'journeys' ? ['playwright', ['test', path]] : ['vitest', ['run', '--project', project, path]]
  const { code, output } = await run(...command, { variables, cwd: copy, minutes: 20 })
  return { passes: code === 0, output }
}

const passing = new Map()
/** Exits if a check fails even without a fault. Such a check could not show that the fault is detected. */
async function mustPass(check) {
  const result = passing.get(check) ?? (await runCheck(check))
  passing.set(check, result)
  if (!result.passes) exitWithError(`"${check}" fails even without a fault:\n${result.output.slice(-4000)}`)
}

/** Returns the first check that fails with the fault, or undefined. */
async function findingCheck({ file, find, replace, checks }) {
  for (const check of checks) {
    await mustPass(check)
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(find, () => replace),
    )
    const { passes } = await runCheck(check)
    writeFileSync(path, text)
    if (!passes) return check
  }
  return undefined
}

const server = await startTestPostgres()
let missed = 0
for (const fault of chosen) {
  const { value: check, seconds } = await measureProcessorSeconds(() => findingCheck(fault))
  if (!check) missed += 1
  const how = check ? `✓ detected by ${check}` : `✗ not detected by ${fault.checks.join(', ')}`
  console.log(`${how}: ${fault.name} (${Math.round(seconds)} processor seconds)`)
}
await server.stop()
console.log(`\n${chosen.length - missed} detected, ${missed} not detected`)
process.exit(missed ? 1 : 0)
