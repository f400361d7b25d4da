import type { ReactNode } from 'react'
import css from './charts.module.css'
import { type Cell, Opens } from './picture.tsx'

interface Props {
  readonly all: readonly {
    readonly label: string
    readonly cell: Cell
    readonly format?: (n: number) => string
    /** Below it: what it was before. */
    readonly beside?: ReactNode
  }[]
}

/** Numbers large enough to be read in passing, each a way to what it counts. */
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

/** Pictures beside each other, as many as there is room for. */
export const Pictures = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.pictures}>{children}</div>
)
