import { Stack } from '@mantine/core'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { Part } from '#web/dashboard/part.tsx'
import { useSalesFigures } from './data.web.ts'
import { SalesPictures } from './sales-pictures.web.tsx'
import { TeamTable } from './team-table.web.tsx'
import { WeekNumbers } from './week-numbers.web.tsx'

/** For whoever leads: what everybody has done this week, and how it was in the weeks before. */
export function Overview() {
  const actor = useActor()
  const isAll = hasRole(actor, 'ROLE_LEADS_ADMIN')
  const figures = useSalesFigures()
  return (
    <Part
      title="The team’s work"
      loading={figures.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
      empty={figures.data?.people.length === 0 && 'Nobody works leads yet.'}
    >
      {figures.data && (
        <Stack gap="lg">
          <WeekNumbers figures={figures.data} whose="all" canOpen={isAll} />
          <SalesPictures figures={figures.data} whose="all" isAll={isAll} />
          <TeamTable figures={figures.data} />
        </Stack>
      )}
    </Part>
  )
}
