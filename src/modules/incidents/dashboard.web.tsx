import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { isNavigationEntryShown } from '#kernel/packs.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import { PendingWorkRow, PendingWorkRows } from '#web/dashboard/waiting.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { incidentFacts } from './incident-facts.ts'
import { incidentsNav } from './nav.ts'
import { incidentPath } from './reports/paths.ts'
import { IncidentStatus } from './reports/status-chip.web.tsx'
import { INCIDENT_BOOK_ROLES } from './rights.ts'

const SHOWN_INCIDENTS = 5

/** Open incidents, those with the nearest deadline first. */
function OpenIncidents() {
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

export default {
  parts: [
    {
      order: 41,
      isFor: (actor) =>
        actor.clientId !== PROVIDER_CLIENT_ID &&
        hasRole(actor, INCIDENT_BOOK_ROLES) &&
        isNavigationEntryShown(actor, incidentsNav.book),
      draw: () => <OpenIncidents />,
    },
  ],
} satisfies ModuleDashboard
