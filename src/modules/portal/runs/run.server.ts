import { create as disposition } from 'content-disposition'
import { accessScopeFor, FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { getPackRejectionReason } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { BatchJobType } from '#server/engine/schedule.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { EXPORT_CONTENT_TYPES, type ExportFormat } from '#server/exports/export.ts'
import { MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import {
  batchJobFile,
  batchJobFileKey,
  listExportJob,
  removeExpiredBatchJobFiles,
  resumeBatchJob,
  startBatchJob,
  stopBatchJob,
  undoBatchJob,
} from '#server/jobs/batch-job-control.ts'
import { recoverBatchJobs } from '#server/jobs/batch-job-store.ts'
import { batchJobEndedEvent } from '#server/jobs/batch-job-turn.ts'
import { bulkActionJob } from '#server/jobs/list-bulk.ts'
import { notifyUsers } from '../notices/notify.server.ts'
import { batchJob, batchJobRejection } from './run.ts'

const FILE_GONE_MESSAGE = 'This file is no longer available. Please export the list again.'

const FEWER_RIGHTS_MESSAGE =
  'Some of the roles that you had when this file was created have been removed. Please export again.'

const begin: Route = {
  method: 'POST',
  path: '/api/portal/exports',
  title:
    'Export a list of any length: `from` is the URL of the list with filters, order and columns; `format` is csv or xlsx',
  allow: 'member',
  whileImpersonating: true,
  handle: async (c) => {
    const { resource, query } = readFrom(c.engine, c.body.from)
    const format = Object.keys(EXPORT_CONTENT_TYPES).find((f): f is ExportFormat => f === c.body.format)
    if (!format) throw problem.badRequest(`"format" must be one of: ${Object.keys(EXPORT_CONTENT_TYPES).join(', ')}.`)
    if (accessScopeFor(c.me, 'read', resource).tenants === 'none')
      throw problem.forbidden(getPackRejectionReason(c.me, resource.pack))
    return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
      const id = await startBatchJob(unit, listExportJob, { list: resource.url, query, format })
      return async () => {
        const made = await c.engine.one(batchJob, c.me, id)
        return new RouteResponse(202, made, { location: made['@id'] })
      }
    })
  },
}

/** Parses a list's URL into its resource and query. Throws 400 if there is no such list. */
function readFrom(engine: Engine, from: unknown): { resource: Resource; query: Record<string, string | string[]> } {
  const [path, rest = ''] = typeof from === 'string' ? from.split(/\?(.*)/s) : []
  const resource = engine.resources.find(({ url }) => url === path)
  if (!resource) throw problem.badRequest('"from" must be the URL of a list.')
  const values = Map.groupBy(new URLSearchParams(rest), ([name]) => name)
  const query = Object.fromEntries(
    [...values].flatMap(([name, all]) => {
      const [first, ...more] = all.map(([, value]) => value)
      return first === undefined || name === '__proto__' ? [] : [[name, more.length ? [first, ...more] : first]]
    }),
  )
  return { resource, query: query satisfies RequestQuery }
}

const fetchFile: Route = {
  method: 'GET',
  path: `${batchJob.url}/{id}/file`,
  title: 'Download the file created by one of your own background jobs',
  allow: 'member',
  file: [EXPORT_CONTENT_TYPES.csv, EXPORT_CONTENT_TYPES.xlsx, 'application/pdf'],
  handle: async (c) => {
    const { id, file } = await findFile(c)
    const bytes = await (await fileStoreFor(c.engine.config))
      .get(batchJobFileKey({ clientId: c.me.clientId, id }))
      .catch((e: unknown) => {
        throw e instanceof MissingFileError ? problem.notFound(FILE_GONE_MESSAGE) : e
      })
    return new RouteResponse(200, bytes, {
      'content-type': file.type,
      'content-length': String(file.bytes),
      'content-disposition': disposition(file.name, { type: 'attachment' }),
      'cache-control': 'private, no-store',
    })
  },
}

/**
 * Finds the result file of the actor's own job. The file must still be retained, and the actor must still be allowed to
 * read the list and the confidential data in the file, and have every role with which it was written.
 */
async function findFile({ engine, me, params, now }: RouteContext) {
  const { id } = await engine.one(batchJob, me, await engine.idOf(batchJob, me, params.id))
  const row = await engine.readIn(me.clientId, 'find a background job’s file', (c) => c.get(batchJob, id))
  if (!row || row.user !== me.userId) throw problem.notFound()
  const file = batchJobFile.safeParse(row.file).data
  if (!file || Temporal.Instant.compare(Temporal.Instant.from(file.until), now) < 0)
    throw problem.notFound(FILE_GONE_MESSAGE)
  const list = engine.resources.find(({ url }) => url === file.list)
  if (!list || accessScopeFor(me, 'read', list).tenants === 'none')
    throw problem.forbidden(getPackRejectionReason(me, list?.pack))
  if (file.role && me.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  if (file.role && !hasRole(me, file.role))
    throw problem.forbidden('This file contains data that is not available to you.')
  if (file.rights.some((right) => !me.roles.includes(right) && !me.scopes.includes(right)))
    throw problem.forbidden(FEWER_RIGHTS_MESSAGE)
  return { id, file }
}

const exportRoutes: readonly Route[] = [begin, fetchFile]

/** Schedule that removes exported files once their retention period has ended. */
const exportCleanupSchedule = schedule({ name: 'runs.files', every: { minutes: 60 }, run: removeExpiredBatchJobFiles })

const jobNotification = declareNotificationType({
  kind: 'run.over',
  label: 'Imports, exports and other background jobs that have finished',
  for: 'member',
  icon: 'checklist',
  of: batchJob,
  words: ({ title, state, refused }) =>
    state === 'failed'
      ? `${title} has failed`
      : `${title} is done${refused ? `, with ${refused.toLocaleString('en-GB')} refused` : ''}`,
  path: ({ kind }, engine) => registryOf(engine).batchJobs.get(kind ?? '')?.screen ?? '/profile/long-work',
  mail: false,
})

const notifyJobFinished = eventHandler(batchJobEndedEvent, {
  name: 'run.tell-over',
  queue: 'events',
  run: async (c, { run: id }) => {
    const row = await c.get(batchJob, id)
    if (row?.user)
      await notifyUsers(c, jobNotification, [{ to: row.user, about: id, since: row.finishedAt ?? undefined }])
  },
})

/**
 * Returns the type of a job that can be stopped and undone on this screen. Throws 409 for jobs that are managed on
 * their own screen.
 */
function kindOf(c: Context, row: { kind: string | null }): BatchJobType {
  const kind = registryOf(c.engine).batchJobs.get(row.kind ?? '')
  if (!kind || kind.managedAt)
    throw problem.conflict(`You can stop and undo this job where it was started${kind ? `: ${kind.managedAt}` : ''}.`)
  return kind
}

const runBehaviour = behaviour(batchJob, {
  actions: {
    stop: async (c) => {
      // Impersonators may stop only their own jobs.
      if (c.actor.original && c.row.author !== c.actor.original.username)
        throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
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

/** Schedule that resumes jobs whose process has ended. */
const jobRecoverySchedule = schedule({ name: 'runs.recover', every: { minutes: 1 }, run: recoverBatchJobs })

export const batchJobFeature = feature({
  resources: [batchJob, batchJobRejection],
  behaviours: [runBehaviour],
  routes: exportRoutes,
  handlers: [notifyJobFinished],
  schedules: [jobRecoverySchedule, exportCleanupSchedule],
  batchJobs: [bulkActionJob, listExportJob],
  notifications: [jobNotification],
})
