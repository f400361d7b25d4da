/** True if two values have the same content: all empty values are equal, and the order of keys is ignored. */
export const hasSameContent = (a: unknown, b: unknown): boolean => said(a) === said(b)

const said = (value: unknown): string => JSON.stringify(plain(value)) ?? ''

function plain(value: unknown): unknown {
  if (value === null || value === '' || (Array.isArray(value) && !value.length)) return undefined
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return value
  if (value && 'toJSON' in value && typeof value.toJSON === 'function') return value.toJSON()
  const entries = Object.entries(value as object).flatMap(([name, v]) => {
    const p = plain(v)
    return p === undefined ? [] : [[name, p] as const]
  })
  return entries.length ? Object.fromEntries(entries.toSorted(([x], [y]) => (x < y ? -1 : 1))) : undefined
}
