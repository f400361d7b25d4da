import { findHeadingRow, MAX_HEADING_CHARACTERS, parseImportCell, readHeadings } from '#kernel/text/import-cells.ts'
import { type CsvFormat, detectDelimiter, readCsvRows } from '#server/files/csv.ts'
import { importFileProblem, readTextChunks, type TextEncoding } from '#server/files/text.ts'
import { countKnownHeadings } from './columns.ts'

export const MAX_IMPORT_BYTES = 200 * 1024 * 1024
const MAX_FILE_ROWS = 100_000
const MAX_FILE_COLUMNS = 300
const SAMPLE = 5
const SNIFFED = 64 * 1024

export interface InspectedImportFile {
  readonly format: CsvFormat
  /** Column headings, made unique. */
  readonly columns: readonly string[]
  /** The first rows below the headings, as samples. */
  readonly sample: readonly (readonly string[])[]
  readonly rows: number
}

/** Returns the first cells of a row. A row with more cells has more columns than a list of leads. */
const firstCells = (cells: readonly string[]) =>
  cells.slice(0, MAX_FILE_COLUMNS).map((cell) => parseImportCell(cell.slice(0, MAX_HEADING_CHARACTERS)))

/** Number of rows at the start of a file in which the headings are searched for. */
const TITLE_ROWS = 20

function checkHeadings(cells: readonly string[]): void {
  if (cells.length > MAX_FILE_COLUMNS)
    throw importFileProblem(
      `The file has more than ${MAX_FILE_COLUMNS} columns. Please check that the file is a list of leads.`,
    )
  const texts = cells.map((cell) => parseImportCell(cell).slice(0, MAX_HEADING_CHARACTERS)).filter(Boolean)
  const values = texts.filter((t) => /@.+\.|^\+?[\d\s()./-]{4,}$/.test(t)).length
  if (!texts.some((t) => /\p{L}/u.test(t)) || values > 0)
    throw importFileProblem(
      'The file must contain the column headings, such as Company, Phone and E-mail. The first line of this file looks like data.',
    )
}

/**
 * Reads a file once to find its columns, sample values and number of rows. If the file can't be used, throws an error
 * with a one-sentence message.
 */
export async function inspectImportFile(path: string, encoding: TextEncoding): Promise<InspectedImportFile> {
  let head = ''
  for await (const text of readTextChunks(path, encoding)) {
    head += text
    if (head.length >= SNIFFED) break
  }
  const format = { encoding, ...detectDelimiter(head.slice(0, SNIFFED)) }
  let columns: string[] | undefined
  const sample: string[][] = []
  let rows = 0
  const take = (cells: readonly string[]) => {
    if (sample.length < SAMPLE)
      sample.push((columns ?? []).map((_, at) => parseImportCell(cells[at] ?? '').slice(0, 200)))
    if (++rows > MAX_FILE_ROWS)
      throw importFileProblem(
        `The file has more than ${MAX_FILE_ROWS.toLocaleString('en-GB')} rows. Please split it into smaller files.`,
      )
  }
  let above = 0
  const first: (readonly string[])[] = []
  const begin = () => {
    above = findHeadingRow(first.map(firstCells), countKnownHeadings)
    const [headings = [], ...others] = first.slice(above)
    checkHeadings(headings)
    columns = readHeadings(headings)
    for (const cells of others) take(cells)
  }
  for await (const { cells } of readCsvRows(path, format)) {
    if (columns) take(cells)
    else if (first.push(cells) === TITLE_ROWS) begin()
  }
  if (!columns && first.length) begin()
  if (!columns) throw importFileProblem('The file is empty.')
  if (rows === 0) throw importFileProblem('The file has column headings but no rows.')
  return { format: above ? { ...format, above } : format, columns, sample, rows }
}
