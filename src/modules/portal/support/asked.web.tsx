import { Group, Text, Title } from '@mantine/core'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { PartError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { supportTicket } from './ticket.ts'

const SHOWN = 5

/** Recent support requests of the user, or of their company for administrators, with the answers. */
export function SupportRequests() {
  const works = hasRole(useActor(), 'ROLE_STAFF')
  const asked = useList(supportTicket, { itemsPerPage: SHOWN, partial: true }, { enabled: !works })
  const all = asked.data?.['hydra:member'] ?? []
  if (asked.error) return <PartError error={asked.error} onRetry={() => asked.refetch()} />
  if (works || !all.length) return null
  return (
    <section className={page.card} aria-labelledby="asked-support">
      <Title order={2} size="h4" id="asked-support">
        Your support requests
      </Title>
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {all.map((one) => (
          <li key={one.id}>
            <Group gap="sm">
              <Text style={{ overflowWrap: 'anywhere' }}>{one.subject}</Text>
              <StatusChip meaning={one.state === 'open' ? 'attention' : 'safe'}>
                {one.state === 'open' ? 'Open' : 'Closed'}
              </StatusChip>
              <Text size="sm" c="dimmed">
                {one.user.name}, <DateTimeText at={one.createdAt} />
              </Text>
            </Group>
            {one.answer && (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {one.answer}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
