import { useQuery } from '@tanstack/react-query'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { CARRY_FORWARD_REASON_LABELS, type CarriedForwardSignature, canCarryForward } from './carried-signatures.ts'

export function useCarriedForwardSignatures(
  kind: DocumentKind,
  record: DocumentRecord,
): readonly CarriedForwardSignature[] {
  const url = `${document.url}/${record.id}/carried`
  const found = useQuery({
    queryKey: [signature.url, 'carried', record.id],
    queryFn: ({ signal }) => callApi<Collection<CarriedForwardSignature>>('GET', url, undefined, { signal }),
    enabled: record.revision > 1 && canCarryForward(kind, record),
  })
  return found.data?.['hydra:member'] ?? []
}

export function useOwnCarriedForwardSignature(
  kind: DocumentKind,
  record: DocumentRecord,
): CarriedForwardSignature | undefined {
  const { userId } = useActor()
  return useCarriedForwardSignatures(kind, record).find(({ user }) => user === userId)
}

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Number of signatures carried forward, by signed revision and reason. */
export function CarriedForwardSignatureCounts({ kind, record }: Props) {
  const carried = useCarriedForwardSignatures(kind, record)
  const groups = Map.groupBy(
    carried,
    ({ revision, why }) => `signed revision ${revision}: ${CARRY_FORWARD_REASON_LABELS[why]}`,
  )
  return [...groups].map(([said, { length }]) => <p key={said} className={page.quiet}>{`${length} ${said}.`}</p>)
}
