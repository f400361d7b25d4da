import { escapeCsvFormula } from '#kernel/text.ts'

type CsvCell = string | number | null

const quoted = (cell: CsvCell): string =>
  cell === null ? '' : typeof cell === 'number' ? String(cell) : `"${escapeCsvFormula(cell).replaceAll('"', '""')}"`

/** Returns rows as CSV with a byte order mark, which spreadsheets need for letters such as “é”. */
export const formatCsv = (rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`

/** Returns the name of a file with the letters that every system accepts. */
export const fileNameOf = (words: string): string =>
  words
    .normalize('NFKD')
    .replaceAll(/[^\w -]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
    .toLowerCase()
