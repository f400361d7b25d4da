import { Anchor, Stack } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatCountWithNoun, formatInteger } from '#kernel/text.ts'
import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { ChartWithTable } from '#web/charts/chart.tsx'
import { ChartGrid, KeyFigures } from '#web/charts/key-figures.tsx'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { riskAssessmentInfo } from '../risk/risk-info.ts'
import { SAFETY_TASK_LABELS, useSafetyFigures } from './data.web.ts'
import type { SafetyFigures, SafetyTask } from './figures.ts'
import { SAFETY_DOCUMENT_TYPE_INFOS } from './type-infos.ts'

/** Query string for the list filter of each task, and for documents in force. */
const NARROWED: Readonly<Record<SafetyTask | 'current', string>> = {
  current: 'state=current',
  late: 'due=late',
  soon: 'due=soon',
  approve: 'state=complete',
  unsigned: 'waiting=true',
}

/** Returns the path of a document type's list, filtered to exactly the documents counted. */
export const filteredDocumentListPath = ({ screens }: DocumentTypeInfo, counted: SafetyTask | 'current'): string =>
  `${screens.list}?${NARROWED[counted]}`

type TypeInfo = (typeof SAFETY_DOCUMENT_TYPE_INFOS)[number]

const highAt = (site?: string | null): string =>
  `${riskAssessmentInfo.screens.list}?${new URLSearchParams({ risk: 'high', ...(site ? { site } : {}) })}`

const SHOWN_SITES = 8
const NO_SITE = 'No location'

/** Board for authors of safety documents: reviews due, missing signatures and high residual risk. */
export function SafetyFiguresPanel() {
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
  const all = (task: SafetyTask) => SAFETY_DOCUMENT_TYPE_INFOS.reduce((n, info) => n + count(info, task), 0)
  const missing = f.toDo.reduce((n, t) => n + t.signatures, 0)
  const high = f.highRisk.reduce((n, s) => n + s.documents, 0)
  const sites = f.highRisk.slice(0, SHOWN_SITES)
  /**
   * Returns the total for all document types. The total links to a list only if all the documents are of one type,
   * because each type has its own list.
   */
  const whole = (task: SafetyTask) => {
    const [only, ...more] = SAFETY_DOCUMENT_TYPE_INFOS.filter((info) => count(info, task))
    return { value: all(task), to: only && !more.length ? filteredDocumentListPath(only, task) : undefined }
  }
  const byKind = (tasks: readonly SafetyTask[]) =>
    tasks.map((task) => ({
      ...SAFETY_TASK_LABELS[task],
      cells: SAFETY_DOCUMENT_TYPE_INFOS.map((info) => ({
        value: count(info, task),
        to: filteredDocumentListPath(info, task),
      })),
    }))
  const kinds = SAFETY_DOCUMENT_TYPE_INFOS.map((info) => info.nav.title)
  const parts = (task: SafetyTask) =>
    SAFETY_DOCUMENT_TYPE_INFOS.flatMap((info) => formatCountWithNoun(count(info, task), info.noun, info.nouns)).join(
      ', ',
    ) || 'none'
  return (
    <Stack gap="lg">
      <KeyFigures
        all={[
          ...(['late', 'soon', 'approve', 'unsigned'] as const).map((task) => ({
            label: SAFETY_TASK_LABELS[task].label,
            cell: whole(task),
            beside: <Parts all={SAFETY_DOCUMENT_TYPE_INFOS.map((info) => ({ info, task, n: count(info, task) }))} />,
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
          summary={`Reviews overdue: ${parts('late')}. Due within 30 days: ${parts('soon')}.`}
          columns={kinds}
          rowIs="Review"
          isStacked
          series={byKind(['late', 'soon'])}
        />
        <ChartWithTable
          title="Awaiting approval or signatures"
          summary={`Awaiting approval: ${parts('approve')}. Awaiting signatures: ${parts('unsigned')}, ${formatCountWithNoun(missing, 'signature')[0] ?? 'no signatures'} outstanding.`}
          columns={kinds}
          rowIs="Task"
          series={byKind(['approve', 'unsigned'])}
        />
        <ChartWithTable
          title="High residual risk by location"
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

/** Number of documents by type. Each number links to the list of that type. */
function Parts({ all }: PartsProps) {
  const some = all.filter(({ n }) => n)
  if (!some.length) return 'None'
  return some.map(({ info, task, n }, i) => (
    <Fragment key={info.kind}>
      {i > 0 && ', '}
      <Anchor component={Link} to={filteredDocumentListPath(info, task)} inherit>
        {formatCountWithNoun(n, info.noun, info.nouns)}
      </Anchor>
    </Fragment>
  ))
}
