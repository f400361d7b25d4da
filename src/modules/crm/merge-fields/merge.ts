import { encodeText } from '#kernel/text/html.ts'

/** What stands in a letter's words in the place of a value: `{{first name}}`, or `{{first name|there}}` with what is said without one. */
const PLACE = /\{\{([^{}]*)\}\}/g
/** The beginning or the end of a place that is not whole. */
const TORN = /\{\{|\}\}/

const OF_ALL = {
  'first name': 'First name',
  'contact name': 'Contact name',
  company: 'Company',
  'company number': 'Company number',
  phone: 'Telephone',
  email: 'E-mail',
  address: 'Address',
  city: 'City',
  postcode: 'Postcode',
  today: 'Today’s date',
  sender: 'Your name',
  'sender phone': 'Your telephone',
  portal: 'The portal’s name',
} as const

/** The fields that letters can be merged with, by the kind of record that they are to: name, and what people call it. */
export const MERGE_FIELDS = {
  lead: { ...OF_ALL, mobile: 'Mobile', 'business type': 'Business type', owner: 'Owner of the lead' },
  client: { ...OF_ALL, 'client number': 'Client number' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type MergeKind = keyof typeof MERGE_FIELDS
export type MergeValues = Readonly<Record<string, string>>

/** How a place is read: its field's name in small letters, and what stands there without a value. */
function readPlace(inside: string): { readonly name: string; readonly fallback: string | undefined } {
  const [name = '', ...rest] = inside.replace(/<[^>]*>/g, '').split('|')
  return {
    name: name.trim().toLowerCase().replace(/\s+/g, ' '),
    fallback: rest.length ? rest.join('|').trim() : undefined,
  }
}

/** What of a letter's words can't be merged for this kind of record: the names of unknown fields, each once, or the sign of a torn place. */
export function unknownFields(kind: MergeKind, words: string): string[] {
  const known: Readonly<Record<string, string>> = MERGE_FIELDS[kind]
  const unknown = [...words.matchAll(PLACE)]
    .map(([, inside = '']) => readPlace(inside).name)
    .filter((name) => !Object.hasOwn(known, name))
  const torn = TORN.exec(words.replace(PLACE, ''))?.[0]
  return [...new Set([...unknown, ...(torn ? [torn] : [])])]
}

/** The sentence that refuses such words; nothing where they can be merged. */
export function mergeRefusal(kind: MergeKind, words: string): string | undefined {
  const [first] = unknownFields(kind, words)
  if (first === undefined) return undefined
  if (TORN.test(first)) return `A field begins with {{ and ends with }}: “${first}” stands alone`
  return `There is no field “${first}” for ${kind === 'lead' ? 'leads' : 'clients'}`
}

/** Words with their values, and the fields that have none and say nothing in their place. */
export interface Merged {
  readonly words: string
  readonly missing: readonly string[]
}

/** Puts values in their places. `html`: the words are rich text, and the values plain. */
export function merge(words: string, values: MergeValues, { html = false } = {}): Merged {
  const missing = new Set<string>()
  const merged = words.replace(PLACE, (_, inside: string) => {
    const { name, fallback } = readPlace(inside)
    const value = values[name]?.trim()
    if (value) return html ? encodeText(value) : value
    if (fallback === undefined) missing.add(name)
    return fallback ?? ''
  })
  return { words: merged, missing: [...missing] }
}

/** The first of a person's names, as a letter greets them: a title and its surname stay together. */
export function firstNameOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  return second && /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|lady)\.?$/i.test(first) ? `${first} ${second}` : first
}
