import { escapeHtmlText } from './html.ts'

/** Pattern of a placeholder: `{{first name}}`, or `{{first name|there}}` with a default value. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** Pattern of `{{` or `}}`. Any match that remains after the placeholders have been removed is unmatched. */
const UNMATCHED_BRACES = /\{\{|\}\}/

/** Labels of merge fields by name. */
export type MergeFields = Readonly<Record<string, string>>
export type MergeValues = Readonly<Record<string, string>>

/** A placeholder in a text: its field name in lower case and its default value. */
interface Placeholder {
  readonly name: string
  readonly fallback: string | undefined
}

function parsePlaceholder(inside: string): Placeholder {
  const [name = '', ...rest] = inside.replace(/<[^<>]*>/g, '').split('|')
  return {
    name: name.trim().toLowerCase().replace(/\s+/g, ' '),
    fallback: rest.length ? rest.join('|').trim() : undefined,
  }
}

export const placeholdersIn = (words: string): Placeholder[] =>
  [...words.matchAll(PLACEHOLDER)].map(([, inside = '']) => parsePlaceholder(inside))

/** Returns the names of unknown fields, without duplicates, followed by any unmatched pair of braces. */
export function findUnknownMergeFields(known: MergeFields, words: string): string[] {
  const unknown = placeholdersIn(words)
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(known, name))
  const torn = UNMATCHED_BRACES.exec(words.replace(PLACEHOLDER, ''))?.[0]
  return [...new Set([...unknown, ...(torn ? [torn] : [])])]
}

/** Returns an error message if the text can't be merged for its recipients, such as `leads`; otherwise `undefined`. */
export function mergeTextError(known: MergeFields, words: string, recipients: string): string | undefined {
  const [first] = findUnknownMergeFields(known, words)
  if (first === undefined) return undefined
  if (UNMATCHED_BRACES.test(first)) return `A field starts with {{ and ends with }}: “${first}” is unmatched`
  return `There is no field “${first}” for ${recipients}`
}

/** Merged text, and the names of merge fields that have neither a value nor a default. */
export interface MergeResult {
  readonly words: string
  readonly missing: readonly string[]
}

/** Replaces placeholders with values. Set `html` if the text is rich text; the plain-text values are then escaped. */
export function replaceMergeFields(words: string, values: MergeValues, { html = false } = {}): MergeResult {
  const missing = new Set<string>()
  const merged = words.replace(PLACEHOLDER, (_, inside: string) => {
    const { name, fallback } = parsePlaceholder(inside)
    const value = values[name]?.trim()
    if (value) return html ? escapeHtmlText(value) : value
    if (fallback === undefined) missing.add(name)
    return fallback ?? ''
  })
  return { words: merged, missing: [...missing] }
}
