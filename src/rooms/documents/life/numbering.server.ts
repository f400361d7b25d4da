import type { Tx } from '#server/db/db.ts'
import type { DocumentKind } from '../kinds/kind.ts'

/** The revision after the last one of a number. */
export async function nextRevision(tx: Tx, clientId: number, kind: DocumentKind, number: string): Promise<number> {
  const [row] = await tx.rows<{ last: number | null }>(
    'SELECT max(revision) AS last FROM document WHERE client_id = $1 AND kind = $2 AND number = $3',
    [clientId, kind.kind, number],
  )
  return (row?.last ?? 0) + 1
}
