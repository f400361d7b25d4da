import { Anchor, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, callApi } from '#web/api/client.ts'
import { DashboardSection } from '#web/dashboard/part.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'

interface Visit {
  readonly id: number
  readonly visitorName: string
  readonly asUsername: string
  readonly reason: string
  readonly startedAt: string
}

const URL = '/api/portal/visits?itemsPerPage=5'

/** Latest impersonations in this client's portal. */
export function RecentImpersonations() {
  const visits = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => callApi<Collection<Visit>>('GET', URL, undefined, { signal }),
  })
  const rows = visits.data?.['hydra:member'] ?? []
  return (
    <DashboardSection
      title="Access by your provider"
      loading={visits.isPending}
      error={visits.error}
      onRetry={() => void visits.refetch()}
      empty={
        rows.length === 0 &&
        'Nobody from your provider has worked in your portal yet. When somebody does, the person, time and reason are shown here.'
      }
      action={
        <Anchor component={Link} to="/config/visits">
          View impersonation log
        </Anchor>
      }
    >
      <Stack gap="xs">
        <List listStyleType="none" spacing="xs">
          {rows.map((v) => (
            <List.Item key={v.id}>
              <DateTimeText at={v.startedAt} /> – {v.visitorName}, as {v.asUsername}: {v.reason}
            </List.Item>
          ))}
        </List>
      </Stack>
    </DashboardSection>
  )
}
