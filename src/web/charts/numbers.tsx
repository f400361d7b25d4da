import type { ReactNode } from 'react'
import css from './charts.module.css'
import { type Cell, Opens } from './picture.tsx'

interface Props {
  readonly all: readonly {
    readonly label: string
    readonly cell: Cell
    readonly format?: (n: number) => string
    /** Shown below it, for comparison. */
    readonly beside?: ReactNode
  }[]
}

/** Large numbers, each a link to the rows behind it. */
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

/** Charts beside each other, as the width allows. */
export const Pictures = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.pictures}>{children}</div>
)
