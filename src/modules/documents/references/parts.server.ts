import type { RowOf } from '#kernel/resource.ts'
import type { Reader } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import { documentReference } from '../types/reference.ts'

type Part = RowOf<typeof document>

/** Loads a bundle's current parts with everything they refer to, in no particular order. */
export async function readBundleParts(c: Reader, pack: number): Promise<readonly Part[]> {
  const parts = new Map<number, Part>()
  let next = [pack]
  while (next.length) {
    const targets = (await c.find(documentReference, { document: next })).flatMap(({ target }) => target ?? [])
    const found = targets.length ? await c.find(document, { id: [...new Set(targets)] }) : []
    next = found.flatMap(({ id }) => (parts.has(id) ? [] : [id]))
    for (const part of found) parts.set(part.id, part)
  }
  return [...parts.values()]
}

/** Names of the parts that are no longer in use; an empty string if all are. */
export const withdrawnPartNames = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.retired ? `${part.documentNumber} revision ${part.revision}` : [])).join(', ')
