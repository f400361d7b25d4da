import type { ReactNode } from 'react'
import { type ChartCell, FigureLink } from './chart.tsx'
import css from './charts.module.css'

interface Props {
  readonly all: readonly {
    readonly label: string
    readonly cell: ChartCell
    readonly format?: (n: number) => string
    /** Comparison with another figure, shown below the number. */
    readonly beside?: ReactNode
  }[]
}

/** Key figures in large type, each with a link to the rows it counts. */
export const KeyFigures = ({ all }: Props) => (
  <dl className={css.numbers}>
    {all.map(({ label, cell, format, beside }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <FigureLink cell={cell} name={label} className={css.number} {...(format ? { format } : {})} />
        </dd>
        {beside && <dd>{beside}</dd>}
      </div>
    ))}
  </dl>
)

/** Grid that places as many charts side by side as fit. */
export const ChartGrid = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.pictures}>{children}</div>
)
