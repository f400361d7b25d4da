import type { Evidence } from '#kernel/evidence.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { document } from '../types/document.ts'

/** What of a document is evidence, with the tables of every kind that there is. */
export function evidenceOfDocuments(engine: Engine): Evidence {
  const evidence = registryOf(engine).evidence.find(({ of }) => of.type === document.type)
  if (!evidence) throw new Error('No module says what of a document is evidence')
  return evidence
}
