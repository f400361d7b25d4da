import { useQuery } from '@tanstack/react-query'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { CARRIED_REASON_LABELS, type CarriedSignature, canCarryForward } from './carried-signatures.ts'

export function useCarriedSignatures(kind: DocumentKind, record: DocumentRecord): readonly CarriedSignature[] {
  const url = `${document.url}/${record.id}/carried`
  const found = useQuery({
    queryKey: [signature.url, 'carried', record.id],
    queryFn: ({ signal }) => callApi<Collection<CarriedSignature>>('GET', url, undefined, { signal }),
    enabled: record.revision > 1 && canCarryForward(kind, record),
  })
  return found.data?.['hydra:member'] ?? []
}

export function useOwnCarriedSignature(kind: DocumentKind, record: DocumentRecord): CarriedSignature | undefined {
  const { userId } = useActor()
  return useCarriedSignatures(kind, record).find(({ user }) => user === userId)
}

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Number of signatures carried forward, by reason. */
export function CarriedSignatures({ kind, record }: Props) {
  const carried = useCarriedSignatures(kind, record)
  const groups = Map.groupBy(
    carried,
    ({ revision, why }) => `signed revision ${revision}: ${CARRIED_REASON_LABELS[why]}`,
  )
  return [...groups].map(([said, { length }]) => <p key={said} className={page.quiet}>{`${length} ${said}.`}</p>)
}
