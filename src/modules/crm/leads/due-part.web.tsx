import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DashboardSection } from '#web/dashboard/part.tsx'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { contact } from '../contacts/contact.ts'
import type { LeadRecord } from '../contacts/data.web.ts'
import { LeadTelephone, leadResultWords } from '../contacts/parts.web.tsx'
import { useHeldLeads } from '../contacts/use-held.web.ts'
import { useOutcomes } from '../outcomes/data.web.ts'
import css from './leads.module.css'

const URL = `${contact.url}?exists[callbackDate]=true&order[callbackDate]=asc&retired=false&itemsPerPage=6&partial=true`

/** Callbacks, longest overdue first: one's own, or everybody's with owners for users who see all leads. */
export function DueCallbacks() {
  const actor = useActor()
  const all = hasRole(actor, 'ROLE_LEADS_ADMIN')
  const url = all ? URL : `${URL}&owner.user=${actor.userId}`
  const list = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<Collection<LeadRecord>>('GET', url, undefined, { signal }),
  })
  const rows = list.data?.['hydra:member'] ?? []
  const outcomes = useOutcomes()
  const held = useHeldLeads(rows.map(({ id }) => id))
  return (
    <DashboardSection
      title={all ? 'Next callbacks' : 'My next callbacks'}
      loading={list.isPending}
      error={list.error}
      onRetry={() => void list.refetch()}
      empty={rows.length === 0 && (all ? 'No callbacks' : 'You have no callbacks')}
    >
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map((r) => (
          <Group key={r.id} component="li" justify="space-between" gap="xs">
            <div>
              <Anchor component={Link} to={`/crm/contact/view/${r.id}`} fw={600}>
                {r.companyName || r.name || `Lead ${r.id}`}
              </Anchor>
              <Text size="sm" c="dimmed">
                {[r.companyName ? r.name : null, leadResultWords(r, outcomes), all && (r.owner?.name ?? 'Unowned')]
                  .filter(Boolean)
                  .join(', ')}
              </Text>
            </div>
            <span className={css.ring}>
              <LeadTelephone lead={r} barred={held(r)} />
              <RelativeTimeText at={r.callbackDate} due="callback" />
            </span>
          </Group>
        ))}
      </Stack>
    </DashboardSection>
  )
}
