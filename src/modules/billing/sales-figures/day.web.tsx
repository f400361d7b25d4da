import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { LeadTelephone } from '#modules/crm/contacts/parts.web.tsx'
import { useHeldLeads } from '#modules/crm/contacts/use-held.web.ts'
import { type Collection, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { FigureLink } from '#web/charts/picture.tsx'
import { DashboardSection } from '#web/dashboard/part.tsx'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { useSalesFigures } from './data.web.ts'
import type { SalesFigures, Seller } from './figures.ts'
import css from './overview.module.css'
import { callListUrl, countCallsToday } from './pictures.ts'
import { SalesCharts } from './sales-pictures.web.tsx'
import { WeeklySalesNumbers } from './week-numbers.web.tsx'

export function MySalesDay() {
  const figures = useSalesFigures()
  const actor = useActor()
  const promised = useNextPromise(actor.userId)
  const me = figures.data?.people.find((p) => p.user === actor.userId)
  return (
    <DashboardSection
      title="My day"
      loading={figures.isPending || promised.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
    >
      {figures.data && (
        <Stack gap="lg">
          <div className={css.day}>
            <Made figures={figures.data} me={me} />
            <NextPromise lead={promised.data?.['hydra:member'][0]} />
          </div>
          {me && <WeeklySalesNumbers figures={figures.data} whose={me.id} canOpen />}
        </Stack>
      )}
    </DashboardSection>
  )
}

/** The seller's own weeks as charts, below the tasks. */
export function MySalesWeeks() {
  const actor = useActor()
  const { data } = useSalesFigures()
  const me = data?.people.find((p) => p.user === actor.userId)
  if (!data || !me) return null
  return (
    <DashboardSection title="My weeks" loading={false} error={null} onRetry={() => undefined}>
      <SalesCharts figures={data} whose={me.id} isAll={false} />
    </DashboardSection>
  )
}

/** `12 of 40 calls` */
function Made({ figures, me }: { readonly figures: SalesFigures; readonly me: Seller | undefined }) {
  const made = me ? countCallsToday(figures, me.id) : 0
  const aim = me?.callsPerDay ?? 0
  return (
    <section aria-label="Calls today">
      <h3>Calls today</h3>
      <span className={css.done}>
        <FigureLink cell={{ value: made, to: me && callListUrl(me.id, 'today') }} name="calls today" />
        {aim > 0 && ` of ${aim}`} calls
      </span>
      {aim > 0 && (
        <div className={css.bar} aria-hidden>
          <div className={css.made} style={{ width: `${Math.min(100, (made / aim) * 100)}%` }} />
        </div>
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {aim === 0 || made >= aim ? 'You have reached today’s target.' : `${aim - made} to go.`}
      </Text>
    </section>
  )
}

type Lead = RecordOf<typeof contact>

/** Next callback, including overdue ones. */
function useNextPromise(userId: number) {
  const asked = {
    'owner.user': userId,
    'exists[callbackDate]': true,
    retired: false,
    'order[callbackDate]': 'asc',
    itemsPerPage: 1,
    partial: true,
  }
  const url = `${contact.url}${queryString(asked)}`
  return useQuery({ queryKey: [url], ...urlQueryOptions<Collection<Lead>>(url) })
}

function NextPromise({ lead }: { readonly lead: Lead | undefined }) {
  const held = useHeldLeads(lead ? [lead.id] : [])
  return (
    <section aria-label="Next callback">
      <h3>Next callback</h3>
      {lead ? (
        <>
          <Anchor component={Link} to={`/crm/contact/view/${lead.id}`} fw={600} display="block">
            {[lead.name, lead.companyName].filter(Boolean).join(', ') || `Lead ${lead.id}`}
          </Anchor>
          <Text size="sm" c="dimmed">
            <DateTimeText at={lead.callbackDate} />, <RelativeTimeText at={lead.callbackDate} due="callback" />
          </Text>
          <LeadTelephone lead={lead} barred={held(lead)} />
        </>
      ) : (
        <Text c="dimmed">No callbacks planned.</Text>
      )}
    </section>
  )
}
