import { rowsOf } from '#kernel/forms/rows.ts'
import { textOf } from '#kernel/text.ts'

/** A function in a policy, with its holder and responsibilities. */
export interface PolicyFunctionHolder {
  readonly function: string
  readonly person: string
  readonly responsibilities: readonly string[]
}

export const splitResponsibilities = (text: unknown): string[] =>
  textOf(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Functions and their holders; missing values are replaced by a text. */
export const listFunctionHolders = (value: unknown): PolicyFunctionHolder[] =>
  rowsOf(value).map((row) => ({
    function: textOf(row.function).trim() || 'Function Missing',
    person: textOf(row.person).trim() || 'Person Missing',
    responsibilities: splitResponsibilities(row.responsibilities),
  }))

/** True if the row has all required values. */
export const isFunctionComplete = (row: unknown): boolean =>
  (['function', 'person', 'responsibilities'] as const).every((name) => textOf(rowsOf([row])[0]?.[name]).trim() !== '')
