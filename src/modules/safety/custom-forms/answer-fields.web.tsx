import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ComponentType, createContext, use, useCallback } from 'react'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { defectPhotoOf } from '#kernel/forms/fine.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { formFieldLabel } from '#web/forms/labels.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { UploadedFilesField } from '#web/uploads/uploads.tsx'
import css from './custom-forms.module.css'

/** Number of options up to which a choice is answered by one press on a button. */
const MAX_BUTTONS = 4
/** Maximum length of a button's label, in characters. */
const MAX_BUTTON_CHARACTERS = 24

const hasButtons = ({ kind, options = [] }: FormField): boolean =>
  kind === 'select' &&
  options.length > 0 &&
  options.length <= MAX_BUTTONS &&
  options.every(({ label }) => label.length <= MAX_BUTTON_CHARACTERS)

type Inputs = Readonly<Record<string, ComponentType<CustomFieldProps>>>

/** Returns the inputs for the choices of a form, and of its rows, whose options are shown as buttons. */
export const choiceButtonFields = (schema: FormSchema): Inputs =>
  Object.fromEntries(
    formFieldsIn(schema)
      .flatMap((field) => [field, ...(field.fields ?? [])])
      .flatMap((field) => (hasButtons(field) ? [[field.name, ChoiceButtonsField]] : [])),
  )

/** Returns the inputs for the choices of a form and for the photos of defects. */
export const inspectionFields = (schema: FormSchema): Inputs => ({
  ...choiceButtonFields(schema),
  ...Object.fromEntries(
    formFieldsIn(schema).flatMap((field) => {
      const photo = defectPhotoOf(schema, field)
      return photo ? [[photo.name, DefectPhotoField]] : []
    }),
  ),
})

function ChoiceButtonsField({ field, value, onChange, readOnly, error, id }: CustomFieldProps) {
  const { options = [] } = field
  return (
    <fieldset className={css.choices} disabled={readOnly} aria-describedby={error ? `${id}.error` : undefined}>
      <legend>{formFieldLabel(field)}</legend>
      {options.map((option) => (
        <label key={String(option.value)} className={css.choice} data-means={option.means}>
          <input
            type="radio"
            name={id}
            checked={value === option.value}
            aria-invalid={error ? true : undefined}
            onChange={() => onChange(option.value)}
          />
          {option.means === 'defect' && value === option.value && <IconAlertTriangle size={16} aria-hidden />}
          {option.label}
        </label>
      ))}
      {value !== null && value !== undefined && value !== '' && !field.required && !readOnly && (
        <Button variant="subtle" className={css.clear ?? ''} onClick={() => onChange(null)}>
          Clear
        </Button>
      )}
      {error && (
        <ErrorText id={`${id}.error`} className={css.choiceError ?? ''}>
          {error}
        </ErrorText>
      )}
    </fieldset>
  )
}

/** Key of the answers to which pictures belong, and a callback that reports uploads in progress. */
export const FormUploadsContext = createContext<{
  readonly key: string
  readonly onBusy: (at: string, busy: boolean) => void
}>({ key: '', onBusy: () => undefined })

/** Returns the key of a question's pictures, unique within the page. */
export const formUploadsKey = (key: string, at: string): string => `${key} ${at}`

export const FormUploadsField = (props: CustomFieldProps) => <UploadsField {...props} photo={false} />

/** Field for photos of a defect: one press opens the camera of a phone. */
const DefectPhotoField = (props: CustomFieldProps) => <UploadsField {...props} photo />

interface UploadsFieldProps extends CustomFieldProps {
  readonly photo: boolean
}

function UploadsField({ field, value, onChange, readOnly, error, at, photo }: UploadsFieldProps) {
  const { key, onBusy } = use(FormUploadsContext)
  const tell = useCallback((busy: boolean) => onBusy(at, busy), [onBusy, at])
  return (
    <fieldset className={css.files}>
      <legend>{formFieldLabel(field)}</legend>
      <UploadedFilesField
        {...{ value, onChange, readOnly, error, photo }}
        place={formUploadsKey(key, at)}
        onBusy={tell}
        row={undefined}
      />
    </fieldset>
  )
}
