import { open, readFile } from 'node:fs/promises'
import { Problem } from '#kernel/errors.ts'
import { findHeadingRow, MAX_HEADING_CHARACTERS, parseImportCell, readHeadings } from '#kernel/text/import-cells.ts'
import { detectDelimiter, readCsvRows } from '#server/files/csv.ts'
import { detectEncoding, importFileProblem, readTextChunks } from '#server/files/text.ts'
import { serveTasks } from '#server/processes/serve-orders.ts'
import { countKnownHeadings } from './columns.ts'

/** Job that reads a CSV file or an Excel workbook. */
export interface ImportFileJob {
  readonly path: string
}

/** A row of a file, with its number as a spreadsheet shows it. */
export type FileRow = readonly [line: number, cells: readonly string[]]

/** Headings and rows of a file, or the reason why it can't be imported. */
export type ImportFileReading =
  | { readonly columns: readonly string[]; readonly rows: readonly FileRow[] }
  | { readonly refused: string }

const MAX_ROWS = 10_000
const MAX_COLUMNS = 100
const MAX_CELL_CHARACTERS = 1000
/** Rows at the start of a file among which the headings are looked for. */
const TITLE_ROWS = 20
/** Characters from which the delimiter is detected. */
const SNIFFED_CHARACTERS = 64 * 1024
const ZIP_SIGNATURE = 'PK\u0003\u0004'

type Cell = string | number | boolean | Date | null

/** Returns a cell of a workbook as text: a date as 2026-02-01, a number with all its digits. */
function textOfCell(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().replace(/T00:00:00.*$/, '')
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell)
}

/** Yields the rows of a workbook's first sheet. */
async function* readWorkbookRows(path: string): AsyncGenerator<FileRow> {
  // This large library is loaded only when used.
  const { streamXlsxRows } = await import('hucre/xlsx')
  try {
    for await (const { index, values } of streamXlsxRows(await readFile(path), { sheet: 0 }))
      yield [index + 1, values.map(textOfCell)]
  } catch {
    throw importFileProblem('This workbook can’t be read. Open it, save it as CSV, and choose the CSV file.')
  }
}

async function* readTextRows(path: string): AsyncGenerator<FileRow> {
  const encoding = await detectEncoding(path)
  let head = ''
  for await (const text of readTextChunks(path, encoding)) {
    head += text
    if (head.length >= SNIFFED_CHARACTERS) break
  }
  const format = { encoding, ...detectDelimiter(head.slice(0, SNIFFED_CHARACTERS)) }
  for await (const { line, cells } of readCsvRows(path, format)) yield [line, cells]
}

async function isWorkbook(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(ZIP_SIGNATURE.length), 0, ZIP_SIGNATURE.length, 0)
    return buffer.toString('latin1') === ZIP_SIGNATURE
  } finally {
    await file.close()
  }
}

async function readRows(path: string): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const [line, cells] of (await isWorkbook(path)) ? readWorkbookRows(path) : readTextRows(path)) {
    if (cells.every((cell) => cell.trim() === '')) continue
    if (rows.length > MAX_ROWS + TITLE_ROWS) break
    rows.push([line, cells.slice(0, MAX_COLUMNS + 1).map((cell) => cell.slice(0, MAX_CELL_CHARACTERS))])
  }
  return rows
}

async function readImportFile({ path }: ImportFileJob): Promise<ImportFileReading> {
  try {
    const all = await readRows(path)
    const starts = all
      .slice(0, TITLE_ROWS)
      .map(([, cells]) => cells.map((cell) => parseImportCell(cell.slice(0, MAX_HEADING_CHARACTERS))))
    const at = starts.length ? findHeadingRow(starts, countKnownHeadings) : 0
    const headings = starts[at]?.slice(0, (starts[at]?.findLastIndex((cell) => cell !== '') ?? -1) + 1) ?? []
    const rows = all.slice(at + 1)
    if (!headings.length) return { refused: 'The file is empty.' }
    if (headings.length > MAX_COLUMNS) return { refused: `The file has more than ${MAX_COLUMNS} columns.` }
    if (!rows.length) return { refused: 'The file has column headings but no rows.' }
    if (rows.length > MAX_ROWS)
      return { refused: `The file has more than ${MAX_ROWS.toLocaleString('en-GB')} rows. Please split it.` }
    if (headings.some((one) => /@.+\.|^\+?[\d\s()./-]{4,}$/.test(one)))
      return {
        refused:
          'The file must contain the column headings, such as Forename, Surname and Start date. The first row of this file looks like data.',
      }
    return { columns: readHeadings(headings), rows }
  } catch (e) {
    if (e instanceof Problem) return { refused: e.violations?.[0]?.message ?? e.message }
    throw e
  }
}

serveTasks(readImportFile)
