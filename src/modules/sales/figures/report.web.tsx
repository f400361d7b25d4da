import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { formatInteger } from '#kernel/text.ts'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ChartWithTable, FigureLink } from '#web/charts/chart.tsx'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { ChartGrid } from '#web/charts/key-figures.tsx'
import { DateRangeField } from '#web/dates/date-range-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { dayParameterSchema, listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../sales.module.css'
import {
  defaultReportPeriod,
  REPORT_GROUPING_LABELS,
  REPORTS_URL,
  type ReportDefinition,
  type ReportGrouping,
  type ReportMeasure,
  type ReportResponse,
} from './renewal-reports.ts'
import { REPORT_DEFINITIONS } from './reports.ts'
import { REPORT_SCREENS } from './screens.ts'

const STATE = listUrlSchema({ from: dayParameterSchema, to: dayParameterSchema, by: z.string().default('') })

const shown = ({ format }: ReportMeasure) =>
  format === 'money'
    ? (n: number) => formatMoney(n, 'GBP')
    : format === 'percent'
      ? (n: number) => `${n}%`
      : formatInteger

/** Formats a value for an axis label, without pence for whole pounds. */
const onAxis = (m: ReportMeasure) => (n: number) => shown(m)(n).replace(/[.]00$/, '')

export function createReportScreen(name: string): () => ReactNode {
  const report = REPORT_DEFINITIONS.find((one) => one.name === name)
  if (!report) throw new Error(`There is no report "${name}"`)
  return () => <ReportScreen report={report} />
}

/** Links to the related reports. */
function Analyses({ here }: { readonly here: string }) {
  const current = useRef<HTMLAnchorElement>(null)
  // Scrolls to the current report's link, because on a phone the links form a single scrolling row.
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [])
  return (
    <nav aria-label="Reports" className={css.tabs}>
      {REPORT_SCREENS.map(({ report, path, title }) => (
        <Link
          key={report}
          to={path}
          className={css.tab}
          {...(report === here ? { ref: current, 'aria-current': 'page' } : {})}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

/** A report as a chart and a table, with a file to download. Each figure links to its rows and explains its formula. */
function ReportScreen({ report }: { readonly report: ReportDefinition }) {
  const [state, set] = useUrlState(STATE)
  const usual = defaultReportPeriod(report, Temporal.PlainDate.from(londonToday()))
  const from = state.from || usual.from
  const to = state.to || usual.to
  const by: ReportGrouping = report.by.find((one) => one === state.by) ?? report.by[0] ?? 'person'
  const asked = new URLSearchParams({ from, to, by })
  const url = `${REPORTS_URL}/${report.name}?${asked}`
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<ReportResponse>(url), refetchOnMount: 'always' })
  const file = useMutation({
    mutationFn: async () => {
      const { bytes, name } = await fetchFile(`${REPORTS_URL}/${report.name}/export.csv?${asked}`)
      saveToDisk(bytes, name ?? `${report.name}.csv`)
    },
    onError: (e) => toast.failed(e),
  })
  return (
    <Page
      title={report.title}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={file.isPending}
          onClick={() => file.mutate()}
        >
          Download CSV
        </Button>
      }
    >
      <Stack gap="lg">
        {REPORT_SCREENS.some((one) => one.report === report.name) && <Analyses here={report.name} />}
        <Text>{report.intro}</Text>
        <Group align="end" gap="lg">
          <DateRangeField
            label="Period"
            value={{ start: from, end: to }}
            onChange={({ start, end }) => set({ from: start ?? '', to: end ?? '' })}
          />
          {report.by.length > 1 && (
            <SegmentedControl
              aria-label="Group by"
              data={report.by.map((value) => ({ value, label: REPORT_GROUPING_LABELS[value] }))}
              value={by}
              onChange={(value) => set({ by: value })}
            />
          )}
        </Group>
        {answer.isPending && <LoadingRows rows={6} />}
        {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.data?.rows.length === 0 && <EmptyState title="No data for this period">Choose other dates.</EmptyState>}
        {answer.data && answer.data.rows.length > 0 && <Numbers report={report} answer={answer.data} />}
        <Formulas report={report} />
      </Stack>
    </Page>
  )
}

/** Minimum height of the chart and height of a row, in pixels. */
const [LEAST, ROW] = [168, 32]

function Numbers({ report, answer }: { readonly report: ReportDefinition; readonly answer: ReportResponse }) {
  const { measures } = report
  const drawn = measures.flatMap((m, n) => (m.drawn ? [{ m, n }] : []))
  const head = REPORT_GROUPING_LABELS[answer.by]
  const isLying = answer.by !== 'day' && answer.by !== 'week' && answer.by !== 'month'
  return (
    <>
      <ChartGrid>
        {drawn.map(({ m, n }) => (
          <ChartWithTable
            level={2}
            key={m.key}
            title={`${m.label} by ${head.toLowerCase()}`}
            summary={`${m.label} in this period: ${shown(m)(answer.together.cells[n]?.value ?? 0)}.`}
            columns={answer.rows.map((row) => row.label)}
            rowIs={head}
            format={onAxis(m)}
            isLying={isLying}
            {...(isLying ? { height: Math.max(LEAST, answer.rows.length * ROW) } : {})}
            series={[
              {
                label: m.label,
                meaning: 'info',
                cells: answer.rows.map((row) => ({ ...row.cells[n], value: row.cells[n]?.value ?? 0 })),
              },
            ]}
          />
        ))}
      </ChartGrid>
      <ResponsiveNumberTable
        label={`Table: ${report.title}`}
        head={head}
        columns={measures.map((m) => m.label)}
        rows={[...answer.rows, answer.together].map((row) => ({
          key: row.key || row.label,
          name: row.label,
          isSum: row === answer.together,
          cells: measures.map((m, n) => {
            const { value, to } = row.cells[n] ?? { value: 0 }
            if (value === null) return '—'
            return <FigureLink key={m.key} cell={{ value, to }} name={`${m.label}, ${row.label}`} format={shown(m)} />
          }),
        }))}
      />
    </>
  )
}

const Formulas = ({ report }: { readonly report: ReportDefinition }) => (
  <details>
    <summary>How these figures are calculated</summary>
    <dl className={css.formulas}>
      {report.measures.map((m) => (
        <div key={m.key}>
          <dt>{m.label}</dt>
          <dd>{m.formula}</dd>
        </div>
      ))}
    </dl>
  </details>
)
