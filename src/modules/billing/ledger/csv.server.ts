import { formulaSafeCell } from '#modules/crm/imports/row.ts'
import { RouteAnswer } from '#server/engine/route.ts'

const NUMBER = /^-?\d+[.]\d\d$/
const cell = (value: string) => (NUMBER.test(value) ? value : `"${formulaSafeCell(value).replaceAll('"', '""')}"`)

/** CSV response, headings first; cells that would run as formulas are escaped. */
export const csvResponse = (name: string, rows: readonly (readonly string[])[]): RouteAnswer =>
  new RouteAnswer(200, rows.map((row) => `${row.map(cell).join(',')}\r\n`).join(''), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  })

const size = (pence: bigint) => `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`

/** Formats pence for files: `-1234.50`. */
export const poundsForCsv = (pence: number | bigint): string => {
  const amount = BigInt(pence)
  return amount < 0n ? `-${size(-amount)}` : size(amount)
}
