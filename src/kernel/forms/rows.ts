import type { Values } from './visible.ts'

/** Returns the rows of a list; anything that is not an object becomes an empty row. */
export const rowsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** Returns the object, or an empty one for any other value. */
export const objectOf = (value: unknown): Values => (isRow(value) ? value : {})

export const isRow = (row: unknown): row is Values => row !== null && typeof row === 'object' && !Array.isArray(row)
