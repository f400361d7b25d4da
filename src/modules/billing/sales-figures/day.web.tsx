import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { LeadTelephone } from '#modules/crm/contacts/parts.web.tsx'
import { useHeld } from '#modules/crm/contacts/use-held.web.ts'
import { type Collection, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { reading } from '#web/api/reading.ts'
import { Opens } from '#web/charts/picture.tsx'
import { Part } from '#web/dashboard/part.tsx'
import { Moment, Relative } from '#web/dates/relative.tsx'
import { useSalesFigures } from './data.web.ts'
import type { SalesFigures, Seller } from './figures.ts'
import css from './overview.module.css'
import { callsAt, callsToday } from './pictures.ts'
import { SalesPictures } from './sales-pictures.web.tsx'
import { WeekNumbers } from './week-numbers.web.tsx'

export function Day() {
  const figures = useSalesFigures()
  const actor = useActor()
  const promised = useNextPromise(actor.userId)
  const me = figures.data?.people.find((p) => p.user === actor.userId)
  return (
    <Part
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
          {me && <WeekNumbers figures={figures.data} whose={me.id} canOpen />}
        </Stack>
      )}
    </Part>
  )
}

/** The seller's own weeks as charts, below the tasks. */
export function OwnWeeks() {
  const actor = useActor()
  const { data } = useSalesFigures()
  const me = data?.people.find((p) => p.user === actor.userId)
  if (!data || !me) return null
  return (
    <Part title="My weeks" loading={false} error={null} onRetry={() => undefined}>
      <SalesPictures figures={data} whose={me.id} isAll={false} />
    </Part>
  )
}

/** `12 of 40 calls` */
function Made({ figures, me }: { readonly figures: SalesFigures; readonly me: Seller | undefined }) {
  const made = me ? callsToday(figures, me.id) : 0
  const aim = me?.callsPerDay ?? 0
  return (
    <section aria-label="Calls today">
      <h3>Calls today</h3>
      <span className={css.done}>
        <Opens cell={{ value: made, to: me && callsAt(me.id, 'today') }} name="calls today" />
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
  return useQuery({ queryKey: [url], ...reading<Collection<Lead>>(url) })
}

function NextPromise({ lead }: { readonly lead: Lead | undefined }) {
  const held = useHeld(lead ? [lead.id] : [])
  return (
    <section aria-label="Next callback">
      <h3>Next callback</h3>
      {lead ? (
        <>
          <Anchor component={Link} to={`/crm/contact/view/${lead.id}`} fw={600} display="block">
            {[lead.name, lead.companyName].filter(Boolean).join(', ') || `Lead ${lead.id}`}
          </Anchor>
          <Text size="sm" c="dimmed">
            <Moment at={lead.callbackDate} />, <Relative at={lead.callbackDate} due="callback" />
          </Text>
          <LeadTelephone lead={lead} barred={held(lead)} />
        </>
      ) : (
        <Text c="dimmed">No callbacks planned.</Text>
      )}
    </section>
  )
}
