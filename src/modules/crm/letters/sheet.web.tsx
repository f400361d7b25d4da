import { Alert, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatUkDate } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { letterTemplate } from './letter.ts'
import css from './sheet.module.css'

export interface LetterSheetContent {
  readonly addressee: string | null
  readonly subject: string | null
  readonly body: string | null
  /** Time of printing. If the letter has not been printed yet, the current time is shown. */
  readonly printedAt?: string
  /** Reason why the letter can't be printed. */
  readonly refusal?: string
}

/** A letter as it was or will be printed. */
export function LetterSheet({ of: sheet }: { readonly of: LetterSheetContent }) {
  const at = sheet.printedAt ? Temporal.Instant.from(sheet.printedAt) : Temporal.Now.instant()
  return (
    <Stack gap="sm">
      {sheet.refusal && <Alert color="yellow">{sheet.refusal}.</Alert>}
      <section aria-label="Letter preview" className={css.sheet}>
        <div className={css.head}>
          <Text className={css.lines}>{sheet.addressee}</Text>
          <Text>{formatUkDate(at)}</Text>
        </div>
        <Text fw={700}>{sheet.subject}</Text>
        <RichTextView html={sheet.body ?? ''} />
      </section>
    </Stack>
  )
}

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
