/** Texts of lists without objects in them, which are the same in whatever order keys are written. */
const texts = new WeakMap<readonly unknown[], string>()

/** The text of such a list; `undefined` where there is an object in it. */
export function flatText(list: readonly unknown[]): string | undefined {
  const known = texts.get(list)
  if (known !== undefined || (typeof list[0] === 'object' && !Array.isArray(list[0]))) return known
  const text = JSON.stringify(list)
  return text.includes('{') ? undefined : text
}

/** Makes the text of a long list ahead of all that will write it: the row, and what is sealed of it. The list must stay as it is. */
export function makeText(list: readonly unknown[]): void {
  const text = flatText(list)
  if (text !== undefined) texts.set(list, text)
}

/** JSON of a value, with texts that have been made already. */
export function jsonText(value: unknown): string {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)
  if (!isPlain || !Object.values(value).some(madeText)) return JSON.stringify(value)
  const said = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${said.map(([key, one]) => `${JSON.stringify(key)}:${madeText(one) ?? JSON.stringify(one)}`).join(',')}}`
}

const madeText = (value: unknown) => (Array.isArray(value) ? texts.get(value) : undefined)

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
  if (Array.isArray(value)) return texts.has(value) || isFlat(value) ? value : value.map(storedJson)
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
