import { useQuery } from '@tanstack/react-query'
import { type Collection, call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { type Carried, mayCarry, WHY_CARRIED } from './carried.ts'

export function useCarried(kind: DocumentKind, record: DocumentRecord): readonly Carried[] {
  const url = `${document.url}/${record.id}/carried`
  const found = useQuery({
    queryKey: [signature.url, 'carried', record.id],
    queryFn: ({ signal }) => call<Collection<Carried>>('GET', url, undefined, { signal }),
    enabled: record.revision > 1 && mayCarry(kind, record),
  })
  return found.data?.['hydra:member'] ?? []
}

export function useOwnCarried(kind: DocumentKind, record: DocumentRecord): Carried | undefined {
  const { userId } = useActor()
  return useCarried(kind, record).find(({ user }) => user === userId)
}

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Number of signatures carried forward, by reason. */
export function CarriedOver({ kind, record }: Props) {
  const carried = useCarried(kind, record)
  const groups = Map.groupBy(carried, ({ revision, why }) => `signed revision ${revision}: ${WHY_CARRIED[why]}`)
  return [...groups].map(([said, { length }]) => <p key={said} className={page.quiet}>{`${length} ${said}.`}</p>)
}
