import type { Values } from './visible.ts'

/** Returns the rows of a list; anything that is not an object becomes an empty row. */
export const toRowObjects = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? value.map(toPlainObject) : []

/** Returns the object, or an empty one for any other value. */
export const toPlainObject = (value: unknown): Values => (isPlainObject(value) ? value : {})

export const isPlainObject = (row: unknown): row is Values =>
  row !== null && typeof row === 'object' && !Array.isArray(row)
