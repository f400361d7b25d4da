import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import { needsApproval, wasInForce } from '../types/in-force.ts'
import type { DocumentKind, DocumentRow } from '../types/kind.ts'

/** Locks all revisions of a number until the transaction ends. */
export const lockDocumentNumber = (c: Context, kind: DocumentKind, documentNumber: string) =>
  c.lockAll(document, { kind: kind.kind, documentNumber })

/** Returns the next revision of a number, under the lock. */
export async function nextRevisionNumber(c: Context, kind: DocumentKind, documentNumber: string): Promise<number> {
  const all = await lockDocumentNumber(c, kind, documentNumber)
  return Math.max(0, ...all.map((d) => d.revision)) + 1
}

/**
 * Returns a later revision that is or was in force, if any: of the same number or, with one document per client, any
 * that came into force later.
 */
export async function laterInForce(
  c: Context,
  kind: DocumentKind,
  { documentNumber, revision, approvedAt, completedAt, id, perClient }: Overtaken,
): Promise<{ readonly documentNumber: string; readonly revision: number } | undefined> {
  const of = perClient ? { kind: kind.kind } : { kind: kind.kind, documentNumber }
  const since = needsApproval(kind) ? approvedAt : completedAt
  const inForce = (await c.lockAll(document, of)).filter(wasInForce)
  const later = inForce.find((d) => d.documentNumber === documentNumber && d.revision > revision)
  if (later || !perClient || !since) return later
  const others = await c.find(kind.resource, { state: ['current', 'replaced'], perClient: true })
  return others.find((d) => {
    const at = needsApproval(kind) ? d.approvedAt : d.completedAt
    return d.id !== id && (d.current || (at !== null && Temporal.Instant.compare(at, since) > 0))
  })
}

/** A revision and the time since which it is or was in force. */
type Overtaken = Pick<DocumentRow, 'documentNumber' | 'revision'> &
  Partial<Pick<DocumentRow, 'id' | 'approvedAt' | 'completedAt' | 'perClient'>>
