import { useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import type { Collection } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { emailTemplate } from './template.ts'

/** E-mail as typed, before it is sent. */
export interface EmailInput {
  readonly template: string
  readonly subject: string
  readonly body: string
  /** Values for merge fields that the recipient's record leaves empty. */
  readonly values: Readonly<Record<string, string>>
  readonly attachments: readonly string[]
}

export const EMPTY_EMAIL: EmailInput = { template: '', subject: '', body: '', values: {}, attachments: [] }

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
