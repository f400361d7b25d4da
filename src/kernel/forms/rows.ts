import type { Values } from './visible.ts'

/** The rows of a list, whatever came: what is no object is an empty row. */
export const rowsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** The values of an object, whatever came: what is none has none. */
export const objectOf = (value: unknown): Values => (isRow(value) ? value : {})

export const isRow = (row: unknown): row is Values => row !== null && typeof row === 'object' && !Array.isArray(row)
