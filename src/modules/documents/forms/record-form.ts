import { recordToAnswers } from '#kernel/forms/answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'

/** A record's form, in the format that the server sends. */
export interface RecordForm {
  /** IRI of the form version; null if none is stored. */
  readonly version: string | null
  readonly schema: FormSchema
  /**
   * Values of the additional fields, including fields that the type no longer declares; null if the form has no such
   * undeclared fields.
   */
  readonly additional: Values | null
  /** Fallback settings by field, for records that were sealed without settings. */
  readonly settings: Values
  /** Newer form that the draft could use; null if there is none. */
  readonly newer: { readonly version: string; readonly number: number; readonly notes: string } | null
}

/** Returns a record's values by the field names of the record's form. */
export const recordValuesByForm = <R extends Values>(
  form: Pick<RecordForm, 'schema' | 'additional' | 'settings'>,
  record: R,
): R =>
  ({
    ...record,
    ...recordToAnswers(form.schema, { ...record, ...(form.additional ? { additional: form.additional } : {}) }),
    ...form.settings,
  }) as R
