import type { Evidence } from '#kernel/evidence.ts'
import { perDeclaration } from '#kernel/per-declaration.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Module } from '#server/engine/module.ts'
import { evidencesOf } from '#server/evidence/evidences.ts'
import { document } from '../types/document.ts'

const found = perDeclaration((modules: readonly Module[]) =>
  evidencesOf(modules).find(({ of }) => of.type === document.type),
)

/** What of a document is evidence, with the tables of every kind that there is. */
export function evidenceOfDocuments({ modules }: Pick<Engine, 'modules'>): Evidence {
  const evidence = found(modules)
  if (!evidence) throw new Error('No module says what of a document is evidence')
  return evidence
}
