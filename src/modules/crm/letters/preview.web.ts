import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi } from '#web/api/client.ts'
import { letterTemplate } from './letter.ts'
import type { LetterSheetContent } from './sheet.web.tsx'

export const useLetterPreview = (
  lead: string | null | undefined,
  words: { readonly subject: string; readonly body: string },
) =>
  useQuery({
    queryKey: [letterTemplate.url, 'preview', lead, words],
    queryFn: ({ signal }) =>
      callApi<LetterSheetContent>('POST', `${letterTemplate.url}/preview`, { contact: lead, ...words }, { signal }),
    enabled: !!lead && !!words.body.trim(),
    placeholderData: keepPreviousData,
    meta: { persist: false },
    retry: false,
  })
