import type { RowOf } from '#kernel/resource.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import { documentReference } from '../types/reference.ts'

type DocumentPartRow = RowOf<typeof document>

/** Loads a bundle's current parts with everything they refer to, in no particular order. */
export async function readBundleParts(c: RecordReader, pack: number): Promise<readonly DocumentPartRow[]> {
  const parts = new Map<number, DocumentPartRow>()
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
export const withdrawnPartNames = (parts: readonly DocumentPartRow[]): string =>
  parts.flatMap((part) => (part.retired ? `${part.documentNumber} revision ${part.revision}` : [])).join(', ')
