import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { document, signature } from '../kinds/document.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'

/** What stands under a revision in the name of the person who looks at it: signed by themselves, and on their behalf. */
export function useOwnSignatures(record: Pick<DocumentRecord, 'id'>) {
  const { userId } = useActor()
  const found = useList(signature, { document: iriOf(document, record.id), user: userId }).data?.['hydra:member']
  return { known: found !== undefined, own: found?.find((s) => s.mine), behalf: found?.find((s) => !s.mine) }
}
