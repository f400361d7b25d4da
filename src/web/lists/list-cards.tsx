import { linkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import { CardRow, rowPropsOf, useWays } from './list-row.tsx'
import type { ListViewProps } from './list-table.tsx'

/** The same rows as cards, for a phone. */
export function ListCards<T>(props: ListViewProps<T>) {
  const propsOf = rowPropsOf(props, linkColumn(props.columns), useWays(props))
  return (
    <ul className={css.cards}>
      {props.rows.map((row) => (
        <CardRow key={props.idOf(row)} {...propsOf(row)} />
      ))}
    </ul>
  )
}
