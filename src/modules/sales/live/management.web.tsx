import { Stack, Text } from '@mantine/core'
import { formatPounds } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { FigureLink } from '#web/charts/chart.tsx'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { KeyFigures } from '#web/charts/key-figures.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { SALES_MANAGER_ROLE } from '../rights.ts'
import { LIVE_FIGURES_URL, type LiveBoard, type LiveSellerFigures, type SalesActivity } from './board.ts'
import { useLiveFigures } from './use-live.web.ts'

const COLUMNS = [
  'Calls',
  'Progressed',
  'Sales today',
  'Sales value today',
  'Sales this month',
  'Sales value this month',
]

/** Builds a link to the list of calls that one of today's figures counts. */
const callsAt = (person?: number, ended?: string) =>
  `/crm/calls?when=today${person === undefined ? '' : `&user=${person}`}${ended ? `&ended=${ended}` : ''}`
const salesAt = (when: string, person?: number) =>
  `/cms/salesreport?when=${when}${person === undefined ? '' : `&seller=${person}`}`

/** Status of the connection that streams live figures. */
export const LiveStatusChip = ({ isLive }: { readonly isLive: boolean | undefined }) =>
  isLive === undefined ? (
    <StatusChip>Connecting</StatusChip>
  ) : isLive ? (
    <StatusChip meaning="safe">Live</StatusChip>
  ) : (
    <StatusChip meaning="attention">Not live: connecting</StatusChip>
  )

/** Page with everybody's activity today, updated live. */
export default function LiveFiguresPage() {
  const { query, isLive } = useLiveFigures<LiveBoard>(LIVE_FIGURES_URL)
  const board = query.data
  return (
    <Page
      title="Live figures"
      beside={
        board && (
          <>
            <Text span>{formatIsoDateAsUk(board.day)}</Text>
            <LiveStatusChip isLive={isLive} />
          </>
        )
      }
    >
      {query.isPending && <LoadingRows rows={6} />}
      {query.isError && !board && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {board && (
        <Stack gap="lg">
          <Together board={board} />
          {board.people.length === 0 ? (
            <EmptyState title="No staff yet">Users with the staff role appear here.</EmptyState>
          ) : (
            <People board={board} />
          )}
        </Stack>
      )}
    </Page>
  )
}

function Together({ board: { people, waiting, day } }: { readonly board: LiveBoard }) {
  const actor = useActor()
  const sum = (of: (p: LiveSellerFigures) => number) => people.reduce((n, p) => n + of(p), 0)
  const meant = sum((p) => p.callsPerDay)
  const month = `${day.slice(0, 8)}01..${day}`
  return (
    <KeyFigures
      all={[
        {
          label: 'Calls',
          cell: { value: sum((p) => p.today.calls), to: callsAt() },
          beside: `of ${meant} planned`,
        },
        {
          label: 'Progressed',
          cell: { value: sum((p) => p.today.forward), to: callsAt(undefined, 'forward') },
          beside: 'Calls that moved the sale forward',
        },
        { label: 'Sales', cell: { value: sum((p) => p.today.sales), to: salesAt('today') }, beside: 'Today' },
        {
          label: 'Sales value',
          cell: { value: sum((p) => p.today.amount), to: salesAt('today') },
          format: formatPounds,
          beside: 'Today, excluding VAT',
        },
        {
          label: 'Sales value this month',
          cell: { value: sum((p) => p.month.amount), to: salesAt(month) },
          format: formatPounds,
          beside: 'Excluding VAT',
        },
        {
          label: 'Overdue callbacks',
          cell: { value: waiting.callbacks, to: '/crm/contact/list?due=overdue&owner=all' },
          beside: 'Whole team',
        },
        {
          label: 'Sales to check',
          cell: { value: waiting.checks, ...(hasRole(actor, SALES_MANAGER_ROLE) ? { to: '/cms/salechecks' } : {}) },
          beside: 'To be checked by somebody other than the seller',
        },
      ]}
    />
  )
}

function People({ board: { people, day } }: { readonly board: LiveBoard }) {
  const month = `${day.slice(0, 8)}01..${day}`
  const cells = (p: LiveSellerFigures) => {
    const opens = (n: number, value: number, to: string, format?: (n: number) => string) => (
      <FigureLink key={n} cell={{ value, to }} name={`${COLUMNS[n]}, ${p.name}`} {...(format ? { format } : {})} />
    )
    const { today } = p
    return [
      <Made key="calls" person={p} today={today} />,
      opens(1, today.forward, callsAt(p.id, 'forward')),
      opens(2, today.sales, salesAt('today', p.id)),
      opens(3, today.amount, salesAt('today', p.id), formatPounds),
      opens(4, p.month.sales, salesAt(month, p.id)),
      opens(5, p.month.amount, salesAt(month, p.id), formatPounds),
    ]
  }
  return (
    <ResponsiveNumberTable
      label="Everybody’s day"
      head="Person"
      columns={COLUMNS}
      rows={people.map((p) => ({ key: String(p.id), name: p.name, cells: cells(p) }))}
    />
  )
}

/** Numbers of calls made and planned, for example `12 of 40`. */
const Made = ({ person, today }: { readonly person: LiveSellerFigures; readonly today: SalesActivity }) => (
  <>
    <FigureLink cell={{ value: today.calls, to: callsAt(person.id) }} name={`Calls, ${person.name}`} />
    {person.callsPerDay > 0 && ` of ${person.callsPerDay}`}
  </>
)
