import { sectionOfHeading } from './sheet-lines.ts'

/** Piece of a line, or the cell of a table, with its position from the left of the page in points. */
interface PositionedCell {
  readonly text: string
  readonly left: number
  readonly right: number
  /** True if the cell is on the same line as the previous cell. */
  readonly isBeside: boolean
}

type Line = readonly PositionedCell[]

/** Share of a page's lines that may cross the gap between its columns, such as headers and wide tables. */
const MAX_CROSSING_SHARE = 0.4
/** Minimum number of lines in each column. */
const MIN_COLUMN_LINES = 3
/** Distance from a column's left edge, in points, within which a heading may begin. */
const TOLERANCE = 4

function linesOf(cells: readonly PositionedCell[]): Line[] {
  const lines: PositionedCell[][] = []
  for (const cell of cells) {
    if (cell.isBeside && lines.length) lines.at(-1)?.push(cell)
    else lines.push([cell])
  }
  return lines
}

const isHeading = ({ text }: PositionedCell) => sectionOfHeading({ text }, undefined) !== undefined

/**
 * Returns where the right column of a page in two columns begins, in points from the left; undefined for a page in one
 * column. Section headings begin at both columns. In a table, they begin only at the first column.
 */
function findColumn(cells: readonly PositionedCell[], lines: readonly Line[]): number | undefined {
  const start = cells.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)
  const middle = (start + cells.reduce((most, { right }) => Math.max(most, right), start)) / 2
  const heads = cells.filter(isHeading)
  if (!heads.some(({ left }) => left < middle - TOLERANCE)) return undefined
  const right = heads.filter(({ left }) => left >= middle - (middle - start) / 4)
  if (!right.length) return undefined
  const column = right.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY) - TOLERANCE
  const crossing = cells.filter((cell) => cell.left < column && cell.right > column)
  const [before, after] = [cells.filter((c) => c.right <= column), cells.filter((c) => c.left >= column)]
  const isSplit =
    crossing.length <= MAX_CROSSING_SHARE * lines.length && Math.min(before.length, after.length) >= MIN_COLUMN_LINES
  return isSplit ? column : undefined
}

/**
 * Returns the lines of a page in the order in which they are read: of a page in two columns, those of the left column
 * before those of the right one. A line across both columns ends the columns above it. Tabs separate the cells of a
 * line.
 */
export function readPageLines(cells: readonly PositionedCell[]): string[] {
  const lines = linesOf(cells)
  const textOf = (line: Line) => line.map(({ text }) => text).join('\t')
  const column = cells.length ? findColumn(cells, lines) : undefined
  if (column === undefined) return lines.map(textOf)
  const read: string[] = []
  let left: string[] = []
  let right: string[] = []
  for (const line of lines) {
    if (line.some((cell) => cell.left < column && cell.right > column)) {
      read.push(...left, ...right, textOf(line))
      left = []
      right = []
      continue
    }
    const [own, other] = [line.filter((c) => c.left < column), line.filter((c) => c.left >= column)]
    if (own.length) left.push(textOf(own))
    if (other.length) right.push(textOf(other))
  }
  return [...read, ...left, ...right]
}
