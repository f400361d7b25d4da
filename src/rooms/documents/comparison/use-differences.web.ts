import { useMemo } from 'react'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { kindIn } from '../forms/kind-in.ts'
import { answersBy, type RecordForm, useRecordForm } from '../forms/record-form.web.ts'
import type { KindParts } from '../kinds/kind.web.ts'
import { type DocumentRecord, useRecord } from '../kinds/record.web.ts'
import { type Difference, differences } from './differences.ts'

/** A revision with the form that it is written by. */
interface Written {
  readonly record: DocumentRecord
  readonly form: RecordForm
}

/** What has changed from one revision to another, each read by its own form. */
export function differencesByForm({ kind, compare }: KindParts, before: Written, after: Written): Difference[] {
  const both = kindIn(kind, joinForms(before.form.schema, after.form.schema))
  return differences(both, answersBy(before.form, before.record), answersBy(after.form, after.record), compare)
}

/** The same of two that are stored. */
export function useDifferences(parts: KindParts, before: DocumentRecord, after: DocumentRecord) {
  const { kind } = parts
  const [old, now] = [useRecord(kind, String(before.id)), useRecord(kind, String(after.id))]
  const [oldForm, nowForm] = [useRecordForm(kind, before.id), useRecordForm(kind, after.id)]
  const found = useMemo(() => {
    if (!old.record || !now.record || !oldForm.data || !nowForm.data) return undefined
    return differencesByForm(
      parts,
      { record: old.record, form: oldForm.data },
      { record: now.record, form: nowForm.data },
    )
  }, [parts, old.record, now.record, oldForm.data, nowForm.data])
  const all = [old, now, oldForm, nowForm]
  return {
    found,
    error: all.find((one) => one.error)?.error,
    refetch: () => void Promise.all(all.map((one) => one.refetch())),
  }
}

/** The fields of both forms: those of the later one, and then what only the former one asked for. */
function joinForms(before: FormSchema, after: FormSchema): FormSchema {
  const names = new Set(fieldsIn(after).map((f) => f.name))
  const fields = fieldsIn(before).filter((f) => !names.has(f.name))
  return { ...after, steps: [...after.steps, { name: 'former', title: '', groups: [{ fields }] }] }
}
