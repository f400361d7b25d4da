import type { Values } from './visible.ts'

/** Returns the rows in a list. Each entry that is not an object becomes an empty row. */
export const toRowObjects = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? value.map(toPlainObject) : []

/** Returns the value if it is an object, otherwise an empty object. */
export const toPlainObject = (value: unknown): Values => (isPlainObject(value) ? value : {})

export const isPlainObject = (row: unknown): row is Values =>
  row !== null && typeof row === 'object' && !Array.isArray(row)
