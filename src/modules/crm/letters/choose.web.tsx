import { Alert, Anchor, NativeSelect, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { letterTemplate } from './letter.ts'
import { LetterSheet, useLetterPreview } from './sheet.web.tsx'

type Letter = RecordOf<typeof letterTemplate>

interface Props {
  readonly value: string
  readonly onChange: (iri: string) => void
  /** IRI of the lead for which the preview is shown. */
  readonly lead: string | undefined
  /** Additional text about the lead in the preview, if any. */
  readonly about?: string | undefined
}

/** Selection of a letter, with a preview for one lead. */
export function LetterPicker({ value, onChange, lead, about }: Props) {
  const list = useList(letterTemplate, { retired: false, pagination: false })
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
