import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, call } from '#web/api/client.ts'
import { Part } from '#web/dashboard/part.tsx'
import { Relative } from '#web/dates/relative.tsx'
import { contact } from '../contacts/contact.ts'
import type { Lead } from '../contacts/data.web.ts'
import { resultWords } from '../contacts/parts.web.tsx'

interface Due {
  readonly id: number
  readonly companyName: string | null
  readonly name: string | null
  readonly callbackDate: number
  readonly outcome: string | null
  readonly lastResult: Lead['lastResult']
}

const URL = `${contact.url}?exists[callbackDate]=true&order[callbackDate]=asc&retired=false&itemsPerPage=6&partial=true`

/** The callbacks that come first: the longest overdue on top. */
export function DueNext() {
  const list = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => call<Collection<Due>>('GET', URL, undefined, { signal }),
  })
  const rows = list.data?.['hydra:member'] ?? []
  return (
    <Part
      title="Callbacks due first"
      loading={list.isPending}
      error={list.error}
      onRetry={() => void list.refetch()}
      empty={rows.length === 0 && 'No callback is set.'}
    >
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map((r) => (
          <Group key={r.id} component="li" justify="space-between" gap="xs">
            <div>
              <Anchor component={Link} to={`/crm/contact/view/${r.id}`} fw={600}>
                {r.companyName || r.name || `Lead ${r.id}`}
              </Anchor>
              <Text size="sm" c="dimmed">
                {[r.companyName ? r.name : null, resultWords(r)].filter(Boolean).join(', ')}
              </Text>
            </div>
            <Relative at={r.callbackDate} due />
          </Group>
        ))}
      </Stack>
    </Part>
  )
}
