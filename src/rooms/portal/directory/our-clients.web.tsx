import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Collection, call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { Part } from '#web/dashboard/part.tsx'

interface Client {
  readonly id: number
  readonly company: string
  readonly city: string
}

const URL = '/api/portal/clients?retired=false&itemsPerPage=50'

/** The clients that a reseller carries. */
export function OurClients() {
  const me = useMe()
  const list = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => call<Collection<Client>>('GET', URL, undefined, { signal }),
  })
  const clients = (list.data?.['hydra:member'] ?? []).filter((c) => c.id !== me.client.id)
  return (
    <Part
      title={clients.length ? `Our clients (${clients.length})` : 'Our clients'}
      loading={list.isPending}
      error={list.error}
      onRetry={() => void list.refetch()}
      empty={clients.length === 0 && 'No client is linked to you yet. Your provider links them.'}
    >
      <List listStyleType="none" spacing="xs">
        {clients.map((c) => (
          <List.Item key={c.id}>
            <Text component="span" fw={600}>
              {c.company}
            </Text>
            {c.city && `, ${c.city}`}
          </List.Item>
        ))}
      </List>
    </Part>
  )
}
