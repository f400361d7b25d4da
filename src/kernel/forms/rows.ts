import type { Values } from './visible.ts'

/** The rows of a list, whatever came: what is no object is an empty row. */
export const rowsOf = (value: unknown): readonly Values[] =>
  Array.isArray(value)
    ? value.map((row: unknown) =>
        row !== null && typeof row === 'object' && !Array.isArray(row) ? (row as Values) : {},
      )
    : []
