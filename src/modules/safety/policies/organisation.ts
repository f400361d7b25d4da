import { rowsOf } from '#kernel/forms/rows.ts'
import { textOf } from '#kernel/text.ts'

/** A place in the company as a policy has it. */
export interface Held {
  readonly function: string
  readonly person: string
  readonly responsibilities: readonly string[]
}

/** What responsibilities are written as: a line each. */
export const linesOf = (text: unknown): string[] =>
  textOf(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Who has which function; what nobody has said is missing, in words. */
export const functionsIn = (value: unknown): Held[] =>
  rowsOf(value).map((row) => ({
    function: textOf(row.function).trim() || 'Function Missing',
    person: textOf(row.person).trim() || 'Person Missing',
    responsibilities: linesOf(row.responsibilities),
  }))

/** Does a row say all that is asked of it? */
export const isHeld = (row: unknown): boolean =>
  (['function', 'person', 'responsibilities'] as const).every((name) => textOf(rowsOf([row])[0]?.[name]).trim() !== '')
