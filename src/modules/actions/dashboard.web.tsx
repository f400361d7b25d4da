import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { isNavigationEntryShown } from '#kernel/packs.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import { PendingWorkRow, PendingWorkRows } from '#web/dashboard/waiting.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { correctiveAction } from './corrective-action.ts'
import { actionsNav, correctiveActionPath } from './nav.ts'
import { CorrectiveActionStatus } from './status-chip.web.tsx'

const SHOWN_ACTIONS = 5

/**
 * Overdue corrective actions, earliest deadline first. Managers see all of the company's actions, everybody else only
 * their own.
 */
function OverdueActions() {
  const list = useList(correctiveAction, {
    open: true,
    retired: false,
    'deadline[strictly_before]': londonToday(),
    itemsPerPage: SHOWN_ACTIONS,
  })
  if (list.isPending) return <DashboardSectionSkeleton />
  const rows = list.data?.['hydra:member'] ?? []
  if (!list.error && !rows.length) return null
  return (
    <DashboardSection
      title={rows.length ? `Overdue actions (${list.data?.['hydra:totalItems'] ?? rows.length})` : 'Overdue actions'}
      action={
        <Anchor component={Link} to={`${actionsNav.register.path}?show=overdue`}>
          All overdue actions
        </Anchor>
      }
      loading={false}
      error={list.error}
      onRetry={() => void list.refetch()}
    >
      <PendingWorkRows
        rows={rows.map((action) => ({
          key: action.id,
          row: (
            <PendingWorkRow
              to={correctiveActionPath(action.id)}
              title={`${action.number} ${action.description}`}
              detail={action.managerName}
            >
              <CorrectiveActionStatus action={action} />
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
      order: 42,
      isFor: (actor) => actor.clientId !== PROVIDER_CLIENT_ID && isNavigationEntryShown(actor, actionsNav.register),
      draw: () => <OverdueActions />,
    },
  ],
} satisfies ModuleDashboard
