import { quoteCsvCell } from '#kernel/text.ts'
import { RouteResponse } from '#server/engine/route.ts'

type CsvCell = string | number | null

const formatCell = (cell: CsvCell): string =>
  cell === null ? '' : typeof cell === 'number' ? String(cell) : quoteCsvCell(cell)

/** Returns rows as a CSV file with a byte order mark, which spreadsheets need for letters such as “é”. */
export function csvResponse(name: string, rows: readonly (readonly CsvCell[])[]): RouteResponse {
  const lines = rows.map((row) => row.map(formatCell).join(','))
  return new RouteResponse(200, Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  })
}

const MINUTES_PER_HOUR = 60

/** Converts minutes to hours with two decimals. */
export const toHours = (minutes: number): number => Math.round((minutes / MINUTES_PER_HOUR) * 100) / 100
