import { inRoot } from '../shared.mjs'
import { runTestRunner, shortenFailureReason } from './reported.mjs'

/** Returns the failures in a file, each with the start of its reason. */
function failuresIn({ name, message, status, assertionResults }) {
  const file = name.slice(inRoot('.').length + 1)
  if (status === 'failed' && !assertionResults.length) return [`${file}: ${shortenFailureReason(message)}`]
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${file} › ${test.fullName}: ${shortenFailureReason(test.failureMessages[0])}`)
}

/** Runs Vitest projects: all of their files, or the given files. */
export function vitest(projects, { show, files = [] }) {
  const report = `test-results/${projects.join('-')}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return runTestRunner({
    command: 'vitest',
    args: ['run', ...reporters, ...projects.flatMap((name) => ['--project', name]), ...files],
    report,
    show,
    variables: { DATABASE_URL: undefined },
    read: (found) => ({
      passed: found.numPassedTests,
      // A file that could not be loaded contains no failed tests, but is treated as a failure.
      failed:
        found.numFailedTests +
        found.testResults.filter((f) => f.status === 'failed' && !f.assertionResults.length).length,
      skipped: found.numPendingTests + found.numTodoTests,
      failures: found.testResults.flatMap(failuresIn),
    }),
  })
}
