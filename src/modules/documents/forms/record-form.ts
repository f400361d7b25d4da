import { recordToAnswers } from '#kernel/forms/answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'

/** The form that a record is written by, as the server tells of it. */
export interface RecordForm {
  /** Its address; nothing where no version is stored. */
  readonly version: string | null
  readonly schema: FormSchema
  /** What the record keeps under fields that only this form knows. */
  readonly additional: Values | null
  /** Settings that the record is read by, and has none of its own of, by field: what it keeps otherwise is sealed with it. */
  readonly settings: Values
  /** What a draft could have instead. */
  readonly newer: { readonly version: string; readonly number: number; readonly notes: string } | null
}

/** A record's values by the names of its form. */
export const answersBy = <R extends Values>(
  form: Pick<RecordForm, 'schema' | 'additional' | 'settings'>,
  record: R,
): R =>
  ({
    ...record,
    ...recordToAnswers(form.schema, { ...record, ...(form.additional ? { additional: form.additional } : {}) }),
    ...form.settings,
  }) as R
