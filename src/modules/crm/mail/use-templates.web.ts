import { useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import type { Collection } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { emailTemplate } from './template.ts'

/** Returns the templates for e-mails to leads or to clients. */
export function useMailTemplates(kind: 'lead' | 'client' = 'lead'): readonly RecordOf<typeof emailTemplate>[] {
  const found = useQuery({
    queryKey: [emailTemplate.url, 'list', kind],
    ...urlQueryOptions<Collection<RecordOf<typeof emailTemplate>>>(
      `${emailTemplate.url}?kind=${kind}&retired=false&pagination=false`,
    ),
  })
  return found.data?.['hydra:member'] ?? []
}
