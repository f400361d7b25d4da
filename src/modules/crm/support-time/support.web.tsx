import { Button, Text, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { createTextMatcher } from '#kernel/text/search.ts'
import { formatInteger } from '#kernel/text.ts'
import type { Collection } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { FigureLink } from '#web/charts/chart.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { ListPager } from '#web/lists/list-pager.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, NoResults } from '#web/ui/states.tsx'
import table from '#web/ui/table.module.css'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import {
  type ClientSupportMinutes,
  recentSupportTimeFilters,
  SUPPORT_MINUTES_URL,
  supportTimeEntry,
} from './timed-note.ts'

const LIST = listUrlSchema({ client: z.string().regex(/^\d*$/).default('') })
const SIZE = 50

type Timed = RecordOf<typeof supportTimeEntry>
const leadOf = ({ contact }: Timed) => contact.companyName || contact.name || `Lead ${contact.id}`
const about =
  'Minutes recorded in the last 12 months in notes on leads that are clients. Choose a number to see the notes.'

/** Support time for each client in the last 12 months, with links to the notes from which each number is calculated. */
export default function SupportMinutesPage() {
  const [state, set] = useUrlState(LIST)
  const all = useQuery({
    queryKey: [SUPPORT_MINUTES_URL],
    ...urlQueryOptions<Collection<ClientSupportMinutes>>(SUPPORT_MINUTES_URL),
  })
  const clients = all.data?.['hydra:member']
  if (state.client)
    return <NotesOf client={state.client} called={clients?.find((c) => String(c.client) === state.client)?.company} />
  return (
    <Page title="Support minutes" about={about} actions={<AsFile />}>
      {all.isPending && <LoadingRows />}
      {all.isError && <ErrorState error={all.error} onRetry={() => void all.refetch()} />}
      {clients?.length === 0 && (
        <EmptyState title="No minutes yet">
          Add minutes to a note or outcome to see the time per client here.
        </EmptyState>
      )}
      {clients && clients.length > 0 && (
        <Clients clients={clients} q={state.q} page={state.page} onChange={(change) => set(change)} />
      )}
    </Page>
  )
}

function AsFile() {
  const file = useMutation({
    mutationFn: () => downloadFile(`${SUPPORT_MINUTES_URL}/export.csv`, 'support-minutes.csv'),
    onError: (e) => toast.failed(e),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={file.isPending}
      onClick={() => file.mutate()}
    >
      Download CSV
    </Button>
  )
}

interface ClientsProps {
  readonly clients: readonly ClientSupportMinutes[]
  readonly q: string
  readonly page: number
  readonly onChange: (change: { readonly q?: string; readonly page?: number }) => void
}

function Clients({ clients, q, page, onChange }: ClientsProps) {
  const isFound = createTextMatcher(q)
  const found = clients.filter(({ company }) => isFound(company))
  const rows = found.slice((page - 1) * SIZE, page * SIZE)
  const together = found.reduce((sum, { minutes }) => sum + minutes, 0)
  return (
    <>
      <TextInput
        type="search"
        label="Client"
        value={q}
        maw={320}
        onChange={(e) => onChange({ q: e.currentTarget.value, page: 1 })}
      />
      <Text size="sm" role="status">
        {formatInteger(together)} minutes for {formatInteger(found.length)} {found.length === 1 ? 'client' : 'clients'}
      </Text>
      {found.length === 0 ? (
        <NoResults onClear={() => onChange({ q: '', page: 1 })} />
      ) : (
        <table className={table.table} aria-label="Support minutes">
          <thead>
            <tr>
              <th scope="col">Client</th>
              <th scope="col">Minutes</th>
              <th scope="col">Notes</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ client, company, minutes, notes }) => (
              <tr key={client}>
                <th scope="row">{company}</th>
                {[
                  [minutes, 'minutes'],
                  [notes, 'notes'],
                ].map(([value, name]) => (
                  <td key={name}>
                    <FigureLink
                      cell={{ value: Number(value), to: `/cms/support?client=${client}` }}
                      name={`${name}, ${company}`}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ListPager
        page={page}
        size={SIZE}
        shown={rows.length}
        total={found.length}
        onPage={(n) => onChange({ page: n })}
      />
    </>
  )
}

function NotesOf({ client, called }: { readonly client: string; readonly called: string | undefined }) {
  const [{ client: _, ...state }, set] = useUrlState(LIST)
  return (
    <Page title={`Minutes for ${called ?? `client ${client}`}`} back={{ label: 'Support minutes', to: '/cms/support' }}>
      <DataList
        resource={supportTimeEntry}
        label="Notes with minutes"
        state={state}
        onState={set}
        search={false}
        params={{ ...recentSupportTimeFilters(Temporal.PlainDate.from(londonToday())), 'contact.client': client }}
        columns={[
          { key: 'contact', title: 'Lead', link: true, render: leadOf },
          { key: 'createdAt', title: 'Date', render: (row) => <DateTimeText at={row.createdAt} /> },
          { key: 'user', title: 'Author', tight: true },
          { key: 'minutes', title: 'Minutes', align: 'right' },
          { key: 'notes', title: 'Notes', wide: true, inCard: false },
        ]}
        href={(row) => `/crm/contact/view/${row.contact.id}`}
        empty={
          <EmptyState title="No minutes in the last 12 months">Older entries are in the lead’s timeline.</EmptyState>
        }
      />
    </Page>
  )
}
