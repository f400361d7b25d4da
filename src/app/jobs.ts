import type { Engine } from '#server/engine/types.ts'
import { type FailedJob, listFailedJobs, retryFailedJob } from '#server/jobs/schedules.ts'

const USAGE = 'Usage: jobs, or jobs retry ID'

const line = (f: FailedJob) =>
  [
    f.id,
    f.lane,
    f.job,
    f.client === null ? 'all clients' : `client ${f.client}`,
    `${f.attempts} ${f.attempts === 1 ? 'attempt' : 'attempts'}, last ${f.failedAt}, ${f.nextAt ? `next ${f.nextAt}` : 'given up'}`,
    f.error,
  ].join('  ')

/**
 * Lists the failed jobs, or queues one failed job to be retried as soon as the portal is running. Throws if there is no
 * such job, or a usage message for any other command.
 */
export async function runJobsCommand(engine: Engine, args: readonly string[]): Promise<string> {
  const [verb, id] = args
  if (verb === undefined) {
    const failures = await listFailedJobs(engine.db)
    return failures.length ? failures.map(line).join('\n') : 'No failed jobs.'
  }
  if (verb !== 'retry' || !id) throw new Error(USAGE)
  if (!(await retryFailedJob(engine, id)))
    throw new Error(`There is no failed job ${id}. Run "jobs" to list the failed jobs.`)
  return 'The job will be retried as soon as the portal is running.'
}
