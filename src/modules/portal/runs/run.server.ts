import { problem } from '#kernel/errors.ts'
import type { BatchJobType } from '#server/engine/batch-job.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { registryOf } from '#server/engine/registry.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { resumeBatchJob, stopBatchJob, undoBatchJob } from '#server/jobs/batch-job-control.ts'
import { batchJobEnded } from '#server/jobs/batch-job-ended.ts'
import { listBulk } from '#server/jobs/list-bulk.ts'
import { listExport } from '#server/jobs/list-export.ts'
import { recoverBatchJobs } from '#server/jobs/recover-batch-jobs.ts'
import { notifyUsers } from '../notices/notify.server.ts'
import { exportCleanupSchedule, exportRoutes } from './export.server.ts'
import { run, runRefusal } from './run.ts'

const jobNotification = notificationType({
  kind: 'run.over',
  label: 'Imports, exports and other background jobs that have finished',
  for: 'member',
  icon: 'checklist',
  of: run,
  words: ({ title, state, refused }) =>
    state === 'failed'
      ? `${title} has failed`
      : `${title} is done${refused ? `, with ${refused.toLocaleString('en-GB')} refused` : ''}`,
  path: ({ kind }, engine) => registryOf(engine).batchJobs.get(kind ?? '')?.screen ?? '/profile/long-work',
  mail: false,
})

const notifyJobFinished = eventHandler(batchJobEnded, {
  name: 'run.tell-over',
  queue: 'events',
  run: async (c, { run: id }) => {
    const row = await c.get(run, id)
    if (row?.user)
      await notifyUsers(c, jobNotification, [{ to: row.user, about: id, since: row.finishedAt ?? undefined }])
  },
})

/** Type of a job that can be stopped and undone here. Jobs with their own screen are managed there. */
function kindOf(c: Context, row: { kind: string | null }): BatchJobType {
  const kind = registryOf(c.engine).batchJobs.get(row.kind ?? '')
  if (!kind || kind.managedAt)
    throw problem.conflict(`You can stop and undo this job where it was started${kind ? `: ${kind.managedAt}` : ''}.`)
  return kind
}

const runBehaviour = behaviour(run, {
  actions: {
    stop: async (c) => {
      kindOf(c, c.row)
      await stopBatchJob(c, c.row.id)
      return {}
    },
    resume: async (c) => {
      await resumeBatchJob(c, kindOf(c, c.row), c.row.id)
      return {}
    },
    undo: async (c) => {
      await undoBatchJob(c, kindOf(c, c.row), c.row.id)
      return {}
    },
  },
})

/** Resumes jobs of processes that have ended. */
const jobRecoverySchedule = schedule({ name: 'runs.recover', every: { minutes: 1 }, run: recoverBatchJobs })

export const runs = feature({
  resources: [run, runRefusal],
  behaviours: [runBehaviour],
  routes: exportRoutes,
  handlers: [notifyJobFinished],
  schedules: [jobRecoverySchedule, exportCleanupSchedule],
  batchJobs: [listBulk, listExport],
  notifications: [jobNotification],
})
