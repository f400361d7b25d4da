import { useMemo } from 'react'
import { useRecordForm } from '../forms/record-form.web.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, useDocumentRecord } from '../types/record.web.ts'
import { compareRevisionsByForm } from './differences.ts'

type Stored = Pick<DocumentRecord, 'id'>

export function useRevisionDifferences(parts: DocumentTypeComponents, before: Stored, after: Stored) {
  const { kind } = parts
  const [old, now] = [useDocumentRecord(kind, String(before.id)), useDocumentRecord(kind, String(after.id))]
  const [oldForm, nowForm] = [useRecordForm(kind, before.id), useRecordForm(kind, after.id)]
  const found = useMemo(() => {
    if (!old.record || !now.record || !oldForm.data || !nowForm.data) return undefined
    return compareRevisionsByForm(
      parts,
      { record: old.record, form: oldForm.data },
      { record: now.record, form: nowForm.data },
    )
  }, [parts, old.record, now.record, oldForm.data, nowForm.data])
  const all = [old, now, oldForm, nowForm]
  return {
    found,
    whole: old.record && now.record ? { before: old.record, after: now.record } : undefined,
    error: all.find((one) => one.error)?.error,
    refetch: () => void Promise.all(all.map((one) => one.refetch())),
  }
}
