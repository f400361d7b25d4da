import type { ReactNode } from 'react'
import css from './charts.module.css'
import { type Cell, Opens } from './picture.tsx'

interface Props {
  readonly all: readonly {
    readonly label: string
    readonly cell: Cell
    readonly format?: (n: number) => string
    /** Comparison, shown below the number. */
    readonly beside?: ReactNode
  }[]
}

/** Large figures, each linking to the rows behind it. */
export const Numbers = ({ all }: Props) => (
  <dl className={css.numbers}>
    {all.map(({ label, cell, format, beside }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <Opens cell={cell} name={label} className={css.number} {...(format ? { format } : {})} />
        </dd>
        {beside && <dd>{beside}</dd>}
      </div>
    ))}
  </dl>
)

/** Charts side by side, as many as fit. */
export const Pictures = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.pictures}>{children}</div>
)
