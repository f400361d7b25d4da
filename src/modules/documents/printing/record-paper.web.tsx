import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { errorSentence } from '#web/ui/toast.ts'
import { recordValuesByForm } from '../forms/record-form.ts'
import { useComponentsWithForm, useRecordForm } from '../forms/record-form.web.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { DocumentSheet } from './paper.web.tsx'

/** A stored record displayed as a printed sheet, using the record's own form. */
export function StoredDocumentSheet({
  parts,
  record,
}: {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}) {
  const { data: form, error } = useRecordForm(parts.kind, record.id)
  const own = useComponentsWithForm(parts, form)
  const answers = useMemo(() => form && recordValuesByForm(form, record), [form, record])
  if (own && answers) return <DocumentSheet parts={own} record={answers} usual={parts.kind.schema} />
  return error ? <p role="alert">{errorSentence(error)}</p> : <Skeleton height={480} />
}
