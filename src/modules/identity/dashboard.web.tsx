import { Anchor, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { IDENTITY_NAV } from './nav.ts'
import { ClientPhoneBook } from './people/our-people.web.tsx'
import { user } from './people/user.ts'

interface Visit {
  readonly id: number
  readonly visitorName: string
  readonly asUsername: string
  readonly reason: string
  readonly startedAt: string
}

const URL = '/api/portal/visits?itemsPerPage=5'

/** Latest impersonations of this client's users. */
function RecentImpersonations() {
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

/**
 * Returns true for client administrators. The provider's administrators are excluded because they see their own work
 * instead.
 */
const isFor = (actor: Actor) => hasRole(actor, 'ROLE_CLIENT_ADMIN') && !hasRole(actor, 'ROLE_STAFF')

export default {
  parts: [
    { order: 60, isFor, draw: () => <ClientPhoneBook /> },
    { order: 70, isFor, draw: () => <RecentImpersonations /> },
  ],
  firstSteps: [
    {
      order: 40,
      isFor: (actor) => actor.clientId !== PROVIDER_CLIENT_ID && hasRole(actor, 'ROLE_CLIENT_ADMIN'),
      title: 'Add your users',
      about: 'Authors, approvers and employees. Each gets a sign-in by e-mail.',
      icon: IDENTITY_NAV.users.icon,
      to: IDENTITY_NAV.users.path,
      done: () => ({ url: user.url, from: 2 }),
    },
  ],
} satisfies ModuleDashboard
