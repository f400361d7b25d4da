import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import { PendingWorkRow, PendingWorkRows } from '#web/dashboard/waiting.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { incidentFacts } from './incident-facts.ts'
import { incidentsNav } from './nav.ts'
import { incidentPath } from './reports/paths.ts'
import { IncidentStatus } from './reports/status-chip.web.tsx'

const SHOWN_INCIDENTS = 5

/** Open incidents, those with the nearest deadline first. */
export default function OpenIncidents() {
  const list = useList(incidentFacts, {
    open: true,
    retired: false,
    'order[reportBy]': 'asc',
    itemsPerPage: SHOWN_INCIDENTS,
  })
  if (list.isPending) return <DashboardSectionSkeleton />
  const rows = list.data?.['hydra:member'] ?? []
  if (!list.error && !rows.length) return null
  return (
    <DashboardSection
      title={rows.length ? `Open incidents (${list.data?.['hydra:totalItems'] ?? rows.length})` : 'Open incidents'}
      action={
        <Anchor component={Link} to={`${incidentsNav.book.path}?show=open`}>
          All open incidents
        </Anchor>
      }
      loading={false}
      error={list.error}
      onRetry={() => void list.refetch()}
    >
      <PendingWorkRows
        rows={rows.map((one) => ({
          key: one.id,
          row: (
            <PendingWorkRow
              to={incidentPath(one.id)}
              title={`${one.number} ${one.description}`}
              detail={
                one.reportBy ? `Report to HSE by ${formatIsoAsUkDate(one.reportBy)}` : formatIsoAsUkDate(one.datetime)
              }
            >
              <IncidentStatus report={one} />
            </PendingWorkRow>
          ),
        }))}
      />
    </DashboardSection>
  )
}
