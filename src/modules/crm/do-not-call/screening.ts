import { e164 } from '#kernel/text/phone.ts'

/** A number as a register has answered for it; `list` is empty where it is on none. */
export interface Answered {
  readonly line: number
  readonly number: string
  readonly list: '' | 'TPS' | 'CTPS'
}

/** A line that is not understood. */
export interface Wrong {
  readonly line: number
  readonly said: string
  readonly wrong: string
}

export const isAnswered = (l: Answered | Wrong): l is Answered => 'number' in l

const CLEAR = /^(?:|n|no|none|clear|ok|false|0|not (?:registered|listed|found)|no match)$/
const ON_TPS = /^(?:y|yes|true|1|tps|registered|listed|match)$/

/**
 * The answers of a screening, as bureaux send them: a number in the first column that holds one, and beside it "TPS", "CTPS", yes, no or
 * nothing. A heading "CTPS" makes yes mean that. Separated by commas, semicolons or tabs; quotes are left aside.
 */
export function readScreening(csv: string): (Answered | Wrong)[] {
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
  const hasHeading = !heading.some((cell) => e164(cell))
  return lines.flatMap((text, n): (Answered | Wrong)[] => {
    if (!text.trim() || (n === 0 && hasHeading)) return []
    const row = cells(text)
    const at = row.findIndex((cell) => e164(cell))
    const said = text.trim().slice(0, 60)
    if (at < 0) return [{ line: n + 1, said, wrong: 'No whole telephone number' }]
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
      ? [{ line: n + 1, said, wrong: 'Neither a register nor yes or no beside the number' }]
      : [{ line: n + 1, number: e164(row[at]), list }]
  })
}

/** What a cell says, under its heading; `undefined` for what says nothing of registers. */
function meaning(cell: string, under: string): Answered['list'] | undefined {
  if (cell === 'ctps') return 'CTPS'
  if (ON_TPS.test(cell)) return /ctps|corporate/i.test(under) ? 'CTPS' : 'TPS'
  return CLEAR.test(cell) ? '' : undefined
}
