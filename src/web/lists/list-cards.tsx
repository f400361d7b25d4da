import { RowCheckbox } from './choosing/row-checkbox.tsx'
import { linkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import type { ListViewProps } from './list-table.tsx'
import { pressRow, RowLink } from './row-link.tsx'

/** The same rows as cards, for a phone. */
export function ListCards<T>(props: ListViewProps<T>) {
  const { rows, columns, idOf, nameOf, rowActions, chosen, rowMuted, href, onOpen, onNear } = props
  const opening = { ...(href ? { href } : {}), ...(onOpen ? { onOpen } : {}), ...(onNear ? { onNear } : {}) }
  const link = linkColumn(columns)
  const others = columns.filter((c) => c !== link && c.inCard !== false)
  return (
    <ul className={css.cards}>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: its link takes the keyboard
        <li
          key={idOf(row)}
          className={css.card}
          data-row={idOf(row)}
          data-muted={rowMuted?.(row) || undefined}
          data-chosen={chosen?.has(idOf(row)) || undefined}
          onClick={pressRow}
        >
          <div className={css.cardHead}>
            {chosen && <RowCheckbox id={idOf(row)} name={nameOf(row)} chosen={chosen} />}
            <RowLink row={row} id={idOf(row)} {...opening}>
              {link?.render(row)}
            </RowLink>
            {rowActions && <div className={css.actions}>{rowActions(row)}</div>}
          </div>
          <dl className={css.facts}>
            {others.map((c) => {
              const value = c.render(row)
              // What has nothing to say needs no row of its own where there is little room.
              if (value === null || value === '') return null
              return (
                <div key={c.key}>
                  <dt>{c.title}</dt>
                  <dd>{value}</dd>
                </div>
              )
            })}
          </dl>
        </li>
      ))}
    </ul>
  )
}
