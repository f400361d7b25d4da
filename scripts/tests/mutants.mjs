// Plants faults in a throwaway copy of the project, one at a time, and runs the tests that should notice (faults.mjs). Without arguments
// those that need no browser, with `--all` every one, with words those whose names contain one: `npm run mutants -- list VAT`. With `--check`
// it runs nothing, and says whether each fault can be planted.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setup } from '../setup.mjs'
import { giveUp, inRoot, measured, node, root, run } from '../shared.mjs'
import { FAULTS, faultProblems } from './faults.mjs'
import { startServer } from './server.mjs'

await setup()
const args = process.argv.slice(2)
const words = args.filter((arg) => !arg.startsWith('--'))
const needsBrowser = ({ checks }) => checks.every((check) => check.startsWith('journeys'))
const chosen = FAULTS.filter(({ name }) => !words.length || words.some((word) => name.includes(word))).filter(
  (fault) => args.includes('--all') || words.length || !needsBrowser(fault),
)

const problems = FAULTS.flatMap(faultProblems)
if (problems.length) giveUp(`The code has moved; please mend scripts/tests/faults.mjs.\n${problems.join('\n')}`)
if (args.includes('--check')) {
  console.log(`Each of ${FAULTS.length} faults can be planted.`)
  process.exit()
}

/** Copies the files of the project, committed or not, beside its packages. */
function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'stanchion-mutants-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  // A file that is deleted and not committed yet is in the list.
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

/** Runs a check in the copy: whether it passes, and the end of what it printed. */
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
/** A check that fails without a fault tells nothing. */
async function mustPass(check) {
  const result = passing.get(check) ?? (await runCheck(check))
  passing.set(check, result)
  if (!result.passes) giveUp(`"${check}" fails without a fault:\n${result.output.slice(-4000)}`)
}

/** The first check that fails with the fault, if one does. */
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

const server = await startServer()
let missed = 0
for (const fault of chosen) {
  const { value: check, seconds } = await measured(() => findingCheck(fault))
  if (!check) missed += 1
  const how = check ? `✓ found by ${check}` : `✗ missed by ${fault.checks.join(', ')}`
  console.log(`${how}: ${fault.name} (${Math.round(seconds)} processor seconds)`)
}
await server.stop()
console.log(`\n${chosen.length - missed} found, ${missed} missed`)
process.exit(missed ? 1 : 0)
