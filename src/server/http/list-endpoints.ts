import { create as disposition } from 'content-disposition'
import { bulkActions, canUndo } from '#kernel/bulk.ts'
import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { type BulkAsk, readBulk } from '#server/bulk/ask.ts'
import { actOnEach } from '#server/bulk/direct.ts'
import { countBy, countedFields } from '#server/data/counts.ts'
import { parameters } from '#server/data/parameters.ts'
import type { Engine } from '#server/engine/engine.ts'
import { type ExportFile, FORMATS, type Format, readExport, writeExport } from '#server/exports/export.ts'
import { listBulk } from '#server/jobs/list-bulk.ts'
import { startRun } from '#server/jobs/run-control.ts'
import { searchAt } from './collection.ts'
import type { Answer, Call, Endpoint } from './endpoints.ts'
import { answerRun, plainQuery } from './run-answer.ts'

/** What can be done with a list as a whole, at addresses below it. */
export const listEndpoints = (engine: Engine, r: Resource): Endpoint[] => [
  ...(Object.keys(FORMATS) as Format[]).map((format) => exportEndpoint(engine, r, format)),
  ...(countedFields(r).length ? [countsEndpoint(engine, r)] : []),
  ...(bulkActions(r).length ? [bulkEndpoint(engine, r)] : []),
]

/** Records that a request acts on while its sender waits. */
const BULK_AT_ONCE = 100

/**
 * `POST {list}/bulk`: does one thing to chosen records, or to all that the list finds; a run beyond a hundred. What refuses is
 * listed, and holds up no other.
 */
const bulkEndpoint = (engine: Engine, r: Resource): Endpoint => ({
  method: 'POST',
  url: `${r.url}/bulk`,
  allow: r.allow.read ?? 'member',
  run: async (c) => {
    const { query, body, change } = c
    const ask = await readBulk(engine, r, change.actor, query, body)
    if (ask.keys.length + ask.unknown.length > BULK_AT_ONCE) return startBulk(engine, r, c, ask)
    const { name, undo } = ask.action
    const done = await actOnEach(engine, r, change, ask)
    const answer = { '@id': `${r.url}/bulk`, '@type': 'BulkResult', action: name, ...done, undo: undo ?? null }
    return { status: 200, text: JSON.stringify(answer) }
  },
})

/** Acts on more records than a request waits for: a run, which is answered at once and asked for until it has ended. */
function startBulk(engine: Engine, r: Resource, c: Call, ask: BulkAsk): Promise<Answer> {
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
  return answerRun(engine, c, (unit) => startRun(unit, listBulk, given, { total: keys.length + unknown.length }))
}

/** `GET {list}/counts?by=state`: how many records that the list finds have each value of a field. */
const countsEndpoint = (engine: Engine, r: Resource): Endpoint => ({
  method: 'GET',
  url: `${r.url}/counts`,
  allow: r.allow.read ?? 'member',
  run: async ({ actor, query, rawQuery }) => {
    if (!actor) throw problem.signIn()
    const by = typeof query.by === 'string' ? query.by : ''
    const narrow = engine.behaviourOf(r)?.extraFilters?.(query) ?? []
    const counts = await countBy(engine.db.read, r, actor, query, by, narrow)
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

/** `GET {list}/export.csv`: what the list finds as a file, its filters and order in the query, its columns as `columns=`. */
const exportEndpoint = (engine: Engine, r: Resource, format: Format): Endpoint => ({
  method: 'GET',
  url: `${r.url}/export.${format}`,
  allow: r.allow.read ?? 'member',
  bytes: true,
  // It leaves a trace: looking whether it is there must not.
  changes: true,
  run: async ({ actor, query }) => {
    if (!actor) throw problem.signIn()
    return sendFile(await writeExport(engine, { resource: r, actor, query, format }), format)
  },
})

/** Sends the file, which is gone once it is sent or the caller has gone. */
const sendFile = ({ fd, name, bytes }: ExportFile, format: Format): Answer => ({
  status: 200,
  text: '',
  bytes: readExport({ fd }),
  headers: {
    'content-type': FORMATS[format],
    'content-length': String(bytes),
    'content-disposition': disposition(name, { type: 'attachment' }),
    'cache-control': 'private, no-store',
  },
})
