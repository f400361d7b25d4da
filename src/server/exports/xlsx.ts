import type { Field } from '#kernel/fields.ts'
import { LONDON } from '#kernel/time.ts'
import type { CellValue, ExportColumn } from './columns.ts'
import type { DateStyle } from './csv.ts'

/** Maximum characters in an Excel cell. */
const LONGEST = 32_767
/** Excel's maximum length of a sheet name, and the characters it refuses. */
const SHEET_NAME = 31
const REFUSED = /[[\]:*?/\\]/g

/** Characters that are invalid in XML and would corrupt the workbook. */
const NO_CHARACTER = /[\uFFFE\uFFFF]/g
/** Text that Excel would read as an escaped character. */
const CODE = /_(?=x[\dA-F]{4}_)/gi

const textOf = (text: string) => text.slice(0, LONGEST).replace(NO_CHARACTER, '').replace(CODE, '_x005F_')

const DAY = { uk: 'dd/mm/yyyy', iso: 'yyyy-mm-dd' } as const

/** Writes the rows as a workbook of one sheet with frozen headings. Text stays text: none of it becomes a formula. */
export async function writeXlsx(
  name: string,
  columns: readonly ExportColumn[],
  portions: AsyncIterable<readonly (readonly CellValue[])[]>,
  dates: DateStyle,
): Promise<AsyncIterable<Uint8Array>> {
  // Large library, loaded only when used.
  const { writeXlsxStream } = await import('hucre/xlsx')
  return writeXlsxStream(cellsOf(portions), {
    name: name.replace(REFUSED, ' ').slice(0, SHEET_NAME),
    columns: columns.map((c) => ({ header: c.label, width: widthOf(c), ...formatOf(c.field, dates) })),
    freezePane: { rows: 1 },
  })
}

async function* cellsOf(portions: AsyncIterable<readonly (readonly CellValue[])[]>) {
  for await (const rows of portions) for (const row of rows) yield row.map(cellOf)
}

/** Excel has no time zones: times are written in London time. */
function cellOf(value: CellValue): string | number | Date | null {
  if (typeof value === 'string') return textOf(value)
  if (value === null || typeof value === 'number') return value
  const local = value instanceof Temporal.PlainDate ? value : value.toZonedDateTimeISO(LONDON).toPlainDateTime()
  return new Date(local.toZonedDateTime('UTC').epochMilliseconds)
}

function formatOf(field: Field, dates: DateStyle): { numFmt?: string } {
  if (field.kind === 'date') return { numFmt: DAY[dates] }
  if (field.kind === 'instant' || field.kind === 'unixSeconds') return { numFmt: `${DAY[dates]} hh:mm` }
  return field.pence ? { numFmt: '#,##0.00' } : {}
}

const WIDE = new Set<Field['kind']>(['text', 'link', 'email', 'richText', 'longText'])

const widthOf = ({ label, field }: ExportColumn) => Math.max(label.length + 2, WIDE.has(field.kind) ? 26 : 16)
