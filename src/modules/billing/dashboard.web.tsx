import { Stack } from '@mantine/core'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { DashboardSection } from '#web/dashboard/part.tsx'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { plan } from './catalogue/plan.ts'
import { billingNav } from './nav.ts'
import { MyQuotes } from './quotes/my-quotes.web.tsx'
import { useSalesFigures } from './sales-figures/data.web.ts'
import { MySalesDay, MySalesWeeks } from './sales-figures/day.web.tsx'
import { SalesCharts } from './sales-figures/sales-pictures.web.tsx'
import { SalesTeamTable } from './sales-figures/team-table.web.tsx'
import { WeeklySalesNumbers } from './sales-figures/week-numbers.web.tsx'

function TeamSalesOverview() {
  const actor = useActor()
  const isAll = hasRole(actor, 'ROLE_LEADS_ADMIN')
  const figures = useSalesFigures()
  return (
    <DashboardSection
      title="Team activity"
      loading={figures.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
      empty={figures.data?.people.length === 0 && 'No sellers yet.'}
    >
      {figures.data && (
        <Stack gap="lg">
          <WeeklySalesNumbers figures={figures.data} whose="all" canOpen={isAll} />
          <SalesCharts figures={figures.data} whose="all" isAll={isAll} />
          <SalesTeamTable figures={figures.data} />
        </Stack>
      )}
    </DashboardSection>
  )
}

const sells = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')
/** Lead administrators see everybody's work; team leaders see their team's. */
const leads = (actor: Actor) => sells(actor) && (hasRole(actor, 'ROLE_LEADS_ADMIN') || (actor.team ?? []).length > 0)
const callsOnly = (actor: Actor) => sells(actor) && !hasRole(actor, 'ROLE_LEADS_ADMIN')

export default {
  parts: [
    { order: 4, isFor: leads, draw: () => <TeamSalesOverview /> },
    { order: 5, isFor: callsOnly, draw: () => <MySalesDay /> },
    { order: 30, isFor: sells, draw: () => <MyQuotes /> },
    { order: 35, isFor: callsOnly, draw: () => <MySalesWeeks /> },
  ],
  firstSteps: [
    {
      order: 10,
      isFor: (actor) => hasRole(actor, 'ROLE_BILLING_ADMIN'),
      title: 'Add your products',
      about: 'Products with a monthly, yearly or unit price. Quotes are built from them.',
      icon: billingNav.catalogue.icon,
      to: billingNav.catalogue.path,
      done: () => ({ url: plan.url, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
