/** Path of a value in a form: `['steps', 2, 'what']`. */
export type ValuePath = readonly [string, ...(readonly (string | number)[])]

type Box = Readonly<Record<string | number, unknown>>
const isBox = (v: unknown): v is Box => v !== null && typeof v === 'object'

export const valueAt = (values: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((v, key) => (isBox(v) ? v[key] : undefined), values)

/**
 * Returns a copy of the values in which the value at the path is replaced. Objects that are not on the path are reused.
 */
export function replaceValueAt(values: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof key === 'number') {
    const list = Array.isArray(values) ? [...(values as unknown[])] : []
    list[key] = replaceValueAt(list[key], rest, value)
    return list
  }
  return { ...(isBox(values) ? values : {}), [key]: replaceValueAt(valueAt(values, [key]), rest, value) }
}

/** Formats a path in the server's format: `steps[2].what`. */
export const formatPath = (path: ValuePath): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('')

/** Returns the ID of the element around an input. */
export const elementIdOf = (form: { readonly id: string }, path: string): string => `${form.id}-${path}`
