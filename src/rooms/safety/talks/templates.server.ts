import type { DocumentWords } from '#rooms/documents/kinds/kind.ts'
import { readReference } from '#server/world/reference.ts'

/** What the system templates of talks say. */
export function talkTemplates(): DocumentWords[] {
  const talks: readonly { readonly title: string; readonly points: readonly string[] }[] =
    readReference('toolbox-talks.json')
  return talks.map(({ title, points }) => ({ title, points: points.map((text) => ({ text })) }))
}
