import { createContext, use, useCallback } from 'react'
import { labelFor } from '#web/forms/schema/label.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { Uploads } from '#web/uploads/uploads.tsx'
import css from './custom-forms.module.css'

/** The answers that pictures belong to, and the callback for uploads in progress. */
export const FillingContext = createContext<{
  readonly key: string
  readonly onBusy: (at: string, busy: boolean) => void
}>({ key: '', onBusy: () => undefined })

/** Key of a question's pictures, unique within the page. */
export const placeOf = (key: string, at: string): string => `${key} ${at}`

/** Question for pictures and files. */
export default function PhotosField({ field, value, onChange, readOnly, error, at }: CustomFieldProps) {
  const { key, onBusy } = use(FillingContext)
  const tell = useCallback((busy: boolean) => onBusy(at, busy), [onBusy, at])
  return (
    <fieldset className={css.files}>
      <legend>{labelFor(field)}</legend>
      <Uploads {...{ value, onChange, readOnly, error }} place={placeOf(key, at)} onBusy={tell} row={undefined} />
    </fieldset>
  )
}
