import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { editingQueryKey, recordEndpoint } from '#web/forms/schema/record.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS, incidentPath } from '../reports/paths.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { INCIDENT_BOOK_ROLES, isReportedDuringVisit } from '../rights.ts'
import { EntryEditor } from './editor-form.web.tsx'

/** Editor of an entry. Closed and deleted entries, and an employee's received reports, open read-only instead. */
export default function EditEntry() {
  const { slug = '' } = useParams()
  const actor = useActor()
  const iri = iriOf(incidentReport, slug)
  // Loaded only once, because afterwards the form has newer values and merges other users' changes itself.
  const opened = useQuery({
    queryKey: editingQueryKey(iri),
    queryFn: () => recordEndpoint(iri).load(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const form = useQuery({
    queryKey: [incidentReport.url, 'schema'],
    ...urlQueryOptions<FormSchema>(`${incidentReport.url}/schema`),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const failed = [opened, form].find(({ error }) => error)
  if (!opened.data || !form.data)
    return (
      <Page title="Entry" back={{ label: 'Accident book', to: getListReturnPath(INCIDENT_PATHS.book) }}>
        {failed ? <ErrorState error={failed.error} onRetry={() => void failed.refetch()} /> : <LoadingRows rows={8} />}
      </Page>
    )
  const record = opened.data.record as unknown as IncidentRecord
  const isOwnDraft = record.state === 'draft' && record.author === actor.username
  const mayEdit =
    record.state !== 'closed' &&
    !record.retired &&
    !isReportedDuringVisit(actor, record) &&
    (isOwnDraft || hasRole(actor, INCIDENT_BOOK_ROLES))
  if (!mayEdit) return <Navigate to={incidentPath(record.id)} replace />
  return <EntryEditor key={iri} record={record} opened={opened.data} schema={form.data} />
}
