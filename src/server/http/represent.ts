import type { Fields } from '#kernel/fields.ts'
import { cachePerDeclaration } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import type { ApiRecord } from '#server/data/json-select.ts'

/** Formats a record as JSON-LD text. */
export const recordJsonLd = (type: string, sent: ApiRecord) =>
  recordJsonLdFromText(type, JSON.stringify(sent).slice(1, -1))

/** Formats a record as JSON-LD text, from its JSON text without the braces. */
export const recordJsonLdFromText = (type: string, text: string) => `{"@context":"/api/contexts/${type}",${text}}`

/**
 * Converts JSON-LD to plain JSON: removes `@` keys, and replaces a list with its members. The content of `json` fields
 * is unchanged, because IRIs in it (of a file, of a statement) are data that clients must be able to write back.
 */
export const toPlainJson = cachePerDeclaration((resources: readonly Resource[]): ((text: string) => string) => {
  const written = new Map(resources.map(({ type, fields }) => [type, jsonIn(fields)]))
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (value === null || typeof value !== 'object') return value
    const asItIs = '@type' in value ? written.get(String(value['@type'])) : undefined
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) =>
        key.startsWith('@') ? [] : [[key, asItIs?.has(key) ? one : plain(one)]],
      ),
    )
  }
  return (text) => {
    const body: ApiRecord = JSON.parse(text)
    return JSON.stringify(plain(body['hydra:member'] ?? body))
  }
})

const jsonIn = (fields: Fields): ReadonlySet<string> =>
  new Set(Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'json' ? [name] : [])))
