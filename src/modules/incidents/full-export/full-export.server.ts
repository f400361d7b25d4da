import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { longText } from '#kernel/fields.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { formatUkDateTime, londonDate } from '#kernel/time.ts'
import { type RequestQuery, toPlainQuery } from '#server/data/filters.ts'
import type { RecordKey } from '#server/data/matching-rows.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import type { SqlConn } from '#server/db/db.ts'
import { type ConfidentialRead, confidentialField, logConfidentialReads } from '#server/engine/confidential-reads.ts'
import { feature } from '#server/engine/module.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import type { CellValue, ExportColumn } from '#server/exports/columns.ts'
import { readExportCells, writeCsv } from '#server/exports/compiled.ts'
import {
  EXPORT_CONTENT_TYPES,
  fillExportFile,
  findExportKeys,
  MAX_EXPORT_ROWS,
  readExport,
} from '#server/exports/export.ts'
import { fileStoreFor } from '#server/files/store.ts'
import {
  attachBatchJobFile,
  batchJobFileKey,
  defineBatchJob,
  setBatchJobTotal,
  startBatchJob,
} from '#server/jobs/batch-job-control.ts'
import { createTurnGiver } from '#server/slices.ts'
import { incidentFacts } from '../incident-facts.ts'
import { lookups } from '../lookups/lookup.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { incidentAmendment, incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import {
  AMENDMENT_COLUMNS,
  AMENDMENTS,
  buildPersonColumns,
  INCIDENT_COLUMNS,
  REPORT_OF_PERSON,
} from './columns.server.ts'

const INPUT = z.object({
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  reason: z.string(),
})
type Input = z.output<typeof INPUT>

/** Number of incidents read together. */
const PORTION = 200
/** Number of reads logged by one statement. */
const READS_PER_STATEMENT = 500

/** Conditions under which the rows of an export are read. */
interface Reading {
  readonly conn: SqlConn
  readonly engine: Engine
  readonly actor: Actor
}

/**
 * Exports the incidents of a list with all health details. The file is attached in the transaction that logs one
 * confidential read for each incident, so that there is no file without its log.
 */
const fullExportJob = defineBatchJob<Input, number>({
  kind: 'incident.full-export',
  title: 'Export of the accident book with health details',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: z.int(),
  restarts: () => true,
  writesFile: true,
  steps: exportIncidents,
})

async function* exportIncidents(
  engine: Engine,
  run: BatchJob<Input>,
  _: number | null,
  actor: Actor,
): AsyncGenerator<BatchStep<number>> {
  if (!hasRole(actor, INCIDENT_READER_ROLE))
    throw problem.forbidden('Only readers of health details can export them. Nothing was exported.')
  const { query, reason } = run.input
  const { fd, rows, bytes, reads } = await writeIncidents(engine, actor, query)
  await (await fileStoreFor(engine.config)).put(batchJobFileKey(run), readExport({ fd }), bytes)
  yield {
    cursor: rows,
    execute: async (c) => {
      for (let n = 0; n < reads.length; n += READS_PER_STATEMENT)
        await logConfidentialReads(
          c.work.tx,
          actor,
          reads.slice(n, n + READS_PER_STATEMENT).map((read) => ({ ...read, reason: `Export: ${reason}` })),
        )
      await writeAuditEvent(c.work.tx, actor, {
        clientId: c.clientId,
        type: incidentReport.type,
        rowId: 0,
        verb: 'export',
        changes: { format: 'csv', confidential: true, rows, query, reason },
      })
      await setBatchJobTotal(c, run, rows)
      await attachBatchJobFile(c, run, {
        name: `accident-book-with-health-details-${londonDate(c.now).toString()}.csv`,
        type: EXPORT_CONTENT_TYPES.csv,
        bytes,
        list: incidentFacts.url,
        role: INCIDENT_READER_ROLE,
      })
      return { done: rows }
    },
  }
}

/** Writes the incidents of a list to a file. Returns the confidential fields in the file, by incident. */
async function writeIncidents(engine: Engine, actor: Actor, query: RequestQuery) {
  const effects = await engine.readIn(actor.clientId, 'name the effects of injuries', (c) =>
    c.find(lookups.injuryEffects, {}),
  )
  const people = buildPersonColumns(new Map(effects.map(({ id, description }) => [id, description])))
  const reads: ConfidentialRead[] = []
  const file = await fillExportFile((open) =>
    engine.db.snapshot(async (conn) => {
      const reading = { conn, engine, actor }
      const list = { resource: incidentFacts, actor, query }
      const keys = await findExportKeys(engine, conn, list, MAX_EXPORT_ROWS)
      const portions = readPortions(reading, keys, people, reads)
      await pipeline(writeCsv([...INCIDENT_COLUMNS, AMENDMENTS, ...people], portions, 'uk'), open())
      return keys.length
    }),
  )
  return { ...file, reads }
}

/** Yields the rows of the file: one for each person of an incident, and one for an incident without people. */
async function* readPortions(
  reading: Reading,
  keys: readonly RecordKey[],
  columns: readonly ExportColumn[],
  reads: ConfidentialRead[],
): AsyncGenerator<CellValue[][]> {
  const giveTurn = createTurnGiver()
  const noPerson = columns.map(() => null)
  for (let from = 0; from < keys.length; from += PORTION) {
    const portion = keys.slice(from, from + PORTION)
    const incidents = await readCells(reading, incidentFacts, INCIDENT_COLUMNS, portion)
    const people = await readCellsByReport(reading, incidentPerson, [REPORT_OF_PERSON, ...columns], portion)
    const amendments = await readCellsByReport(reading, incidentAmendment, AMENDMENT_COLUMNS, portion)
    const rows: CellValue[][] = []
    for (const [place, cells] of incidents.entries()) {
      const [clientId, id] = portion[place] as RecordKey
      const named = people.get(id) ?? []
      const fields = confidentialFieldsOf(cells, named, columns)
      if (fields.length) reads.push({ clientId, resource: incidentReport, id, title: String(cells[0] ?? ''), fields })
      const amended = (amendments.get(id) ?? []).map(amendmentText).join('\n') || null
      for (const person of named.length ? named : [noPerson]) rows.push([...cells, amended, ...person])
      const turn = giveTurn()
      if (turn) await turn
    }
    yield rows
  }
}

async function readCells(
  { conn, actor }: Reading,
  r: Resource,
  columns: readonly ExportColumn[],
  keys: readonly RecordKey[],
): Promise<CellValue[][]> {
  const rows: CellValue[][] = []
  for await (const batch of readExportCells(conn, r, actor, columns, keys, { confidential: true })) rows.push(...batch)
  return rows
}

/** Reads the rows that belong to incidents, by the ID of their incident, which is in the first column. */
async function readCellsByReport(
  reading: Reading,
  r: Resource,
  columns: readonly ExportColumn[],
  incidents: readonly RecordKey[],
): Promise<ReadonlyMap<number, CellValue[][]>> {
  const query = {
    report: incidents.map(([, id]) => iriOf(incidentReport, id)),
    ...('retired' in r.fields ? { retired: 'false' } : {}),
  }
  const keys = await findExportKeys(reading.engine, reading.conn, { ...reading, resource: r, query }, MAX_EXPORT_ROWS)
  const rows = await readCells(reading, r, columns, keys)
  const byReport = Map.groupBy(rows, ([report]) => Number(report))
  return new Map([...byReport].map(([id, found]) => [id, found.map((cells) => cells.slice(1))]))
}

const isEntered = (cell: CellValue | undefined) => cell !== null && cell !== undefined && cell !== ''

/** Returns the confidential fields that have a value in the rows of an incident. */
function confidentialFieldsOf(
  incident: readonly CellValue[],
  people: readonly (readonly CellValue[])[],
  personColumns: readonly ExportColumn[],
): ConfidentialRead['fields'] {
  return [
    ...INCIDENT_COLUMNS.flatMap(({ name, field }, n) =>
      field.confidential && isEntered(incident[n]) ? [confidentialField(name, field)] : [],
    ),
    ...personColumns.flatMap(({ name, field }, n) =>
      field.confidential && people.some((person) => isEntered(person[n]))
        ? [{ ...confidentialField(name, field), name: `personnel.${name}` }]
        : [],
    ),
  ]
}

const amendmentText = ([createdAt, author, text, reason]: readonly CellValue[]): string =>
  `${createdAt instanceof Temporal.Instant ? formatUkDateTime(createdAt) : ''}, ${String(author)}: ${String(text)} (${String(reason)})`

const fullExportRoute = routeWithInput(
  { reason: longText({ required: 'Please give a reason', max: 500, label: 'Reason' }) },
  {
    method: 'POST',
    path: `${incidentFacts.url}/full-export`,
    title: 'Export the incidents of a list with all health details, as CSV by a background job. Each read is logged',
    allow: INCIDENT_READER_ROLE,
    filters: incidentFacts,
    refuses: [429],
    handle: ({ engine, me, input, query, change }) =>
      engine.inTenant(me.clientId, change(), async (c) => {
        const id = await startBatchJob(c, fullExportJob, { query: toPlainQuery(query), reason: input.reason.trim() })
        const runs = engine.resources.find(({ type }) => type === 'Run')
        return async () => {
          const made = runs ? await engine.one(runs, me, id) : { '@id': '' }
          return new RouteResponse(202, made, { location: String(made['@id']) })
        }
      }),
  },
)

export const incidentFullExport = feature({ pack: 'safety', routes: [fullExportRoute], batchJobs: [fullExportJob] })
