import { escapeHtmlText } from '#kernel/text/html.ts'

/** Pattern of a placeholder: `{{first name}}`, or `{{first name|there}}` with a default value. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** Pattern of `{{` or `}}`. Any match that remains after the placeholders have been removed is unmatched. */
const UNMATCHED_BRACES = /\{\{|\}\}/

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
  'sender phone': 'Your telephone number',
  portal: 'The portal’s name',
} as const

/** Merge fields with labels, by type of recipient. */
export const MAIL_MERGE_FIELDS = {
  lead: { ...OF_ALL, mobile: 'Mobile', 'business type': 'Business type', owner: 'Lead owner' },
  client: { ...OF_ALL, 'client number': 'Client number' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type MailMergeKind = keyof typeof MAIL_MERGE_FIELDS
export type MailMergeValues = Readonly<Record<string, string>>

/** Parses a placeholder into its field name in lower case and its default value. */
function readPlace(inside: string): { readonly name: string; readonly fallback: string | undefined } {
  const [name = '', ...rest] = inside.replace(/<[^<>]*>/g, '').split('|')
  return {
    name: name.trim().toLowerCase().replace(/\s+/g, ' '),
    fallback: rest.length ? rest.join('|').trim() : undefined,
  }
}

/** Returns the names of unknown fields, without duplicates, followed by any unmatched pair of braces. */
export function findUnknownMergeFields(kind: MailMergeKind, words: string): string[] {
  const known: Readonly<Record<string, string>> = MAIL_MERGE_FIELDS[kind]
  const unknown = [...words.matchAll(PLACEHOLDER)]
    .map(([, inside = '']) => readPlace(inside).name)
    .filter((name) => !Object.hasOwn(known, name))
  const torn = UNMATCHED_BRACES.exec(words.replace(PLACEHOLDER, ''))?.[0]
  return [...new Set([...unknown, ...(torn ? [torn] : [])])]
}

/** Returns an error message if the text can't be merged; otherwise `undefined`. */
export function mergeTextError(kind: MailMergeKind, words: string): string | undefined {
  const [first] = findUnknownMergeFields(kind, words)
  if (first === undefined) return undefined
  if (UNMATCHED_BRACES.test(first)) return `A field starts with {{ and ends with }}: “${first}” is unmatched`
  return `There is no field “${first}” for ${kind === 'lead' ? 'leads' : 'clients'}`
}

/** Merged text, and the names of merge fields that have neither a value nor a default. */
export interface MailMergeResult {
  readonly words: string
  readonly missing: readonly string[]
}

/** Replaces placeholders with values. Set `html` if the text is rich text; the plain-text values are then escaped. */
export function replaceMergeFields(words: string, values: MailMergeValues, { html = false } = {}): MailMergeResult {
  const missing = new Set<string>()
  const merged = words.replace(PLACEHOLDER, (_, inside: string) => {
    const { name, fallback } = readPlace(inside)
    const value = values[name]?.trim()
    if (value) return html ? escapeHtmlText(value) : value
    if (fallback === undefined) missing.add(name)
    return fallback ?? ''
  })
  return { words: merged, missing: [...missing] }
}

/**
 * Returns the first name for a salutation. If the name begins with a title, returns the title and the word after it,
 * usually the surname.
 */
export function firstNameOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  return second && /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|lady)\.?$/i.test(first) ? `${first} ${second}` : first
}
