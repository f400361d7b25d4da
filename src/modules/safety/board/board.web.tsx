import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { countWords, formatInteger } from '#kernel/text.ts'
import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { client } from '#modules/portal/clients/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { ChartGrid, KeyFigures } from '#web/charts/numbers.tsx'
import { ChartWithTable } from '#web/charts/picture.tsx'
import { DashboardSection } from '#web/dashboard/part.tsx'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { riskInfo } from '../risk/risk-info.ts'
import type { SafetyFigures, SafetyTask } from './figures.ts'
import { CLIENT_FIGURES_PATH, type ClientFigures, SAFETY_FIGURES_PATH } from './figures.ts'
import { TYPE_INFOS } from './type-infos.ts'

/** Figures of one's own company: documents in force and open tasks. */
export const useSafetyFigures = () =>
  useQuery({
    queryKey: [SAFETY_FIGURES_PATH],
    ...urlQueryOptions<SafetyFigures>(SAFETY_FIGURES_PATH),
    refetchOnMount: 'always',
  })

/** Open tasks of all clients of a reseller. */
export const useClientFigures = () =>
  useQuery({
    queryKey: [CLIENT_FIGURES_PATH],
    ...urlQueryOptions<ClientFigures>(CLIENT_FIGURES_PATH),
    refetchOnMount: 'always',
  })

const MOST = 100

/** A reseller's clients, without their own company. */
export function useResellerClients(own: number) {
  const list = useList(client, { retired: false, itemsPerPage: MOST })
  const clients = list.data?.['hydra:member'].filter((c) => c.id !== own)
  return { clients, total: (list.data?.['hydra:totalItems'] ?? 1) - 1, error: list.error, refetch: list.refetch }
}

/** Number of a client's documents with an open task, for one type or all. */
export const countClientTasks = (f: ClientFigures, client: number, task: SafetyTask, kind?: string): number =>
  f.toDo.reduce(
    (n, t) => (t.client === client && t.task === task && (kind === undefined || t.kind === kind) ? n + t.documents : n),
    0,
  )

export const resellerClientPath = (id: number | string): string => `/reseller/client/${id}`

/** List filter of each figure, as query parameters. */
const NARROWED: Readonly<Record<SafetyTask | 'current', string>> = {
  current: 'state=current',
  late: 'due=late',
  soon: 'due=soon',
  approve: 'state=complete',
  unsigned: 'waiting=true',
}

/** Path of a type's list, filtered to exactly the documents counted. */
export const countedListPath = ({ screens }: DocumentTypeInfo, counted: SafetyTask | 'current'): string =>
  `${screens.list}?${NARROWED[counted]}`

/** Label and colour of each task. */
export const SAFETY_TASK_LABELS: Readonly<
  Record<SafetyTask, { readonly label: string; readonly meaning: ColourMeaning }>
> = {
  late: { label: 'Reviews overdue', meaning: 'stop' },
  soon: { label: 'Reviews due in 30 days', meaning: 'attention' },
  approve: { label: 'Waiting for approval', meaning: 'info' },
  unsigned: { label: 'Awaiting signatures', meaning: 'plain' },
}

type TypeInfo = (typeof TYPE_INFOS)[number]

const highAt = (site?: string | null): string =>
  `${riskInfo.screens.list}?${new URLSearchParams({ risk: 'high', ...(site ? { site } : {}) })}`

const SHOWN_SITES = 8
const NO_SITE = 'No location'

/** Board for authors of safety documents: reviews due, missing signatures and high residual risk. */
export function SafetyBoard() {
  const figures = useSafetyFigures()
  return (
    <DashboardSection
      title="To do"
      loading={figures.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
    >
      {figures.data && <Figures of={figures.data} />}
    </DashboardSection>
  )
}

function Figures({ of: f }: { readonly of: SafetyFigures }) {
  const count = (info: TypeInfo, task: SafetyTask) =>
    f.toDo.find((t) => t.kind === info.kind && t.task === task)?.documents ?? 0
  const all = (task: SafetyTask) => TYPE_INFOS.reduce((n, info) => n + count(info, task), 0)
  const missing = f.toDo.reduce((n, t) => n + t.signatures, 0)
  const high = f.highRisk.reduce((n, s) => n + s.documents, 0)
  const sites = f.highRisk.slice(0, SHOWN_SITES)
  /** Each document type has its own list, so a number over several types opens by its parts. */
  const whole = (task: SafetyTask) => {
    const [only, ...more] = TYPE_INFOS.filter((info) => count(info, task))
    return { value: all(task), to: only && !more.length ? countedListPath(only, task) : undefined }
  }
  const byKind = (tasks: readonly SafetyTask[]) =>
    tasks.map((task) => ({
      ...SAFETY_TASK_LABELS[task],
      cells: TYPE_INFOS.map((info) => ({ value: count(info, task), to: countedListPath(info, task) })),
    }))
  const kinds = TYPE_INFOS.map((info) => info.nav.title)
  const parts = (task: SafetyTask) =>
    TYPE_INFOS.flatMap((info) => countWords(count(info, task), info.noun, info.nouns)).join(', ') || 'none'
  return (
    <Stack gap="lg">
      <KeyFigures
        all={[
          ...(['late', 'soon', 'approve', 'unsigned'] as const).map((task) => ({
            label: SAFETY_TASK_LABELS[task].label,
            cell: whole(task),
            beside: <Parts all={TYPE_INFOS.map((info) => ({ info, task, n: count(info, task) }))} />,
          })),
          {
            label: 'High residual risk',
            cell: { value: high, to: highAt() },
            beside: `at ${formatInteger(f.highRisk.length)} locations`,
          },
        ]}
      />
      <ChartGrid>
        <ChartWithTable
          title="Reviews"
          summary={`Reviews overdue: ${parts('late')}. Due in 30 days: ${parts('soon')}.`}
          columns={kinds}
          rowIs="Review"
          isStacked
          series={byKind(['late', 'soon'])}
        />
        <ChartWithTable
          title="Waiting"
          summary={`Waiting for approval: ${parts('approve')}. Waiting for signatures: ${parts('unsigned')}, ${countWords(missing, 'signature')[0] ?? 'no signature'} in all.`}
          columns={kinds}
          rowIs="Task"
          series={byKind(['approve', 'unsigned'])}
        />
        <ChartWithTable
          title="High residual risk by site"
          summary={
            sites.length
              ? `Assessments in force with a high residual risk: ${sites.map((s) => `${s.documents} at ${s.site ?? NO_SITE}`).join(', ')}.`
              : 'No assessment in force has a high residual risk.'
          }
          columns={sites.map((s) => s.site ?? NO_SITE)}
          rowIs="Risk"
          isLying
          series={[
            {
              label: 'High residual risk',
              meaning: 'stop',
              cells: sites.map((s) => ({ value: s.documents, to: highAt(s.site) })),
            },
          ]}
        />
      </ChartGrid>
    </Stack>
  )
}

interface PartsProps {
  readonly all: readonly { readonly info: TypeInfo; readonly task: SafetyTask; readonly n: number }[]
}

/** Counts by document type, each linked to its list. */
function Parts({ all }: PartsProps) {
  const some = all.filter(({ n }) => n)
  if (!some.length) return 'None'
  return some.map(({ info, task, n }, i) => (
    <Fragment key={info.kind}>
      {i > 0 && ', '}
      <Anchor component={Link} to={countedListPath(info, task)} inherit>
        {countWords(n, info.noun, info.nouns)}
      </Anchor>
    </Fragment>
  ))
}
