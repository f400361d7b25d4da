import { useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import type { Collection } from '#web/api/client.ts'
import { reading } from '#web/api/reading.ts'
import { emailTemplate } from './template.ts'

/** The templates of letters to leads. */
export function useTemplates(): readonly RecordOf<typeof emailTemplate>[] {
  const found = useQuery({
    queryKey: [emailTemplate.url, 'list', 'leads'],
    ...reading<Collection<RecordOf<typeof emailTemplate>>>(
      `${emailTemplate.url}?kind=lead&retired=false&pagination=false`,
    ),
  })
  return found.data?.['hydra:member'] ?? []
}
