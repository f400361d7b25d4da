import { Anchor, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { figure } from '#kernel/text.ts'
import { call } from '#web/api/client.ts'
import { Part } from '#web/dashboard/part.tsx'
import { useStartCalling } from '../calling/start-calling.web.ts'
import { contact } from '../contacts/contact.ts'

/** The lead list's categories, in its own order and with what each holds. */
const CATEGORIES = [
  ['NEW', 'Not called yet'],
  ['CB', 'Call back'],
  ['DEMO', 'Demonstration'],
  ['QUOTE', 'Quote sent'],
  ['PFP', 'PFP'],
  ['DOWNL', 'Download'],
] as const

const COUNTS = `${contact.url}/counts`

/** How many leads wait, and the shortest way to the next call. */
export function Calling() {
  const calling = useStartCalling('', {})
  const counts = useQuery({
    queryKey: [COUNTS],
    queryFn: ({ signal }) => call<Record<string, number>>('GET', COUNTS, undefined, { signal }),
  })
  const n = (category: string) => figure(counts.data?.[category] ?? 0)
  return (
    <Part
      title="Leads"
      loading={counts.isPending}
      error={counts.error}
      onRetry={() => void counts.refetch()}
      action={
        <Button leftSection={<IconPhone size={18} aria-hidden />} loading={calling.busy} onClick={calling.start}>
          Start calling
        </Button>
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 3, md: 6 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {CATEGORIES.map(([category, words]) => (
          <li key={category}>
            <Anchor component={Link} to={`/crm/contact/list?category=${category}`} underline="hover">
              <Text component="span" display="block" fz="1.75rem" fw={650} lh={1.2}>
                {n(category)}
              </Text>
              {words}
            </Anchor>
          </li>
        ))}
      </SimpleGrid>
      <Group mt="md" gap="lg">
        <Anchor component={Link} to="/crm/contact/list?category=ALL" size="sm">
          All {n('ALL')} leads
        </Anchor>
      </Group>
    </Part>
  )
}
