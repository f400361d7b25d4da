import { Checkbox } from '@mantine/core'
import css from './data-list.module.css'
import type { ListViewProps } from './list-table.tsx'
import { pressRow, RowLink } from './row-link.tsx'

/** The same rows as cards, for a phone. */
export function ListCards<T>(props: ListViewProps<T>) {
  const { rows, columns, idOf, nameOf, rowActions, chosen, onChosen, rowMuted, href, onOpen, onNear } = props
  const opening = { ...(href ? { href } : {}), ...(onOpen ? { onOpen } : {}), ...(onNear ? { onNear } : {}) }
  const [first, ...others] = columns
  const has = (row: T) => chosen?.some((c) => idOf(c) === idOf(row)) ?? false
  return (
    <ul className={css.cards}>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: its link takes the keyboard
        <li
          key={idOf(row)}
          className={css.card}
          data-row={idOf(row)}
          data-muted={rowMuted?.(row) || undefined}
          onClick={pressRow}
        >
          <div className={css.cardHead}>
            {onChosen && (
              <Checkbox
                aria-label={`Choose ${nameOf(row)}`}
                checked={has(row)}
                onChange={() =>
                  onChosen(has(row) ? (chosen ?? []).filter((c) => idOf(c) !== idOf(row)) : [...(chosen ?? []), row])
                }
              />
            )}
            <RowLink row={row} id={idOf(row)} {...opening}>
              {first?.render(row)}
            </RowLink>
            {rowActions && <div className={css.actions}>{rowActions(row)}</div>}
          </div>
          <dl className={css.facts}>
            {others
              .filter((c) => c.inCard !== false)
              .map((c) => (
                <div key={c.key}>
                  <dt>{c.title}</dt>
                  <dd>{c.render(row)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
