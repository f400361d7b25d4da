import { ukDateTime, ukDay } from '#kernel/time.ts'
import type { ExportColumn, Value } from './columns.ts'

/** How days and times are written: `28/02/2026 09:30` in London, or as the API sends them. */
export type Dates = 'uk' | 'iso'

/** Told by it, Excel reads the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** What a spreadsheet drops before it looks, as JavaScript and PostgreSQL both read it. */
const BLANKS = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
/** What it would take for a formula; both read it. */
export const FORMULA = new RegExp(String.raw`^(?:[\t\r\n]|[${BLANKS}]*[=+\-@＝＋－＠])`)

/** Text that a spreadsheet shows and never runs: the apostrophe says that it is text. */
export const safeText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The rows as CSV (RFC 4180), the headings first. */
export async function* csvOf(
  columns: readonly ExportColumn[],
  portions: AsyncIterable<readonly (readonly Value[])[]>,
  dates: Dates,
): AsyncGenerator<string> {
  yield heading(columns)
  for await (const rows of portions) {
    let text = ''
    for (const row of rows) text += line(row.map((value) => textOf(value, dates)))
    yield text
  }
}

/** What the file begins with. */
export const heading = (columns: readonly ExportColumn[]): string =>
  BYTE_ORDER_MARK + line(columns.map((c) => safeText(c.label)))

const line = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`
/** As PostgreSQL quotes. Blanks at the ends are part of a cell as they are. */
const quoteCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function textOf(value: Value, dates: Dates): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return safeText(value)
  if (value instanceof Temporal.PlainDate) return dates === 'iso' ? value.toString() : ukDay(value.toString())
  return dates === 'iso' ? value.toString({ smallestUnit: 'second' }).replace('Z', '+00:00') : ukDateTime(value)
}
