import type { Fields } from '#kernel/fields.ts'
import { cachePerDeclaration } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import type { ApiRecord } from '#server/data/json-select.ts'

/** A record as JSON-LD text. */
export const item = (type: string, sent: ApiRecord) => itemText(type, JSON.stringify(sent).slice(1, -1))

/** The same from the text between its braces. */
export const itemText = (type: string, text: string) => `{"@context":"/api/contexts/${type}",${text}}`

/**
 * Converts JSON-LD to plain JSON: no `@` keys, and a list is its members. The content of a `json` field stays as it is: an address in it
 * (of a file, of a statement) is part of its words, and would be lost to whoever writes back what they have read.
 */
export const plainForm = cachePerDeclaration((resources: readonly Resource[]): ((text: string) => string) => {
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
