import { createContext, use, useCallback } from 'react'
import { formFieldLabel } from '#web/forms/schema/label.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { UploadedFilesField } from '#web/uploads/uploads.tsx'
import css from './custom-forms.module.css'

/** Key of the answers to which pictures belong, and a callback that reports uploads in progress. */
export const FormUploadsContext = createContext<{
  readonly key: string
  readonly onBusy: (at: string, busy: boolean) => void
}>({ key: '', onBusy: () => undefined })

/** Returns the key of a question's pictures, unique within the page. */
export const formUploadsKey = (key: string, at: string): string => `${key} ${at}`

export default function FormUploadsField({ field, value, onChange, readOnly, error, at }: CustomFieldProps) {
  const { key, onBusy } = use(FormUploadsContext)
  const tell = useCallback((busy: boolean) => onBusy(at, busy), [onBusy, at])
  return (
    <fieldset className={css.files}>
      <legend>{formFieldLabel(field)}</legend>
      <UploadedFilesField
        {...{ value, onChange, readOnly, error }}
        place={formUploadsKey(key, at)}
        onBusy={tell}
        row={undefined}
      />
    </fieldset>
  )
}
