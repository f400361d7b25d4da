import type { Values } from './visible.ts'

/** Compares values by content. Rows that are the same objects are not looked into: tables have hundreds. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((one, i) => isSameValue(one, b[i]))
    : JSON.stringify(a ?? null) === JSON.stringify(b ?? null))

export const pickValues = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((n) => [n, values[n]]))
