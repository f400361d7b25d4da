import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, callApi } from '#web/api/client.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import css from './people.module.css'

interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly telephone: string
}

const SHOWN_PEOPLE = 12
const URL = '/api/portal/phonebook'

/** Dashboard section with the phone book of the user's company. */
export function ClientPhoneBook() {
  const book = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => callApi<Collection<Person>>('GET', URL, undefined, { signal }),
  })
  const people = book.data?.['hydra:member'] ?? []
  return (
    <DashboardSection
      title={people.length ? `People (${people.length})` : 'People'}
      loading={book.isPending}
      error={book.error}
      onRetry={() => void book.refetch()}
      empty={people.length === 0 && 'The phone book is empty.'}
      action={
        <Anchor component={Link} to="/config/users">
          Users
        </Anchor>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {people.slice(0, SHOWN_PEOPLE).map((p) => (
          <li key={p.id}>
            <Text fw={600}>{p.name}</Text>
            {p.email && (
              <Anchor href={`mailto:${p.email}`} size="sm" className={css.write ?? ''}>
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
      {people.length > SHOWN_PEOPLE && (
        <Text size="sm" c="dimmed" mt="sm">
          And {people.length - SHOWN_PEOPLE} more.
        </Text>
      )}
    </DashboardSection>
  )
}
