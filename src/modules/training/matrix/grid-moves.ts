interface GridPosition {
  readonly row: number
  readonly column: number
}

interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that a Page key moves. */
  readonly page: number
}

/** Rows rendered above and below the ones in view. */
const SPARE_ROWS = 8

const between = (at: number, most: number) => Math.min(Math.max(at, 0), Math.max(most, 0))

/** Returns the cell to which a key moves; undefined for any other key. Nothing moves beyond the edges. */
export function moveInGrid(
  { row, column }: GridPosition,
  key: string,
  { rows, columns, page }: GridSize,
): GridPosition | undefined {
  const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-page, 0],
    PageDown: [page, 0],
    Home: [0, -columns],
    End: [0, columns],
  }
  const move = moves[key]
  return move && { row: between(row + move[0], rows - 1), column: between(column + move[1], columns - 1) }
}

interface View {
  readonly top: number
  readonly height: number
  /** Height of a row. */
  readonly row: number
  readonly rows: number
}

/** Returns the rows to render: those in view and a few others. `last` is the first row that is not rendered. */
export function visibleRows({ top, height, row, rows }: View): { readonly first: number; readonly last: number } {
  const first = between(Math.floor(top / row) - SPARE_ROWS, rows - 1)
  return { first, last: Math.min(rows, Math.ceil((top + height) / row) + SPARE_ROWS) }
}
