import { Anchor } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useId } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import type { ColourMeaning } from '../theme/meaning.ts'
import type { ChartBarsProps } from './bars.tsx'
import css from './charts.module.css'
import { NumberTable } from './number-table.tsx'
import { ColourMeaningPattern } from './pattern.tsx'

/** Number with the URL of the list of rows that it counts. */
export interface ChartCell {
  readonly value: number
  readonly to?: string | undefined
}

/** Data series of a chart, shown in one colour. */
interface Series {
  readonly label: string
  readonly meaning: ColourMeaning
  readonly cells: readonly ChartCell[]
}

interface Row {
  readonly name: string
  readonly cells: readonly ChartCell[]
}

interface Props {
  readonly title: string
  readonly summary: string
  /** Labels below the bars, such as weeks or sites. */
  readonly columns: readonly string[]
  readonly series: readonly Series[]
  /** Rows of the table below the chart, if the table has more rows than the chart has colours. */
  readonly rows?: readonly Row[]
  /** Heading of the first column: `Person`. */
  readonly rowIs: string
  readonly format?: (n: number) => string
  readonly isStacked?: boolean
  /** Whether the bars are horizontal, for labels that don't fit below a vertical bar. */
  readonly isLying?: boolean
  readonly height?: number
  /** Heading level: 3 inside a section, 2 for a chart that is a section of its own. */
  readonly level?: 2 | 3
}

/** If the chart fails to load, the table is shown alone. */
const Bars = lazy<ComponentType<ChartBarsProps>>(() => import('./bars.tsx').catch(() => ({ default: () => null })))

/** Chart, with the same numbers in a table. Every number links to the rows that it counts. */
export function ChartWithTable({
  title,
  summary,
  columns,
  series,
  rows,
  rowIs,
  format = formatInteger,
  level = 3,
  ...how
}: Props) {
  const id = useId().replace(/\W/g, '')
  const Heading = `h${level}` as const
  const navigate = useNavigate()
  const open = (column: number, one: number) => {
    const to = series[one]?.cells[column]?.to
    if (to) void navigate(to)
  }
  return (
    <figure className={css.picture} aria-labelledby={id}>
      <Heading id={id} className={css.title}>
        {title}
      </Heading>
      <ul className={css.legend}>
        {series.length > 1 &&
          series.map((s, n) => (
            <li key={s.label}>
              <svg width={14} height={14} aria-hidden>
                <ColourMeaningPattern id={`${id}-l${n}`} meaning={s.meaning} />
                <rect width={14} height={14} rx={2} fill={`url(#${id}-l${n})`} />
              </svg>
              {s.label}
            </li>
          ))}
      </ul>
      <div
        className={css.chart}
        role="img"
        aria-label={summary}
        style={how.height ? ({ '--picture-height': `${how.height}px` } as object) : undefined}
      >
        <Suspense>
          <Bars
            id={id}
            columns={columns}
            series={series.map(({ label, meaning, cells }) => ({ label, meaning, values: cells.map((c) => c.value) }))}
            format={format}
            isStacked={how.isStacked ?? false}
            isLying={how.isLying ?? false}
            onOpen={open}
          />
        </Suspense>
      </div>
      <details
        className={css.behind}
        onToggle={(e) => {
          // Scrolls to the latest column, the most important one.
          const frame = e.currentTarget.querySelector('section')
          if (frame) frame.scrollLeft = frame.scrollWidth
        }}
      >
        <summary>{title} as a table</summary>
        <NumberTable
          label={`Table: ${title}`}
          head={rowIs}
          columns={columns}
          rows={(rows ?? series.map(({ label, cells }) => ({ name: label, cells }))).map(({ name, cells }) => ({
            key: name,
            name,
            cells: cells.map((cell, n) => (
              <FigureLink key={columns[n]} cell={cell} name={`${name}, ${columns[n]}`} format={format} />
            )),
          }))}
          classes={{ frame: css.frame, table: css.table }}
        />
      </details>
    </figure>
  )
}

interface OpensProps {
  readonly cell: ChartCell
  /** Accessible name of the number. */
  readonly name: string
  readonly format?: (n: number) => string
  readonly className?: string | undefined
}

/** Number that links to the rows it counts, if there are any. */
export const FigureLink = ({ cell: { value, to }, name, format = formatInteger, className }: OpensProps) =>
  to && value ? (
    <Anchor component={Link} to={to} inherit className={className} aria-label={`${format(value)} ${name}`}>
      {format(value)}
    </Anchor>
  ) : (
    <span className={className}>{format(value)}</span>
  )
