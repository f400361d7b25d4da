import { existsSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, run } from '../shared.mjs'

const NONE = { passed: 0, failed: 0, skipped: 0 }

/**
 * Runs a test runner and reads its JSON report. Resolves to {passed, failed, skipped, output}.
 * An unexplained end is a failure; so is silence, unless there may be no tests.
 */
export async function runReported({ command, args, report, read, variables, show, mayBeNone = false }) {
  rmSync(inRoot(report), { force: true })
  const { code, output } = await run(command, args, { show, variables, minutes: 30 })
  const found = existsSync(inRoot(report)) ? read(JSON.parse(readFileSync(inRoot(report), 'utf8'))) : NONE
  const none = found.passed + found.failed === 0
  if (none && !mayBeNone) return { ...found, failed: 1, output: `${output}\n${command} ran no tests.` }
  if (code !== 0 && found.failed === 0)
    return { ...found, failed: 1, output: `${output}\n${command} ended with code ${code}.` }
  return { ...found, output }
}
