import { eventHandler } from '#server/engine/handler.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { registryOf } from '#server/engine/registry.ts'
import { batchJobEnded } from '#server/jobs/batch-job-ended.ts'
import { notify } from '../notices/notify.server.ts'
import { run } from './run.ts'

export const runNotice = notificationType({
  kind: 'run.over',
  label: 'Imports, exports and other long work that has ended',
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

export const tellRunOver = eventHandler(batchJobEnded, {
  name: 'run.tell-over',
  queue: 'events',
  run: async (c, { run: id }) => {
    const row = await c.get(run, id)
    if (row?.user) await notify(c, runNotice, [{ to: row.user, about: id, since: row.finishedAt ?? undefined }])
  },
})
