import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { can } from '#kernel/can.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSectionSkeleton } from '#web/dashboard/in-order.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import type { DashboardPart, ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { evidenceFinding } from './audit-chain/outcome.ts'
import { DocumentWorkParts } from './screens/own-work-parts.web.tsx'
import type { LazyKind } from './types/kind.web.ts'

/** Findings about the company's sealed records; renders nothing if there are none. */
function Findings() {
  const list = useList(evidenceFinding, { gone: false, itemsPerPage: 100 })
  const found = list.data?.['hydra:member'] ?? []
  if (list.isPending) return <DashboardSectionSkeleton />
  if (!found.length) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Sealed records have been changed" role="alert">
      <p>
        Records have been changed outside the portal. Nothing was corrected automatically. Compare them with your own
        copies and contact the operator of the portal’s database.
      </p>
      <List size="sm" mt="xs">
        {found.map((finding) => (
          <List.Item key={finding.id}>
            {finding.sentence} Found <DateTimeText at={finding.foundAt} />.
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** First on the dashboard of people who manage the records. */
const auditFindingsPart: DashboardPart = {
  order: 1,
  isFor: (actor) => can(actor, 'read', evidenceFinding),
  draw: () => <Findings />,
}

/** Work due in documents of these types. */
export const dashboardOf = (types: readonly LazyKind[]): ModuleDashboard => ({
  parts: [auditFindingsPart, { order: 40, isFor: () => true, draw: () => <DocumentWorkParts kinds={types} /> }],
})
