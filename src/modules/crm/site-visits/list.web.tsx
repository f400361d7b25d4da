import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { SITE_VISIT_STATES, siteVisit } from './site-visit.ts'
import { SiteVisitDialog } from './visit-dialog.web.tsx'

const words = z.string().max(60).default('')
/** Sort order; by date unless the user chooses another order. */
const order = z.string().max(60).default('startsAt')
const ALL_VISITS_LIST = listUrlSchema({
  state: z.string().max(20).default('planned'),
  account: words,
  consultant: words,
  order,
})
const OWN_VISITS_LIST = listUrlSchema({ state: z.string().max(20).default('planned'), account: words, order })
type Visit = RecordOf<typeof siteVisit>

const STATE_COLOURS: Readonly<Record<string, ColourMeaning>> = { planned: 'info', done: 'safe' }
const State = ({ of }: { readonly of: Visit }) => (
  <StatusChip meaning={STATE_COLOURS[of.state ?? ''] ?? 'plain'}>
    {SITE_VISIT_STATES.find(({ value }) => value === of.state)?.label ?? ''}
  </StatusChip>
)

/** All site visits, planned ones first, by date. */
export function AllSiteVisitsPage() {
  const [state, set] = useUrlState(ALL_VISITS_LIST)
  return <Visits title="Site visits" own={false} state={state} onState={set} />
}

/** The consultant's own diary. */
export function MySiteVisitsPage() {
  const [state, set] = useUrlState(OWN_VISITS_LIST)
  return <Visits title="My site visits" own state={state} onState={set} />
}

interface Props {
  readonly title: string
  readonly own: boolean
  readonly state: ReturnType<typeof useUrlState<typeof OWN_VISITS_LIST>>[0]
  readonly onState: (change: never) => void
}

function Visits({ title, own, state, onState }: Props) {
  const actor = useActor()
  const me = actor.original?.username ?? actor.username
  const [open, setOpen] = useState<Visit | 'new'>()
  return (
    <Page
      title={title}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          Plan a visit
        </Button>
      }
    >
      <DataList
        resource={siteVisit}
        label={title}
        state={state}
        onState={onState}
        params={own ? { 'consultant.username': me } : {}}
        filters={own ? ['state', 'account'] : ['state', 'account', 'consultant']}
        nothing={
          <EmptyState title={state.state === 'planned' ? 'No visits planned' : 'No visits found'}>
            A visit has a date, a place and a purpose. You can notify the client by e-mail and send them the report.
          </EmptyState>
        }
        columns={[
          { key: 'startsAt', title: 'Date', tight: true, render: (v: Visit) => <DateTimeText at={v.startsAt} /> },
          { key: 'account', title: 'Client', link: true, render: (v: Visit) => v.account.company },
          { key: 'purpose', title: 'Purpose' },
          { key: 'place', title: 'Place', wide: true },
          ...(own
            ? [
                {
                  key: 'telephone',
                  title: 'Telephone',
                  fields: ['account'],
                  tight: true,
                  render: (v: Visit) => <Ring number={v.account.contacttel} />,
                },
              ]
            : [{ key: 'consultant' as const, title: 'Consultant', tight: true }]),
          { key: 'minutes', title: 'Minutes', align: 'right' as const, wide: true },
          { key: 'state', title: 'Status', tight: true, render: (v: Visit) => <State of={v} /> },
        ]}
        onOpen={setOpen}
      />
      <SiteVisitDialog of={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

const Ring = ({ number }: { readonly number: string | null | undefined }) =>
  number ? <Anchor href={`tel:${number.replace(/\s/g, '')}`}>{number}</Anchor> : null
