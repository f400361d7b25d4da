import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { useQueuedRequestsOf } from '#web/offline/outbox/outbox.ts'
import type { QueuedRequest } from '#web/offline/requests.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'

/** The user's signature of a revision that is queued on this device and not yet sent. */
export function useQueuedSignature(record: Pick<DocumentRecord, 'id'>): QueuedRequest | undefined {
  return useQueuedRequestsOf(iriOf(document, record.id)).find(
    ({ body, path, refused }) =>
      path === signature.url && !refused && body.visitor === false && body.method !== 'on behalf',
  )
}

/** Signatures of a revision in the user's name: given by the user or on their behalf. */
export function useOwnSignatures(record: Pick<DocumentRecord, 'id'>) {
  const { userId } = useActor()
  const found = useList(signature, { document: iriOf(document, record.id), user: userId }).data?.['hydra:member']
  return { known: found !== undefined, own: found?.find((s) => s.mine), behalf: found?.find((s) => !s.mine) }
}
