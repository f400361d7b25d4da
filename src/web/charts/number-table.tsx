import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  /** Heading of the first column: `Person`. */
  readonly head: string
  readonly columns: readonly string[]
  /** Names of the columns that contain text, which is aligned left. */
  readonly words?: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly name: ReactNode
    readonly cells: readonly ReactNode[]
    /** Whether this is the totals row. */
    readonly isSum?: boolean
  }[]
  /** CSS classes of the scrolling frame and of the table. */
  readonly classes: { readonly frame: string | undefined; readonly table: string | undefined }
}

/** Table of numbers in a frame that scrolls independently of the page. */
export const NumberTable = ({ label, head, columns, words = [], rows, classes }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
  <section className={classes.frame} aria-label={label} tabIndex={0}>
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map((column) => (
            <th key={column} scope="col" data-words={words.includes(column) || undefined}>
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
              <td key={column} data-words={words.includes(column) || undefined}>
                {row.cells[n]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
