import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import type { ColourMeaning } from '../theme/meaning.ts'
import css from './charts.module.css'
import { ColourMeaningPattern } from './pattern.tsx'

export interface ChartBarsProps {
  readonly id: string
  readonly columns: readonly string[]
  readonly series: readonly {
    readonly label: string
    readonly meaning: ColourMeaning
    readonly values: readonly number[]
  }[]
  readonly format: (n: number) => string
  readonly isStacked: boolean
  readonly isLying: boolean
  readonly onOpen?: (column: number, series: number) => void
}

/** Number of characters of a name that fit in two lines beside a horizontal bar. */
const MAX_NAME_LENGTH = 36
const shortenName = (name: string) =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1).trimEnd()}…` : name

/** Bar chart. It is hidden from screen readers, because the summary and the table contain the same data. */
export default function ChartBars({ id, columns, series, format, isStacked, isLying, onOpen }: ChartBarsProps) {
  const data = columns.map((label, n) => ({
    label,
    ...Object.fromEntries(series.map((s, k) => [`s${k}`, s.values[n] ?? 0])),
  }))
  return (
    <BarChart
      h="100%"
      data={data}
      dataKey="label"
      orientation={isLying ? 'vertical' : 'horizontal'}
      type={isStacked ? 'stacked' : 'default'}
      series={series.map((s, k) => ({ name: `s${k}`, label: s.label, color: `var(--bar-${s.meaning})` }))}
      valueFormatter={format}
      gridAxis={isLying ? 'y' : 'x'}
      tickLine="none"
      maxBarWidth={28}
      yAxisProps={isLying ? { width: 120, tickFormatter: shortenName } : { width: 44, allowDecimals: false }}
      xAxisProps={isLying ? { allowDecimals: false } : {}}
      barChartProps={{ accessibilityLayer: false, margin: { top: 12, right: 12 } }}
      barProps={(one) => ({
        fill: `url(#${id}-${one.name})`,
        isAnimationActive: false,
        ...(onOpen
          ? { className: css.opens ?? '', onClick: (_: unknown, n: number) => onOpen(n, Number(one.name.slice(1))) }
          : {}),
      })}
      tooltipAnimationDuration={0}
    >
      <defs>
        {series.map((s, k) => (
          <ColourMeaningPattern key={s.label} id={`${id}-s${k}`} meaning={s.meaning} />
        ))}
      </defs>
    </BarChart>
  )
}
