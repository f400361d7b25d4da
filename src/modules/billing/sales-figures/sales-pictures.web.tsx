import { useQuery } from '@tanstack/react-query'
import { formatPounds } from '#kernel/money.ts'
import { OUTCOME_MEANINGS } from '#modules/crm/calls/call.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { type ChartCell, ChartWithTable } from '#web/charts/chart.tsx'
import { ChartGrid } from '#web/charts/key-figures.tsx'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import type { SalesFigures, WeeklyCallCount, WeeklyQuoteCount } from './figures.ts'
import {
  acceptedQuotesUrl,
  callListUrl,
  getCallCount,
  getQuoteCount,
  getSterlingQuotePence,
  SALES_FIGURES_URL,
  type SalesPersonFilter,
  sentQuotesUrl,
  sumFiguresByWeek,
} from './figures.ts'

/** Returns the figures. Cached figures up to a minute old are shown while new ones are fetched. */
export const useSalesFigures = () =>
  useQuery({
    queryKey: [SALES_FIGURES_URL],
    ...urlQueryOptions<SalesFigures>(SALES_FIGURES_URL),
    refetchOnMount: 'always',
  })

/** Returns headings such as `28 Sep`; the current week has its own heading. */
const weekHeadings = ({ weeks }: Pick<SalesFigures, 'weeks'>): string[] =>
  weeks.map((week, n) =>
    n === weeks.length - 1
      ? 'Now'
      : Temporal.PlainDate.from(week).toLocaleString('en-GB', { day: 'numeric', month: 'short' }),
  )

interface Props {
  readonly figures: SalesFigures
  readonly whose: SalesPersonFilter
  /** True if all staff are included, in which case the links lead to unfiltered lists. */
  readonly isAll: boolean
}

const MEANINGS: Readonly<Record<(typeof OUTCOME_MEANINGS)[number]['way'], ColourMeaning>> = {
  forward: 'safe',
  later: 'attention',
  away: 'plain',
}
/** Formats an amount in whole pounds, because axes and tables have no room for pence. */
const wholePounds = (pence: number): string => `£${Math.round(pence / 100).toLocaleString('en-GB')}`

const last = (all: readonly number[]) => all.at(-1) ?? 0
const sumOf = (all: readonly number[]) => all.reduce((n, one) => n + one, 0)

export function SalesCharts({ figures: f, whose, isAll }: Props) {
  const heads = weekHeadings(f)
  const canOpen = isAll || whose !== 'all'
  const cells = <T extends WeeklyCallCount | WeeklyQuoteCount>(
    done: readonly T[],
    of: SalesPersonFilter,
    amount: (one: T) => number,
    at: (of: SalesPersonFilter, week: string) => string,
  ): ChartCell[] =>
    sumFiguresByWeek(f.weeks, done, of, amount).map((value, n) => ({
      value,
      to: canOpen || of !== 'all' ? at(of, f.weeks[n] ?? '') : undefined,
    }))
  const people = f.people.filter((p) => whose === 'all' || p.id === whose)
  const rows = <T extends WeeklyCallCount | WeeklyQuoteCount>(
    done: readonly T[],
    amount: (one: T) => number,
    at: (of: SalesPersonFilter, week: string) => string,
  ) => {
    const each = people.map((p) => ({ name: p.name, cells: cells(done, p.id, amount, at) }))
    return whose === 'all' ? [...each, { name: 'Total', cells: cells(done, 'all', amount, at) }] : each
  }
  const made = sumFiguresByWeek(f.weeks, f.calls, whose, getCallCount)
  const [sent, accepted] = [
    sumFiguresByWeek(f.weeks, f.sent, whose, getQuoteCount),
    sumFiguresByWeek(f.weeks, f.accepted, whose, getQuoteCount),
  ]
  const earned = sumFiguresByWeek(f.weeks, f.accepted, whose, getSterlingQuotePence)
  return (
    <ChartGrid>
      <ChartWithTable
        title="Calls by week"
        summary={`Calls in nine weeks: ${sumOf(made)}, including ${last(made)} this week.`}
        columns={heads}
        rowIs="Person"
        rows={rows(f.calls, getCallCount, callListUrl)}
        isStacked
        series={OUTCOME_MEANINGS.map(({ way, label }) => ({
          label,
          meaning: MEANINGS[way],
          cells: cells(
            f.calls.filter((c) => c.way === way),
            whose,
            getCallCount,
            (of, week) => callListUrl(of, week, way),
          ),
        }))}
      />
      <ChartWithTable
        title="Quotes by week"
        summary={`Quotes in nine weeks: ${sumOf(sent)} sent, ${sumOf(accepted)} accepted. This week: ${last(sent)} sent, ${last(accepted)} accepted.`}
        columns={heads}
        rowIs="Person"
        rows={[
          ...rows(f.sent, getQuoteCount, sentQuotesUrl).map((r) => ({ ...r, name: `${r.name}: sent` })),
          ...rows(f.accepted, getQuoteCount, acceptedQuotesUrl).map((r) => ({ ...r, name: `${r.name}: accepted` })),
        ]}
        series={[
          { label: 'Sent', meaning: 'info', cells: cells(f.sent, whose, getQuoteCount, sentQuotesUrl) },
          { label: 'Accepted', meaning: 'safe', cells: cells(f.accepted, whose, getQuoteCount, acceptedQuotesUrl) },
        ]}
      />
      <ChartWithTable
        title="Value accepted by week"
        summary={`Value accepted in nine weeks: ${formatPounds(sumOf(earned))}, of which ${formatPounds(last(earned))} this week.`}
        columns={heads}
        rowIs="Person"
        rows={rows(f.accepted, getSterlingQuotePence, acceptedQuotesUrl)}
        format={wholePounds}
        series={[
          {
            label: 'Accepted',
            meaning: 'safe',
            cells: cells(f.accepted, whose, getSterlingQuotePence, acceptedQuotesUrl),
          },
        ]}
      />
    </ChartGrid>
  )
}
