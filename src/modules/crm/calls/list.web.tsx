import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { Moment } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldState } from '#web/lists/empty-field-filter.ts'
import { listSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekOptions, weekParams, weekState } from '#web/lists/weeks.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { cameFrom } from '../contacts/lookups.ts'
import { callMade } from './call.ts'
import { WAYS } from './ways.ts'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listSchema({
  when: weekState,
  user: id,
  ended: z.enum(['', 'forward', 'later', 'away']).default(''),
  lastResult: id,
  cameFrom: id,
  notSaid: emptyFieldState,
})

type Call = RecordOf<typeof callMade>
const leadOf = ({ contact }: Call) => contact.companyName || contact.name || `Lead ${contact.id}`

/** All calls, with caller, time and outcome. */
export default function Calls() {
  const [state, set] = useUrlState(LIST)
  const phone = useIsPhone()
  return (
    <Page title="Calls">
      <DataList
        resource={callMade}
        label="Calls"
        state={state}
        onState={set}
        search={false}
        params={{
          retired: false,
          ...weekParams('createdAt', state.when),
          ...(state.ended && !state.lastResult ? { 'lastResult.meaning': state.ended } : {}),
        }}
        filters={[
          { key: 'when', label: 'When', options: weekOptions(state.when) },
          'user',
          { key: 'ended', label: 'For the sale', options: WAYS.map(({ way, label }) => ({ value: way, label })) },
          'lastResult',
          { key: 'cameFrom', label: 'Came from', target: cameFrom },
          emptyFieldFilter({ cameFrom: 'Came from' }),
        ]}
        empty={<EmptyState title="No calls yet">A call stands here as soon as its outcome is chosen.</EmptyState>}
        columns={[
          { key: 'contact', title: 'Lead', link: true, render: leadOf },
          { key: 'createdAt', title: 'When', render: (row) => <Moment at={row.createdAt} /> },
          { key: 'user', title: 'Who called', tight: true },
          { key: 'lastResult', title: 'How it ended', tight: true },
          { key: 'minutes', title: 'Minutes', inCard: false },
          ...(phone ? [] : [{ key: 'notes', title: 'What was said', wide: true }]),
        ]}
        href={(row) => `/crm/contact/view/${row.contact.id}`}
      />
    </Page>
  )
}
