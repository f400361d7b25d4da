import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { idFromAnyIri } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { quote } from '#modules/billing/quotes/quote.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { Collection, QueryParams } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions, weekParams } from '#web/lists/weeks.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const REMINDER_KINDS = [
  { value: 'callbacks', label: 'Callbacks' },
  { value: 'quotes', label: 'Expiring quotes' },
]
const WHOSE = [
  { value: 'mine', label: 'Mine' },
  { value: 'team', label: 'My team’s' },
  { value: 'all', label: 'Everybody’s' },
]
const LIST = listUrlSchema({
  show: z.enum(['callbacks', 'quotes']).default('callbacks'),
  whose: z.enum(['mine', 'team', 'all']).default('mine'),
  when: weekFilterSchema,
})
const PEOPLE = `${staff.url}?pagination=false&retired=false`
/** Staff ID that matches no record, for a filter that must find nothing. */
const NOBODY = '-1'

type Lead = RecordOf<typeof contact>
type Quote = RecordOf<typeof quote>

/** Page with callbacks and expiring quotes: the user's own, their team's or everybody's. */
export default function RemindersPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const people = useQuery({ queryKey: [PEOPLE], ...urlQueryOptions<Collection<RecordOf<typeof staff>>>(PEOPLE) })
  const accounts = state.whose === 'mine' ? [actor.userId] : [actor.userId, ...(actor.team ?? [])]
  const ids = (people.data?.['hydra:member'] ?? [])
    .filter((p) => p.user !== null && accounts.includes(idFromAnyIri(p.user) ?? 0))
    .map((p) => p.id)
  const owner: QueryParams = state.whose === 'all' ? {} : { owner: ids.length ? ids : [NOBODY] }
  const isTeam = state.whose === 'team' && !actor.team?.length
  const empty = isTeam ? (
    <EmptyState title="No team yet">
      Your team consists of the users who have you as their manager. An administrator sets managers under Settings {'>'}{' '}
      Users.
    </EmptyState>
  ) : undefined
  return (
    <Page title="Reminders">
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Type of reminder"
            data={REMINDER_KINDS}
            value={state.show}
            onChange={(show) => set({ show: show === 'quotes' ? 'quotes' : 'callbacks', page: 1 })}
          />
          <SegmentedControl
            aria-label="Owner"
            data={WHOSE}
            value={state.whose}
            onChange={(whose) => set({ whose: whose === 'team' || whose === 'all' ? whose : 'mine', page: 1 })}
          />
        </Group>
        {state.show === 'callbacks' ? (
          <Callbacks key="callbacks" state={state} set={set} owner={owner} empty={empty} />
        ) : (
          <Quotes key="quotes" state={state} set={set} owner={owner} empty={empty} />
        )}
      </Stack>
    </Page>
  )
}

interface ListProps {
  readonly state: z.infer<typeof LIST>
  readonly set: (change: never) => void
  readonly owner: QueryParams
  readonly empty: React.ReactNode
}

/**
 * Builds the options for choosing days: today, this week, the following three weeks and, if different, the days in the
 * query.
 */
function whenOptions(chosen: string) {
  const today = Temporal.PlainDate.from(londonToday())
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const weeks = [0, 1, 2, 3].map((n) => monday.add({ weeks: n }).toString())
  const own = weekOptions(chosen).filter(({ value }) => value === chosen && !weeks.includes(value) && value !== 'today')
  const named = ['This week', 'Next week', 'In two weeks', 'In three weeks']
  return [{ value: 'today', label: 'Today' }, ...weeks.map((value, n) => ({ value, label: named[n] ?? value })), ...own]
}

const Callbacks = ({ state, set, owner, empty }: ListProps) => (
  <DataList
    resource={contact}
    label="Callbacks"
    state={state}
    onState={set}
    search={false}
    asked={{
      retired: false,
      'exists[callbackDate]': true,
      ...owner,
      ...weekParams('callbackDate', state.when),
      'order[callbackDate]': 'asc',
    }}
    filters={[{ key: 'when', label: 'When', options: whenOptions(state.when) }]}
    empty={empty ?? <EmptyState title="No callbacks">Callbacks due in the chosen period appear here.</EmptyState>}
    columns={[
      {
        key: 'companyName',
        title: 'Lead',
        link: true,
        render: (l: Lead) => l.companyName || l.name || `Lead ${l.id}`,
      },
      {
        key: 'callbackDate',
        title: 'Callback',
        tight: true,
        render: (l: Lead) =>
          l.callbackDate === null ? (
            ''
          ) : (
            <DateTimeText at={Temporal.Instant.fromEpochMilliseconds(l.callbackDate * 1000).toString()} />
          ),
      },
      { key: 'lastResult', title: 'Last result', tight: true },
      { key: 'owner', title: 'Owner', tight: true },
    ]}
    href={(l) => `/crm/contact/view/${l.id}`}
  />
)

const Quotes = ({ state, set, owner, empty }: ListProps) => (
  <DataList
    resource={quote}
    label="Expiring quotes"
    state={state}
    onState={set}
    search={false}
    asked={{ state: 'open', ...owner, ...weekParams('expiresAt', state.when), 'order[expiresAt]': 'asc' }}
    filters={[{ key: 'when', label: 'When', options: whenOptions(state.when) }]}
    empty={
      empty ?? <EmptyState title="No open quotes">Sent quotes that expire in the chosen period appear here.</EmptyState>
    }
    columns={[
      { key: 'company', title: 'Company', link: true },
      { key: 'reference', title: 'Quote', tight: true },
      {
        key: 'expiresAt',
        title: 'Valid until',
        tight: true,
        render: (q: Quote) => (q.expiresAt ? <DateTimeText at={q.expiresAt} /> : ''),
      },
      { key: 'total', title: 'Total', render: (q: Quote) => formatMoney(q.total, q.currency) },
      { key: 'owner', title: 'Owner', tight: true },
    ]}
    href={(q) => `/crm/quote/${q.id}`}
  />
)
