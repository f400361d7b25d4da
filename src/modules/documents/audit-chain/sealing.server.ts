import { problem } from '#kernel/errors.ts'
import type { EvidenceSpec } from '#kernel/evidence.ts'
import type { RowOf } from '#kernel/resource.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { type AddedRow, sealEvent } from '#server/evidence/seal.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { SealEvent } from '../types/transitions.ts'

/** Returns the declared evidence of documents, with the tables of all document types. */
function loadDocumentEvidence(engine: Engine): EvidenceSpec {
  const evidence = registryOf(engine).evidence.find(({ of }) => of.type === document.type)
  if (!evidence) throw new Error('No module declares the document evidence')
  return evidence
}

/** Seals the stored content of a revision that has just been completed. */
export async function sealContent(c: Context, kind: DocumentKind, id: number): Promise<void> {
  const row = await c.get(kind.resource, id)
  if (!row) throw problem.notFound()
  const { documentNumber, revision } = row
  const told = { kind: kind.kind, documentNumber, revision }
  const digest = await sealEvent(c, loadDocumentEvidence(c.engine), { event: 'completed', id, told })
  await c.set(kind.resource, row, { seal: digest }, 'seal')
}

interface About {
  readonly by?: number | undefined
  /** Row that the event adds, such as a signature. */
  readonly added?: AddedRow
  /** The revision, if already loaded. */
  readonly row?: RowOf<typeof document>
}

/** Appends an event of a sealed revision to the chain. Does nothing for drafts. */
export async function sealDocumentEvent(
  c: Context,
  event: SealEvent | 'signed' | 'printed' | 'sent',
  id: number,
  { by, added, row: known }: About = {},
) {
  const row = known ?? (await c.get(document, id))
  if (!row?.seal) return
  const { documentNumber, revision, seal } = row
  const told = { documentNumber, revision, seal, by }
  await sealEvent(c, loadDocumentEvidence(c.engine), { event, id, told, ...(added === undefined ? {} : { added }) })
}
