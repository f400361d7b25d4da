import type { Sent } from '#server/data/plan.ts'

/** A record as JSON-LD text. */
export const item = (type: string, sent: Sent) => `{"@context":"/api/contexts/${type}",${JSON.stringify(sent).slice(1)}`

/** Plain JSON from JSON-LD: no `@` keys; a list is its members. */
export function toPlain(text: string): string {
  const body = JSON.parse(text, function (this: unknown, key, value) {
    return key.startsWith('@') && key !== '@id' ? undefined : value
  })
  const strip = (v: unknown): unknown =>
    Array.isArray(v)
      ? v.map(strip)
      : v && typeof v === 'object'
        ? Object.fromEntries(Object.entries(v).flatMap(([k, x]) => (k === '@id' ? [] : [[k, strip(x)]])))
        : v
  const members = (body as Sent)['hydra:member']
  return JSON.stringify(strip(members ?? body))
}
