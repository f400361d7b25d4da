import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { Uploads } from '#web/uploads/uploads.tsx'
import css from './uploads-field.module.css'

/** A form's field for files, under its label. */
export default function UploadsField({ field, value, onChange, readOnly, error }: CustomFieldProps) {
  return (
    <fieldset className={css.field}>
      <legend>{field.label}</legend>
      <Uploads place={field.name} value={value} onChange={onChange} readOnly={readOnly} error={error} />
    </fieldset>
  )
}
