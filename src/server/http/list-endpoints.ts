import { create as disposition } from 'content-disposition'
import { bulkActions, canUndo } from '#kernel/bulk.ts'
import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { type BulkRequest, readBulkRequest } from '#server/bulk/ask.ts'
import { applyToEach } from '#server/bulk/direct.ts'
import { countBy, countedFields } from '#server/data/counts.ts'
import { plainQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { parameters } from '#server/data/parameters.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  EXPORT_CONTENT_TYPES,
  type ExportFile,
  type ExportFormat,
  readExport,
  writeExport,
} from '#server/exports/export.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { listBulk } from '#server/jobs/list-bulk.ts'
import { searchAt } from './collection.ts'
import { type Answer, type Call, type Endpoint, storingAnswer } from './endpoint.ts'
import { item } from './represent.ts'

/** Endpoints below a list for all of it: export, counts and bulk actions. */
export const listEndpoints = (engine: Engine, r: Resource): Endpoint[] => [
  ...(Object.keys(EXPORT_CONTENT_TYPES) as ExportFormat[]).map((format) => exportEndpoint(engine, r, format)),
  ...(countedFields(r).length ? [countsEndpoint(engine, r)] : []),
  ...(bulkActions(r).length ? [bulkEndpoint(engine, r)] : []),
]

/** Records of a bulk action within the request; more of them are a batch job. */
const BULK_AT_ONCE = 100

/**
 * `POST {list}/bulk`: runs an action on chosen records, or on all that the list finds; as a batch job beyond a hundred. Refusals are
 * listed, and stop no other record.
 */
const bulkEndpoint = (engine: Engine, r: Resource): Endpoint => ({
  method: 'POST',
  url: `${r.url}/bulk`,
  allow: r.allow.read ?? 'member',
  run: async (c) => {
    const { query, body, change } = c
    const ask = await readBulkRequest(engine, r, change.actor, query, body)
    if (ask.keys.length + ask.unknown.length > BULK_AT_ONCE) return startBulk(engine, r, c, ask)
    const { name, undo } = ask.action
    const done = await applyToEach(engine, r, change, ask)
    const answer = { '@id': `${r.url}/bulk`, '@type': 'BulkResult', action: name, ...done, undo: undo ?? null }
    return { status: 200, text: JSON.stringify(answer) }
  },
})

/** Starts a run for more records than a request waits for. Answers 202, with the run to be asked for until it has ended. */
async function startBulk(engine: Engine, r: Resource, c: Call, ask: BulkRequest): Promise<Answer> {
  const { action, input, query, keys, unknown } = ask
  const given = {
    list: r.url,
    action: action.name,
    input,
    query: plainQuery(query),
    undo: action.undo ?? null,
    givesBack: action.undo === undefined && canUndo(action),
    unknown,
  }
  const runs = engine.resources.find(({ type }) => type === 'Run')
  if (!runs) throw new Error('No module shows runs')
  const { actor } = c.change
  const answer = (run: ApiRecord): Answer => ({
    status: 202,
    text: item(runs.type, run),
    headers: { location: String(run['@id']) },
  })
  const started = await engine.inTenant<ApiRecord>(actor.clientId, storingAnswer(c, answer), async (unit) => {
    const id = await startBatchJob(unit, listBulk, given, { total: keys.length + unknown.length })
    return () => engine.one(runs, actor, id)
  })
  return answer(started)
}

/** `GET {list}/counts?by=state`: the number of matching records for each value of a field. */
const countsEndpoint = (engine: Engine, r: Resource): Endpoint => ({
  method: 'GET',
  url: `${r.url}/counts`,
  allow: r.allow.read ?? 'member',
  run: async ({ actor, query, rawQuery }) => {
    if (!actor) throw problem.signIn()
    const by = typeof query.by === 'string' ? query.by : ''
    const counts = await countBy(engine.db.read, r, actor, query, by, engine.extraFilters(r, query))
    const filters = parameters(r).filter(({ variable }) => !variable.startsWith('order['))
    const body = {
      '@id': `${r.url}/counts?${rawQuery}`,
      '@type': 'Counts',
      by,
      counts,
      'hydra:search': searchAt(`${r.url}/counts`, [{ variable: 'by', property: '', required: true }, ...filters]),
    }
    return { status: 200, text: JSON.stringify(body) }
  },
})

/** `GET {list}/export.csv`: the matching records as a file, with filters and order in the query, and its columns as `columns=`. */
const exportEndpoint = (engine: Engine, r: Resource, format: ExportFormat): Endpoint => ({
  method: 'GET',
  url: `${r.url}/export.${format}`,
  allow: r.allow.read ?? 'member',
  bytes: true,
  // It is audited: HEAD must not be.
  writesOnGet: true,
  run: async ({ actor, query }) => {
    if (!actor) throw problem.signIn()
    return sendFile(await writeExport(engine, { resource: r, actor, query, format }), format)
  },
})

/** Sends the file, which is deleted once it is sent or the caller has gone. */
const sendFile = ({ fd, name, bytes }: ExportFile, format: ExportFormat): Answer => ({
  status: 200,
  text: '',
  bytes: readExport({ fd }),
  headers: {
    'content-type': EXPORT_CONTENT_TYPES[format],
    'content-length': String(bytes),
    'content-disposition': disposition(name, { type: 'attachment' }),
    'cache-control': 'private, no-store',
  },
})
