/** Is it a list of plain values, and of such lists? A drawing is, mostly: whatever looks at each value of JSON may leave it aside. */
function isFlat(list: readonly unknown[]): boolean {
  // By their places: an iterator is an object for each of them.
  for (let at = 0; at < list.length; at++) {
    const one = list[at]
    if (typeof one === 'object' && one !== null && !(Array.isArray(one) && isFlat(one))) return false
  }
  return true
}

/** A JSON value as a jsonb column gives it back: the keys of each object in the database's order, without those that have no value. */
export function storedJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null
  if (Array.isArray(value)) return isFlat(value) ? value : value.map(storedJson)
  // What says by itself how it is written, such as a moment.
  if ('toJSON' in value) return storedJson(JSON.parse(JSON.stringify(value)))
  const said = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(said.map(([key, one]) => [key, storedJson(one)] as const).sort(byKey))
}

/** Letters of more than one byte are told from others by none of these. */
const PLAIN = /^[\x20-\x7e]*$/

/** Shorter keys come first, those of one length in the order of their bytes. */
const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => {
  if (PLAIN.test(one) && PLAIN.test(other)) return one.length - other.length || (one < other ? -1 : 1)
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length - b.length || Buffer.compare(a, b)
}
