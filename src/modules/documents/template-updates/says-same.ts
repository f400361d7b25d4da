/** Do two values say the same to a person? Nothing is nothing, however it is kept, and the order of an object's names is none. */
export const saysSame = (a: unknown, b: unknown): boolean => said(a) === said(b)

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
