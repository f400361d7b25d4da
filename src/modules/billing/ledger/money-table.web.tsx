import type { ReactNode } from 'react'
import { formatMoney } from '#kernel/money.ts'
import table from '#web/ui/table.module.css'
import css from '../billing.module.css'

interface Props {
  /** Heading of the column with the row names, such as "Account". */
  readonly head: string
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly key: string | number
    readonly name: ReactNode
    readonly currency: string
    /** Pence for each column; zero is shown as an empty cell. */
    readonly amounts: readonly number[]
  }[]
}

/** Table of amounts, such as debits and credits. */
export const MoneyTable = ({ head, columns, rows }: Props) => (
  <table className={table.table}>
    <thead>
      <tr>
        <th scope="col">{head}</th>
        {columns.map((column) => (
          <th key={column} scope="col" className={css.amount}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row">{row.name}</th>
          {columns.map((column, n) => (
            <td key={column} className={css.amount}>
              {row.amounts[n] ? formatMoney(row.amounts[n], row.currency) : ''}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
