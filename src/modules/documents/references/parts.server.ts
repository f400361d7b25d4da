import type { RowOf } from '#kernel/resource.ts'
import type { Reader } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import { documentReference } from '../types/reference.ts'

type Part = RowOf<typeof document>

/** What a pack is made of, with what its papers refer to, as it stands by now; in no order. */
export async function partsOf(c: Reader, pack: number): Promise<readonly Part[]> {
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

/** Those of the parts that nobody works by any more, by name; empty while all of them stand. */
export const namedWithdrawn = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.retired ? `${part.documentNumber} revision ${part.revision}` : [])).join(', ')
