import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { UploadedFilesField } from '#web/uploads/uploads.tsx'
import css from './uploads-field.module.css'

/** Form field for files, either below its label or, inside a row, in a compact layout. */
export default function UploadsField({ field, value, onChange, readOnly, error, at }: CustomFieldProps) {
  const [, row] = /\[(\d+)\]/.exec(at) ?? []
  return (
    <fieldset className={css.field}>
      <legend>{field.label}</legend>
      <UploadedFilesField
        {...{ value, onChange, readOnly, error }}
        place={at}
        row={row === undefined ? undefined : Number(row) + 1}
      />
    </fieldset>
  )
}
