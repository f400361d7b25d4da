import { Button, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { formatInteger } from '#kernel/text.ts'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { type ChartCell, ChartWithTable } from '#web/charts/chart.tsx'
import { ChartGrid, KeyFigures } from '#web/charts/key-figures.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from './analysis.module.css'
import {
  ANALYSIS_GROUPINGS,
  ANALYSIS_URL,
  type AnalysisFigure,
  type AnalysisGrouping,
  FORMULAS,
  GROUPING_LABELS,
  type IncidentAnalysis,
  pathOfRows,
} from './analysis.ts'
import { AnalysisFilters } from './filters.web.tsx'
import { HealthSection } from './health.web.tsx'
import { formatMonthRange, formatMonthSpan, parseMonths, usualMonths } from './months.ts'
import { RatesSection } from './rates.web.tsx'

const id = z.string().regex(/^\d*$/).default('')
const STATE = listUrlSchema({ months: z.string().default(''), site: id, department: id })

/** Analysis of the accident book. Each number states its formula and opens the incidents that it counts. */
export default function AnalysisPage() {
  const [state, set] = useUrlState(STATE)
  const months = parseMonths(state.months) ?? usualMonths(londonToday().slice(0, 7))
  const { site, department } = state
  const asked = new URLSearchParams({
    months: formatMonthSpan(months),
    ...(site ? { site } : {}),
    ...(department ? { department } : {}),
  })
  const url = `${ANALYSIS_URL}?${asked}`
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<IncidentAnalysis>(url), refetchOnMount: 'always' })
  const file = useMutation({
    mutationFn: async () => {
      const { bytes, name } = await fetchFile(`${ANALYSIS_URL}/export.csv?${asked}`)
      saveToDisk(bytes, name ?? 'incident-analysis.csv')
    },
    onError: (e) => toast.failed(e),
  })
  return (
    <Page
      title="Analysis"
      about={`Reported incidents of ${formatMonthRange(months)}. Each number opens the incidents that it counts.`}
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
        <AnalysisFilters
          months={months}
          site={site}
          department={department}
          onChange={({ months: chosen, ...change }) =>
            set({ ...change, ...(chosen ? { months: formatMonthSpan(chosen) } : {}) })
          }
        />
        {answer.isPending && <LoadingRows rows={6} />}
        {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.data && <Figures of={answer.data} />}
      </Stack>
    </Page>
  )
}

const cellOf = ({ count, rows }: AnalysisFigure): ChartCell => ({ value: count, to: rows && pathOfRows(rows) })

function Figures({ of: analysis }: { readonly of: IncidentAnalysis }) {
  const { incidents, nearMisses, accidents, nearMissRatio, health, rates } = analysis
  const { daysLost } = health
  return (
    <>
      <KeyFigures
        all={[
          { label: 'Incidents', cell: cellOf(incidents), beside: FORMULAS.incidents },
          { label: 'Accidents', cell: cellOf(accidents), beside: FORMULAS.accidents },
          { label: 'Near misses', cell: cellOf(nearMisses), beside: FORMULAS.nearMisses },
          {
            label: 'Near misses for each accident',
            cell: { value: nearMissRatio ?? 0 },
            format: (n) => (nearMissRatio === null ? '—' : String(n)),
            beside: nearMissRatio === null ? `${FORMULAS.nearMissRatio} No accident.` : FORMULAS.nearMissRatio,
          },
          {
            label: health.smallGroupsWithheld ? `Days lost, ${formatMonthRange(health.months)}` : 'Days lost',
            cell: { value: daysLost?.days ?? 0, to: daysLost?.incidents.rows && pathOfRows(daysLost.incidents.rows) },
            format: (n) => (daysLost ? formatInteger(n) : '—'),
            beside: daysLost
              ? FORMULAS.daysLost
              : `${FORMULAS.daysLost} Not shown for fewer than three people, because you do not read health details.`,
          },
        ]}
      />
      {incidents.count === 0 ? (
        <EmptyState title="No incidents in this period">Choose other months, or remove the filters.</EmptyState>
      ) : (
        <ChartGrid>
          {ANALYSIS_GROUPINGS.map((by) => (
            <GroupChart key={by} by={by} groups={analysis.groups[by]} />
          ))}
        </ChartGrid>
      )}
      <HealthSection health={health} />
      <RatesSection rates={rates} />
    </>
  )
}

/** Minimum height of a chart and height of a bar, in pixels. */
const [MIN_HEIGHT, BAR_HEIGHT] = [168, 32]

interface GroupChartProps {
  readonly by: AnalysisGrouping
  readonly groups: IncidentAnalysis['groups'][AnalysisGrouping]
}

function GroupChart({ by, groups }: GroupChartProps) {
  const head = GROUPING_LABELS[by]
  const isLying = by !== 'month'
  const largest = groups.filter(({ count }) => count).slice(0, NAMED_GROUPS)
  return (
    <div className={css.chart}>
      <ChartWithTable
        level={2}
        title={`Incidents by ${head.toLowerCase()}`}
        summary={`${largest.map(({ label, count }) => `${label}: ${count}`).join('; ')}.`}
        columns={groups.map(({ label }) => (isLying ? label : shortMonth(label)))}
        rowIs={head}
        isLying={isLying}
        {...(isLying ? { height: Math.max(MIN_HEIGHT, groups.length * BAR_HEIGHT) } : {})}
        series={[{ label: 'Incidents', meaning: 'info', cells: groups.map(cellOf) }]}
      />
      <Text className={css.formula ?? ''}>{FORMULAS[by]}</Text>
    </div>
  )
}

/** Groups that the text alternative of a chart names; the table has all. */
const NAMED_GROUPS = 12

/** Shortens `March 2026` to `Mar 26`, so that twelve months fit below the bars. */
const shortMonth = (month: string): string => month.replace(/^(\w{3})\w* \d\d/, '$1 ')
