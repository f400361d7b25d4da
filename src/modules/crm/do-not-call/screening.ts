import { toE164 } from '#kernel/text/phone.ts'

/** A register's result for a number; `list` is empty if it is on none. */
export interface ScreeningResult {
  readonly line: number
  readonly number: string
  readonly list: '' | 'TPS' | 'CTPS'
}

/** An unreadable line. */
export interface UnreadableScreeningLine {
  readonly line: number
  readonly said: string
  readonly wrong: string
}

export const isScreeningResult = (l: ScreeningResult | UnreadableScreeningLine): l is ScreeningResult => 'number' in l

const CLEAR = /^(?:|n|no|none|clear|ok|false|0|not (?:registered|listed|found)|no match)$/
const ON_TPS = /^(?:y|yes|true|1|tps|registered|listed|match)$/

/**
 * Parses screening results as sent by bureaux: the first column with a number counts, and the result is "TPS", "CTPS",
 * yes, no or nothing. Under a heading "CTPS", yes means CTPS. Separators are commas, semicolons or tabs; quotation
 * marks are ignored.
 */
export function parseScreening(csv: string): (ScreeningResult | UnreadableScreeningLine)[] {
  const lines = csv.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const separator =
    [',', ';', '\t'].toSorted((a, b) => (lines[0] ?? '').split(b).length - (lines[0] ?? '').split(a).length)[0] ?? ','
  const cells = (line: string) =>
    line.split(separator).map((cell) =>
      cell
        .replaceAll('"', '')
        .trim()
        .replace(/^[='’]+/, ''),
    )
  const heading = cells(lines[0] ?? '')
  const hasHeading = !heading.some((cell) => toE164(cell))
  return lines.flatMap((text, n): (ScreeningResult | UnreadableScreeningLine)[] => {
    if (!text.trim() || (n === 0 && hasHeading)) return []
    const row = cells(text)
    const at = row.findIndex((cell) => toE164(cell))
    const said = text.trim().slice(0, 60)
    if (at < 0) return [{ line: n + 1, said, wrong: 'No complete telephone number' }]
    const answers = row.flatMap((cell, k) =>
      k === at ? [] : [{ cell: cell.toLowerCase(), under: hasHeading ? (heading[k] ?? '') : '' }],
    )
    const found = answers.map(({ cell, under }) => meaning(cell, under))
    const list = found.includes('CTPS')
      ? 'CTPS'
      : found.includes('TPS')
        ? 'TPS'
        : found.includes('') || !found.length
          ? ''
          : undefined
    return list === undefined
      ? [{ line: n + 1, said, wrong: 'Neither a register nor yes or no next to the number' }]
      : [{ line: n + 1, number: toE164(row[at]), list }]
  })
}

/** Meaning of a cell under its heading; `undefined` if it says nothing about registers. */
function meaning(cell: string, under: string): ScreeningResult['list'] | undefined {
  if (cell === 'ctps') return 'CTPS'
  if (ON_TPS.test(cell)) return /ctps|corporate/i.test(under) ? 'CTPS' : 'TPS'
  return CLEAR.test(cell) ? '' : undefined
}
