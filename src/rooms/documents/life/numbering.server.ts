import type { Tx } from '#server/db/db.ts'
import type { DocumentKind } from '../kinds/kind.ts'

/** The client's next number of a kind, `RA-0012`: given once, in the order of asking. */
export async function nextNumber(tx: Tx, clientId: number, kind: DocumentKind): Promise<string> {
  const [row] = await tx.rows<{ last: number }>(
    'INSERT INTO document_counter (client_id, kind, last) VALUES ($1, $2, 1) ON CONFLICT (client_id, kind) DO UPDATE SET last = document_counter.last + 1 RETURNING last',
    [clientId, kind.kind],
  )
  return `${kind.prefix}-${String(row?.last ?? 1).padStart(4, '0')}`
}

/** The revision after the last one of a number. */
export async function nextRevision(tx: Tx, clientId: number, kind: DocumentKind, number: string): Promise<number> {
  const [row] = await tx.rows<{ last: number | null }>(
    'SELECT max(revision) AS last FROM document WHERE client_id = $1 AND kind = $2 AND number = $3',
    [clientId, kind.kind, number],
  )
  return (row?.last ?? 0) + 1
}
