import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { sentence } from '#web/ui/toast.ts'
import { answersBy } from '../forms/record-form.ts'
import { usePartsIn, useRecordForm } from '../forms/record-form.web.ts'
import type { KindParts } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { Paper } from './paper.web.tsx'

/** A stored record as a printed sheet, with its own form. */
export function RecordPaper({ parts, record }: { readonly parts: KindParts; readonly record: DocumentRecord }) {
  const { data: form, error } = useRecordForm(parts.kind, record.id)
  const own = usePartsIn(parts, form)
  const answers = useMemo(() => form && answersBy(form, record), [form, record])
  if (own && answers) return <Paper parts={own} record={answers} usual={parts.kind.schema} />
  return error ? <p role="alert">{sentence(error)}</p> : <Skeleton height={480} />
}
