import { type Format, rowsOf, sniff } from '#server/files/csv.ts'
import { type Encoding, readText, refused } from '#server/files/text.ts'
import { cellText } from './row.ts'

export const MOST_BYTES = 200 * 1024 * 1024
const MOST_ROWS = 100_000
const MOST_COLUMNS = 300
const SAMPLE = 5
const SNIFFED = 64 * 1024
/** Number of characters of a heading that are read. */
const LOOKED_AT = 500

export interface Inspected {
  readonly format: Format
  /** The headings, made unique. */
  readonly columns: readonly string[]
  /** The first rows below the headings. */
  readonly sample: readonly (readonly string[])[]
  readonly rows: number
}

/** Headings as written; a blank one gets a number, a repeated one a suffix. */
function readHeadings(cells: readonly string[]): string[] {
  const names: string[] = []
  for (const [at, cell] of cells.entries()) {
    const base = cellText(cell).slice(0, LOOKED_AT).replace(/\s+/g, ' ').slice(0, 100) || `Column ${at + 1}`
    let name = base
    for (let n = 2; names.includes(name); n++) name = `${base} (${n})`
    names.push(name)
  }
  return names
}

function checkHeadings(cells: readonly string[]): void {
  const texts = cells.map((cell) => cellText(cell).slice(0, LOOKED_AT)).filter(Boolean)
  if (cells.length > MOST_COLUMNS)
    throw refused(`The file has more than ${MOST_COLUMNS} columns. Is it a list of leads?`)
  const values = texts.filter((t) => /@.+\.|^\+?[\d\s()./-]{4,}$/.test(t)).length
  if (!texts.some((t) => /\p{L}/u.test(t)) || values > 0)
    throw refused(
      'The first line must contain the headings of the columns, such as Company, Phone and E-mail. This one looks like data.',
    )
}

/**
 * Scans a file once for columns, sample values and number of rows. Throws a one-sentence error for an unusable file.
 */
export async function inspect(path: string, encoding: Encoding): Promise<Inspected> {
  let head = ''
  for await (const text of readText(path, encoding)) {
    head += text
    if (head.length >= SNIFFED) break
  }
  const format = { encoding, ...sniff(head.slice(0, SNIFFED)) }
  let columns: string[] | undefined
  const sample: string[][] = []
  let rows = 0
  for await (const { cells } of rowsOf(path, format)) {
    if (!columns) {
      checkHeadings(cells)
      columns = readHeadings(cells)
      continue
    }
    if (sample.length < SAMPLE) sample.push(columns.map((_, at) => cellText(cells[at] ?? '').slice(0, 200)))
    if (++rows > MOST_ROWS)
      throw refused(
        `The file has more than ${MOST_ROWS.toLocaleString('en-GB')} rows. Please split it into smaller files.`,
      )
  }
  if (!columns) throw refused('The file is empty.')
  if (rows === 0) throw refused('The file has headings but no rows below them.')
  return { format, columns, sample, rows }
}
