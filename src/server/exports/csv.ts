import { ukDateTime, ukDay } from '#kernel/time.ts'
import type { ExportColumn, Value } from './columns.ts'

/** How days and times are written: `28/02/2026 09:30` in London, or as the API sends them. */
export type Dates = 'uk' | 'iso'

/** Told by it, Excel reads the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** What a spreadsheet would take for a formula, and what it drops before looking. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

/** Text that a spreadsheet shows and never runs: the apostrophe says that it is text. */
const safeText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The rows as CSV (RFC 4180), the headings first. */
export async function* csvOf(
  columns: readonly ExportColumn[],
  portions: AsyncIterable<readonly (readonly Value[])[]>,
  dates: Dates,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(columns.map((c) => safeText(c.label)))
  for await (const rows of portions) {
    let text = ''
    for (const row of rows) text += line(row.map((value) => textOf(value, dates)))
    yield text
  }
}

const line = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`
const quoteCell = (text: string) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function textOf(value: Value, dates: Dates): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return safeText(value)
  if (value instanceof Temporal.PlainDate) return dates === 'iso' ? value.toString() : ukDay(value.toString())
  return dates === 'iso' ? value.toString({ smallestUnit: 'second' }).replace('Z', '+00:00') : ukDateTime(value)
}
