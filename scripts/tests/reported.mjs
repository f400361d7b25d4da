import { existsSync, readFileSync, rmSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { inRoot, run } from '../shared.mjs'

const EMPTY_COUNTS = { passed: 0, failed: 0, skipped: 0 }

/** Returns the first lines of the reason for a failure, without colours. */
export const shortenFailureReason = (reason = '') =>
  stripVTControlCharacters(reason).trim().split('\n').slice(0, 3).join(' ').slice(0, 2400)

/**
 * Runs a test runner and reads its JSON report. Resolves to {passed, failed, skipped, failures, output}. An exit code
 * other than 0 without a failed test is treated as a failure, and so is a run without tests.
 */
export async function runTestRunner({ command, args, report, read, variables, show }) {
  rmSync(inRoot(report), { force: true })
  const { code, output } = await run(command, args, { show, variables, minutes: 60 })
  const found = existsSync(inRoot(report)) ? read(JSON.parse(readFileSync(inRoot(report), 'utf8'))) : EMPTY_COUNTS
  if (found.passed + found.failed === 0) return { ...found, failed: 1, output: `${output}\n${command} ran no tests.` }
  if (code !== 0 && found.failed === 0)
    return { ...found, failed: 1, output: `${output}\n${command} ended with exit code ${code}.` }
  return { ...found, output }
}
