import type { ReactNode } from 'react'
import { useIsPhone } from '#web/ui/is-phone.ts'
import css from './sales.module.css'

interface Props {
  /** Of the table, for those who hear it. */
  readonly label: string
  /** What a row is: "Person". */
  readonly head: string
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly name: ReactNode
    readonly cells: readonly ReactNode[]
    /** It adds up the others. */
    readonly isSum?: boolean
  }[]
}

/** Numbers in rows and columns; on a phone, a card for each row. */
export function FigureTable({ label, head, columns, rows }: Props) {
  const phone = useIsPhone()
  if (phone)
    return (
      <ul className={css.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={row.key}>
            <h3>{row.name}</h3>
            <dl>
              {columns.map((column, n) => (
                <div key={column}>
                  <dt>{column}</dt>
                  <dd>{row.cells[n]}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={css.frame} aria-label={label} tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} data-sum={row.isSum || undefined}>
              <th scope="row">{row.name}</th>
              {columns.map((column, n) => (
                <td key={column}>{row.cells[n]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
