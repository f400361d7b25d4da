import { Anchor, Button, Group, SimpleGrid } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import { callApi } from '#web/api/client.ts'
import { DashboardSection } from '#web/dashboard/part.tsx'
import { useStartCalling } from '../calling/start-calling.web.ts'
import { CATEGORY_STYLES } from '../contacts/categories.web.ts'
import { contact } from '../contacts/contact.ts'
import { LEAD_CATEGORIES } from '../outcomes/categories.ts'
import css from './leads.module.css'

const COUNTS = `${contact.url}/counts`

/** Number of leads, with a button to start calling. */
export function CallingPanel() {
  const calling = useStartCalling('', {})
  const counts = useQuery({
    queryKey: [COUNTS],
    queryFn: ({ signal }) => callApi<Record<string, number>>('GET', COUNTS, undefined, { signal }),
  })
  const n = (category: string) => formatInteger(counts.data?.[category] ?? 0)
  return (
    <DashboardSection
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
        {LEAD_CATEGORIES.map((category) => {
          const { words, icon: Picture, hue } = CATEGORY_STYLES[category]
          return (
            <li key={category}>
              <Link className={css.category} to={`/crm/contact/list?category=${category}`} data-hue={hue}>
                <strong>{n(category)}</strong>
                <span>
                  <Picture size={18} stroke={1.75} aria-hidden /> {words}
                </span>
              </Link>
            </li>
          )
        })}
      </SimpleGrid>
      <Group mt="md" gap="lg">
        <Anchor component={Link} to="/crm/contact/list?category=ALL" size="sm">
          All {n('ALL')} leads
        </Anchor>
      </Group>
    </DashboardSection>
  )
}
