import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { formatInteger } from '#kernel/text.ts'
import type { Collection } from '#web/api/client.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { useStartCalling } from './calling/start-calling.web.ts'
import { contact } from './contacts/contact.ts'
import { describeLeadResult, LEAD_CATEGORY_STYLES, LeadTelephone } from './contacts/contact-parts.web.tsx'
import type { LeadRecord } from './contacts/data.web.ts'
import { useCallBlockReason } from './contacts/use-held-leads.web.ts'
import css from './leads/leads.module.css'
import { crmNav } from './nav.ts'
import { useOutcomes } from './outcomes/data.web.ts'
import { LEAD_CATEGORIES } from './outcomes/outcome.ts'

const URL = `${contact.url}?exists[callbackDate]=true&order[callbackDate]=asc&retired=false&itemsPerPage=6&partial=true`

/**
 * Due callbacks, longest overdue first. Users who see all leads get everybody's callbacks with their owners; other
 * users get their own.
 */
function DueCallbacks() {
  const actor = useActor()
  const all = hasRole(actor, 'ROLE_LEADS_ADMIN')
  const url = all ? URL : `${URL}&owner.user=${actor.userId}`
  const list = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<Collection<LeadRecord>>('GET', url, undefined, { signal }),
  })
  const rows = list.data?.['hydra:member'] ?? []
  const outcomes = useOutcomes()
  const held = useCallBlockReason(rows.map(({ id }) => id))
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
                {[
                  r.companyName ? r.name : null,
                  describeLeadResult(r, outcomes),
                  all && (r.owner?.name ?? 'Unassigned'),
                ]
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

const COUNTS = `${contact.url}/counts`

/** Panel with the number of leads and a button that starts calling. */
function CallingPanel() {
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
          const { words, icon: Picture, hue } = LEAD_CATEGORY_STYLES[category]
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

const isFor = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')

export default {
  parts: [
    { order: 10, isFor, draw: () => <CallingPanel /> },
    { order: 20, isFor, draw: () => <DueCallbacks /> },
  ],
  firstSteps: [
    {
      order: 20,
      isFor: (actor) => hasRole(actor, 'ROLE_LEADS_ADMIN'),
      title: 'Import your leads',
      about: 'Import leads from a CSV file. You can do a trial run first, and undo the import.',
      icon: crmNav.imports.icon,
      to: crmNav.imports.path,
      done: () => ({ url: contact.url, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
