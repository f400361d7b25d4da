import type { z } from 'zod'
import { formatPlainValue } from '../forms/words.ts'

type Shape = z.ZodObject<z.ZodRawShape>

/** Reads the state from the URL parameters. Invalid values are ignored. */
export function readUrlState<S extends Shape>(schema: S, search: URLSearchParams): z.infer<S> {
  const given = Object.fromEntries([...search.keys()].filter((k) => k in schema.shape).map((k) => [k, search.get(k)]))
  const all = schema.safeParse(given)
  if (all.success) return all.data
  const bad = new Set(all.error.issues.map((i) => String(i.path[0])))
  return schema.parse(Object.fromEntries(Object.entries(given).filter(([k]) => !bad.has(k))))
}

/** Returns the URL parameters for a state. Defaults are omitted, and unrelated parameters are retained. */
export function writeUrlState<S extends Shape>(schema: S, search: URLSearchParams, state: z.infer<S>): URLSearchParams {
  const next = new URLSearchParams(search)
  const usual = schema.parse({}) as Record<string, unknown>
  for (const [key, value] of Object.entries(state as Record<string, unknown>)) {
    const none = value === undefined || value === null || value === ''
    if (value === usual[key] || (none && !usual[key])) next.delete(key)
    else next.set(key, none ? '' : formatPlainValue(value))
  }
  return next
}

/** Changes the state of a list. Unless the change sets the page, the list returns to page 1. */
export const changeListState = <T extends object>(state: T, change: Partial<T>): T =>
  'page' in state && !('page' in change) ? { ...state, page: 1, ...change } : { ...state, ...change }

/** Converts a sort order to query parameters: `-name` → `{'order[name]': 'desc'}` */
export const sortOrderParams = (order: string): Record<string, string> =>
  order === '' ? {} : { [`order[${order.replace(/^-/, '')}]`]: order.startsWith('-') ? 'desc' : 'asc' }

/** Returns the next sort order when a heading is clicked: ascending, descending, default. */
export const nextSortOrder = (order: string, by: string): string =>
  order === by ? `-${by}` : order === `-${by}` ? '' : by
