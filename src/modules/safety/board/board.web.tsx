import { Anchor, Stack } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { countOf, figure } from '#kernel/text.ts'
import { Numbers, Pictures } from '#web/charts/numbers.tsx'
import { Picture } from '#web/charts/picture.tsx'
import { Part } from '#web/dashboard/part.tsx'
import { riskInfo } from '../risk/risk-info.ts'
import { useSafetyFigures } from './data.web.ts'
import type { SafetyFigures, Task } from './figures.ts'
import { rowsOf } from './rows.web.ts'
import { TASK_WORDS } from './task-words.web.ts'
import { TYPE_INFOS } from './type-infos.ts'

type TypeInfo = (typeof TYPE_INFOS)[number]

const highAt = (site?: string | null): string =>
  `${riskInfo.screens.list}?${new URLSearchParams({ risk: 'high', ...(site ? { site } : {}) })}`

const SHOWN_SITES = 8
const NO_SITE = 'No location'

/** Board for authors of safety documents: reviews due, missing signatures and high residual risk. */
export function Board() {
  const figures = useSafetyFigures()
  return (
    <Part
      title="To do"
      loading={figures.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
    >
      {figures.data && <Figures of={figures.data} />}
    </Part>
  )
}

function Figures({ of: f }: { readonly of: SafetyFigures }) {
  const count = (info: TypeInfo, task: Task) =>
    f.toDo.find((t) => t.kind === info.kind && t.task === task)?.documents ?? 0
  const all = (task: Task) => TYPE_INFOS.reduce((n, info) => n + count(info, task), 0)
  const missing = f.toDo.reduce((n, t) => n + t.signatures, 0)
  const high = f.highRisk.reduce((n, s) => n + s.documents, 0)
  const sites = f.highRisk.slice(0, SHOWN_SITES)
  /** Each document type has its own list, so a number over several types opens by its parts. */
  const whole = (task: Task) => {
    const [only, ...more] = TYPE_INFOS.filter((info) => count(info, task))
    return { value: all(task), to: only && !more.length ? rowsOf(only, task) : undefined }
  }
  const byKind = (tasks: readonly Task[]) =>
    tasks.map((task) => ({
      ...TASK_WORDS[task],
      cells: TYPE_INFOS.map((info) => ({ value: count(info, task), to: rowsOf(info, task) })),
    }))
  const kinds = TYPE_INFOS.map((info) => info.nav.title)
  const parts = (task: Task) =>
    TYPE_INFOS.flatMap((info) => countOf(count(info, task), info.noun, info.nouns)).join(', ') || 'none'
  return (
    <Stack gap="lg">
      <Numbers
        all={[
          ...(['late', 'soon', 'approve', 'unsigned'] as const).map((task) => ({
            label: TASK_WORDS[task].label,
            cell: whole(task),
            beside: <Parts all={TYPE_INFOS.map((info) => ({ info, task, n: count(info, task) }))} />,
          })),
          {
            label: 'High residual risk',
            cell: { value: high, to: highAt() },
            beside: `at ${figure(f.highRisk.length)} locations`,
          },
        ]}
      />
      <Pictures>
        <Picture
          title="Reviews"
          summary={`Reviews overdue: ${parts('late')}. Due in 30 days: ${parts('soon')}.`}
          columns={kinds}
          rowIs="Review"
          isStacked
          series={byKind(['late', 'soon'])}
        />
        <Picture
          title="Waiting"
          summary={`Waiting for approval: ${parts('approve')}. Waiting for signatures: ${parts('unsigned')}, ${countOf(missing, 'signature')[0] ?? 'no signature'} in all.`}
          columns={kinds}
          rowIs="Task"
          series={byKind(['approve', 'unsigned'])}
        />
        <Picture
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
      </Pictures>
    </Stack>
  )
}

interface PartsProps {
  readonly all: readonly { readonly info: TypeInfo; readonly task: Task; readonly n: number }[]
}

/** Counts by document type, each linked to its list. */
function Parts({ all }: PartsProps) {
  const some = all.filter(({ n }) => n)
  if (!some.length) return 'None'
  return some.map(({ info, task, n }, i) => (
    <Fragment key={info.kind}>
      {i > 0 && ', '}
      <Anchor component={Link} to={rowsOf(info, task)} inherit>
        {countOf(n, info.noun, info.nouns)}
      </Anchor>
    </Fragment>
  ))
}
