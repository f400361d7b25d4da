import type { ComponentProps } from 'react'
import { useIsPhone } from '#web/ui/is-phone.ts'
import css from './figure-table.module.css'
import { NumberTable } from './number-table.tsx'

type Props = Omit<ComponentProps<typeof NumberTable>, 'classes'>

/** Table of numbers. On a phone, each row is shown as a card. */
export function ResponsiveNumberTable({ label, head, columns, words = [], rows }: Props) {
  const phone = useIsPhone()
  if (phone)
    return (
      <ul className={css.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={row.key}>
            <h3>{row.name}</h3>
            <dl>
              {/* Cards omit columns whose value is blank. */}
              {columns.map(
                (column, n) =>
                  row.cells[n] !== '' && (
                    <div key={column}>
                      <dt>{column}</dt>
                      <dd>{row.cells[n]}</dd>
                    </div>
                  ),
              )}
            </dl>
          </li>
        ))}
      </ul>
    )
  return <NumberTable {...{ label, head, columns, words, rows }} classes={{ frame: css.frame, table: css.table }} />
}
