import { useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { addOptimistically, type Rollback } from '#web/api/optimistic.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'

type Signature = RecordOf<typeof signature>

/** What is sent to sign. */
export type SignatureSent = Pick<Signature, 'name' | 'method' | 'strokes' | 'visitor' | 'statement'>

/** Shows the signature of the person who looks under a revision, before the server has answered. */
export function useShowSigned(record: DocumentRecord) {
  const queries = useQueryClient()
  const { userId } = useActor()
  const of = iriOf(document, record.id)
  return (sent: SignatureSent): Rollback =>
    addOptimistically(
      queries,
      signature,
      { ...sent, id: 0, mine: true, user: userId, signedAt: new Date().toISOString() },
      ({ document, user }) => document === of && (user === undefined || user === userId),
    )
}
