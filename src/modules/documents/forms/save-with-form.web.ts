import { ADDITIONAL_ANSWERS_COLUMN, convertAnswersToRecord } from '#kernel/forms/answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError } from '#web/api/client.ts'
import type { RecordWithEtag } from '#web/forms/schema/autosave.ts'
import { recordValuesByForm } from './record-form.ts'

interface Saving {
  readonly load: () => Promise<RecordWithEtag>
  readonly save: (changes: Values, etag: string | null) => Promise<RecordWithEtag>
}

/**
 * Wraps `load` and `save` for a record's form: additional fields and inherited settings appear beside the other fields.
 */
export function adaptSavingToForm(schema: FormSchema, settings: Values, { load, save }: Saving): Saving {
  const answered = ({ record, etag }: RecordWithEtag): RecordWithEtag => ({
    record: recordValuesByForm({ schema, additional: null, settings }, record),
    etag,
  })
  return {
    load: async () => answered(await load()),
    save: async (changes, etag) => {
      try {
        return answered(await save(convertAnswersToRecord(schema, changes), etag))
      } catch (e) {
        throw translateFormErrorPaths(e)
      }
    },
  }
}

const FORM_PATH_PREFIX = new RegExp(`^${ADDITIONAL_ANSWERS_COLUMN}\\.`)

/** Translates the paths in a validation error to the form's field paths. */
export function translateFormErrorPaths(e: unknown): unknown {
  if (!(e instanceof ApiError) || !e.violations.some((v) => FORM_PATH_PREFIX.test(v.propertyPath))) return e
  const violations = e.violations.map((v) => ({ ...v, propertyPath: v.propertyPath.replace(FORM_PATH_PREFIX, '') }))
  return new ApiError(e.status, e.message, violations, e.code, e.more)
}
