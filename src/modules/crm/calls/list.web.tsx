import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions, weekParams } from '#web/lists/weeks.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { leadSource } from '../contacts/import-batch.ts'
import { OUTCOME_MEANINGS, recordedCall } from './call.ts'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({
  when: weekFilterSchema,
  user: id,
  ended: z.enum(['', 'forward', 'later', 'away']).default(''),
  lastResult: id,
  cameFrom: id,
  notSaid: emptyFieldFilterSchema,
})

type Call = RecordOf<typeof recordedCall>
const leadOf = ({ contact }: Call) => contact.companyName || contact.name || `Lead ${contact.id}`

/** All calls, with caller, time and outcome. */
export default function CallsPage() {
  const [state, set] = useUrlState(LIST)
  const phone = useIsPhone()
  return (
    <Page title="Calls">
      <DataList
        resource={recordedCall}
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
          { key: 'when', label: 'Date', options: weekOptions(state.when) },
          'user',
          {
            key: 'ended',
            label: 'Sales result',
            options: OUTCOME_MEANINGS.map(({ way, label }) => ({ value: way, label })),
          },
          'lastResult',
          { key: 'cameFrom', label: 'Lead source', target: leadSource },
          emptyFieldFilter({ cameFrom: 'Lead source' }),
        ]}
        empty={
          <EmptyState title="No calls yet">
            Calls are listed here as soon as their outcomes have been recorded.
          </EmptyState>
        }
        columns={[
          { key: 'contact', title: 'Lead', link: true, render: leadOf },
          { key: 'createdAt', title: 'Date', render: (row) => <DateTimeText at={row.createdAt} /> },
          { key: 'user', title: 'Caller', tight: true },
          { key: 'lastResult', title: 'Outcome', tight: true },
          { key: 'minutes', title: 'Minutes', inCard: false },
          ...(phone ? [] : [{ key: 'notes', title: 'Notes', wide: true }]),
        ]}
        href={(row) => `/crm/contact/view/${row.contact.id}`}
      />
    </Page>
  )
}
