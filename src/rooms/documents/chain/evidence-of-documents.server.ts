import type { Evidence } from '#kernel/evidence.ts'
import { perDeclaration } from '#kernel/per-declaration.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Room } from '#server/engine/room.ts'
import { evidencesOf } from '#server/evidence/evidences.ts'
import { document } from '../kinds/document.ts'

const found = perDeclaration((rooms: readonly Room[]) => evidencesOf(rooms).find(({ of }) => of.type === document.type))

/** What of a document is evidence, with the tables of every kind that there is. */
export function evidenceOfDocuments({ rooms }: Pick<Engine, 'rooms'>): Evidence {
  const evidence = found(rooms)
  if (!evidence) throw new Error('No room says what of a document is evidence')
  return evidence
}
