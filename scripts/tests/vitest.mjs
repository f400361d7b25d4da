import { inRoot } from '../shared.mjs'
import { beginningOf, runReported } from './reported.mjs'

/** The failures of a file, each with the beginning of its reason. */
function failuresIn({ name, message, status, assertionResults }) {
  const file = name.slice(inRoot('.').length + 1)
  if (status === 'failed' && !assertionResults.length) return [`${file}: ${beginningOf(message)}`]
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${file} › ${test.fullName}: ${beginningOf(test.failureMessages[0])}`)
}

/** Runs projects of Vitest: all of their files, or these. */
export function vitest(projects, { show, files = [] }) {
  const report = `test-results/${projects.join('-')}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return runReported({
    command: 'vitest',
    args: ['run', ...reporters, ...projects.flatMap((name) => ['--project', name]), ...files],
    report,
    show,
    variables: { DATABASE_URL: undefined },
    read: (found) => ({
      passed: found.numPassedTests,
      // A file that could not even be loaded has no tests to fail.
      failed:
        found.numFailedTests +
        found.testResults.filter((f) => f.status === 'failed' && !f.assertionResults.length).length,
      skipped: found.numPendingTests + found.numTodoTests,
      failures: found.testResults.flatMap(failuresIn),
    }),
  })
}
