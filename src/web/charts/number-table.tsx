import type { ReactNode } from 'react'

interface Props {
  /** The accessible name of the table. */
  readonly label: string
  /** The head of the first column: `Person`. */
  readonly head: string
  readonly columns: readonly string[]
  /** Columns with text, aligned left. */
  readonly words?: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly name: ReactNode
    readonly cells: readonly ReactNode[]
    /** A row of totals. */
    readonly isSum?: boolean
  }[]
  /** Of the frame that it scrolls in, and of the table. */
  readonly classes: { readonly frame: string | undefined; readonly table: string | undefined }
}

/** Numbers in rows and columns, in a frame of their own. */
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
