import { Anchor, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, call } from '#web/api/client.ts'
import { Moment } from '#web/dates/relative.tsx'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { Part } from './part.web.tsx'

interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly telephone: string
}

interface Visit {
  readonly id: number
  readonly visitorName: string
  readonly asUsername: string
  readonly reason: string
  readonly startedAt: string
}

const SHOWN = 12
const useCollection = <T,>(url: string) =>
  useQuery({ queryKey: [url], queryFn: ({ signal }) => call<Collection<T>>('GET', url, undefined, { signal }) })

/** The phone book of a client. */
export function OurPeople() {
  const book = useCollection<Person>('/api/portal/phonebook')
  const people = book.data?.['hydra:member'] ?? []
  return (
    <Part
      title={people.length ? `People (${people.length})` : 'People'}
      loading={book.isPending}
      error={book.error}
      onRetry={() => void book.refetch()}
      empty={people.length === 0 && 'Nobody is in the phone book yet.'}
      action={
        <Anchor component={Link} to="/config/users">
          Users
        </Anchor>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {people.slice(0, SHOWN).map((p) => (
          <li key={p.id}>
            <Text fw={600}>{p.name}</Text>
            {p.email && (
              <Anchor href={`mailto:${p.email}`} size="sm" display="block" py={2}>
                {p.email}
              </Anchor>
            )}
            {p.telephone && (
              <Text size="sm" py={2}>
                <PhoneLink number={p.telephone} who={p.name} />
              </Text>
            )}
          </li>
        ))}
      </SimpleGrid>
      {people.length > SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          And {people.length - SHOWN} more.
        </Text>
      )}
    </Part>
  )
}

/** When the provider's people last worked in this client's portal. */
export function WhoCameIn() {
  const visits = useCollection<Visit>('/api/portal/visits?itemsPerPage=5')
  const rows = visits.data?.['hydra:member'] ?? []
  return (
    <Part
      title="Who came in"
      loading={visits.isPending}
      error={visits.error}
      onRetry={() => void visits.refetch()}
      empty={
        rows.length === 0 &&
        'Nobody from your provider has worked in your portal yet. When somebody does, it says here who, when and why.'
      }
      action={
        <Anchor component={Link} to="/config/visits">
          All visits
        </Anchor>
      }
    >
      <Stack gap="xs">
        <List listStyleType="none" spacing="xs">
          {rows.map((v) => (
            <List.Item key={v.id}>
              <Moment at={v.startedAt} /> – {v.visitorName}, as {v.asUsername}: {v.reason}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Part>
  )
}
