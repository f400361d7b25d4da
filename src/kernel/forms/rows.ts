import type { Values } from './visible.ts'

/** The rows of a list, whatever came: what is no object is an empty row. */
export const rowsOf = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? value.map((row: unknown) => (isRow(row) ? row : {})) : []

export const isRow = (row: unknown): row is Values => row !== null && typeof row === 'object' && !Array.isArray(row)
