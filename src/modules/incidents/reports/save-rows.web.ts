import { useQueryClient } from '@tanstack/react-query'
import type { Values } from '#kernel/forms/visible.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { ApiError, callApi, callApiWithEtag } from '#web/api/client.ts'
import { invalidateLists, recordQueryOptions } from '#web/api/resources.ts'
import { incidentStatementRequest } from '../people/statement-request.ts'
import { incidentEvent, incidentReport } from './incident-report.ts'

export type IncidentRecord = RecordOf<typeof incidentReport>
type RowsField = 'personnel' | 'riskLinks' | 'dangerousOccurrences'
/** Row to send. A row that contains only its `@id` is left unchanged. */
export type SentRow = Values & { readonly '@id'?: string }

/**
 * Sends the rows of an incident that `change` returns. `change` receives the stored rows, so that rows added by other
 * users in the meantime are retained. If the incident changes between reading and writing, sends nothing and reads it
 * again.
 */
async function sendRows(
  iri: string,
  name: RowsField,
  change: (stored: readonly SentRow[]) => readonly SentRow[],
  isRepeated = false,
): Promise<IncidentRecord> {
  const { body, etag } = await callApiWithEtag<IncidentRecord>('GET', iri)
  const stored = (body[name] ?? []).map((row) => ({ '@id': (row as unknown as SentRow)['@id'] as string }))
  try {
    return await callApi<IncidentRecord>('PUT', iri, { [name]: change(stored) }, etag ? { ifMatch: etag } : {})
  } catch (e) {
    if (isRepeated || !(e instanceof ApiError) || e.status !== 412) throw e
    return sendRows(iri, name, change, true)
  }
}

/** Returns functions that add and change a row of an incident, and show the saved incident. */
export function useReportRows(report: IncidentRecord, name: RowsField) {
  const queries = useQueryClient()
  const save = async (change: (stored: readonly SentRow[]) => readonly SentRow[]) => {
    const saved = await sendRows(report['@id'], name, change)
    queries.setQueryData(recordQueryOptions(incidentReport, report.id).queryKey, saved)
    // A renamed witness's link is withdrawn.
    await Promise.all([incidentEvent, incidentStatementRequest].map((r) => invalidateLists(queries, r)))
  }
  return {
    add: (row: SentRow) => save((stored) => [...stored, row]),
    change: (iri: string, values: Values) =>
      save((stored) => stored.map((row) => (row['@id'] === iri ? { ...row, ...values } : row))),
    remove: (iri: string) => save((stored) => stored.filter((row) => row['@id'] !== iri)),
  }
}

/** Returns a function that reads an incident and its history again. */
export function useRefetchIncident(report: IncidentRecord): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all([incidentReport, incidentEvent].map(({ url }) => queries.invalidateQueries({ queryKey: [url] })))
      // The editor opens the record with its ETag, which is outdated now.
      .then(() => queries.removeQueries({ queryKey: ['editing', iriOf(incidentReport, report.id)] }))
}
