import { Alert, Anchor, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { ukDate } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { printedLetter } from './letter.ts'
import css from './sheet.module.css'

/** A letter for display. */
interface LetterSheetContent {
  readonly addressee: string | null
  readonly subject: string | null
  readonly body: string | null
  /** Time of printing; today if not printed yet. */
  readonly printedAt?: string
  /** Reason why it can't be printed. */
  readonly refusal?: string
}

/** A letter as it is or will be printed. */
export function LetterSheet({ of: sheet }: { readonly of: LetterSheetContent }) {
  const at = sheet.printedAt ? Temporal.Instant.from(sheet.printedAt) : Temporal.Now.instant()
  return (
    <Stack gap="sm">
      {sheet.refusal && <Alert color="yellow">{sheet.refusal}.</Alert>}
      <section aria-label="Letter preview" className={css.sheet}>
        <div className={css.head}>
          <Text className={css.lines}>{sheet.addressee}</Text>
          <Text>{ukDate(at)}</Text>
        </div>
        <Text fw={700}>{sheet.subject}</Text>
        <RichTextView html={sheet.body ?? ''} />
      </section>
    </Stack>
  )
}

/** Preview of a letter for a lead. */
export const useLetterPreview = (
  lead: string | null | undefined,
  words: { readonly subject: string; readonly body: string },
) =>
  useQuery({
    queryKey: [printedLetter.url, 'preview', lead, words],
    queryFn: ({ signal }) =>
      callApi<LetterSheetContent>('POST', `${printedLetter.url}/preview`, { contact: lead, ...words }, { signal }),
    enabled: !!lead && !!words.body.trim(),
    placeholderData: keepPreviousData,
    meta: { persist: false },
    retry: false,
  })

type Letter = RecordOf<typeof printedLetter>

interface Props {
  readonly value: string
  readonly onChange: (iri: string) => void
  /** The lead of the preview. */
  readonly lead: string | undefined
  /** Note on the lead of the preview, if needed. */
  readonly about?: string | undefined
}

/** Choice of a letter, with a preview for a lead. */
export function ChooseLetter({ value, onChange, lead, about }: Props) {
  const list = useList(printedLetter, { retired: false, pagination: false })
  const all = list.data?.['hydra:member'] ?? []
  const chosen: Letter | undefined = all.find((one) => one['@id'] === value)
  const seen = useLetterPreview(chosen && lead, { subject: chosen?.subject ?? '', body: chosen?.body ?? '' })
  if (list.isPending) return <LoadingRows rows={3} />
  if (!all.length)
    return (
      <Text size="sm">
        No letters yet.{' '}
        <Anchor component={Link} to="/letters/update" inherit>
          Create one
        </Anchor>
      </Text>
    )
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Letter"
        value={value}
        onChange={(e) => onChange(e.currentTarget.value)}
        data={[{ value: '', label: 'Choose a letter' }, ...all.map((one) => ({ value: one['@id'], label: one.name }))]}
      />
      {seen.isError && (
        <Alert color="red" role="alert">
          {errorSentence(seen.error)}
        </Alert>
      )}
      {chosen && seen.data && !seen.isError && (
        <>
          {about && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
          <LetterSheet of={seen.data} />
        </>
      )}
    </Stack>
  )
}
