import { ukDateTime, ukDay } from '#kernel/time.ts'
import type { CellValue, ExportColumn } from './columns.ts'

/** Format of dates and times: `28/02/2026 09:30` in London time, or as the API sends them. */
export type DateStyle = 'uk' | 'iso'

/** Makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** White space that spreadsheets skip before a formula, in a syntax that JavaScript and PostgreSQL share. */
const BLANKS = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
/** Text that a spreadsheet would take for a formula, in the same syntax. */
export const FORMULA_PATTERN = new RegExp(String.raw`^(?:[\t\r\n]|[${BLANKS}]*[=+\-@＝＋－＠])`)

/** Escapes text that a spreadsheet would run as a formula with a leading apostrophe. */
export const escapeFormula = (text: string): string => (FORMULA_PATTERN.test(text) ? `'${text}` : text)

/** Yields the rows as CSV (RFC 4180), headings first. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  portions: AsyncIterable<readonly (readonly CellValue[])[]>,
  dates: DateStyle,
): AsyncGenerator<string> {
  yield csvHeading(columns)
  for await (const rows of portions) {
    let text = ''
    for (const row of rows) text += line(row.map((value) => textOf(value, dates)))
    yield text
  }
}

/** Byte order mark and heading row. */
export const csvHeading = (columns: readonly ExportColumn[]): string =>
  BYTE_ORDER_MARK + line(columns.map((c) => escapeFormula(c.label)))

const line = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`
/** Quotes a cell as PostgreSQL does. Leading and trailing blanks are preserved. */
const quoteCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function textOf(value: CellValue, dates: DateStyle): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeFormula(value)
  if (value instanceof Temporal.PlainDate) return dates === 'iso' ? value.toString() : ukDay(value.toString())
  return dates === 'iso' ? value.toString({ smallestUnit: 'second' }).replace('Z', '+00:00') : ukDateTime(value)
}
