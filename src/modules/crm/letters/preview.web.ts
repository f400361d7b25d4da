import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/client.ts'
import { paperLetter } from './letter.ts'
import type { Sheet } from './sheet.web.tsx'

/** Preview of a letter for a lead. */
export const usePreview = (
  lead: string | null | undefined,
  words: { readonly subject: string; readonly body: string },
) =>
  useQuery({
    queryKey: [paperLetter.url, 'preview', lead, words],
    queryFn: ({ signal }) => call<Sheet>('POST', `${paperLetter.url}/preview`, { contact: lead, ...words }, { signal }),
    enabled: !!lead && !!words.body.trim(),
    placeholderData: keepPreviousData,
    meta: { persist: false },
    retry: false,
  })
