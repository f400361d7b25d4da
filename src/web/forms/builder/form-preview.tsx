import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { CustomFieldProps, SchemaFormContext } from '../schema/parts.ts'
import { SchemaForm } from '../schema/schema-form.tsx'
import { createFormStore } from '../schema/store.ts'
import css from './form-builder.module.css'

/** On a phone, the step map is shown above the steps. */
const isMapAbove = () => true

interface Props {
  readonly title: string
  readonly form: FormSchema
  /** Returns the inputs that a module supplies for a form, by field name. */
  readonly inputs?: (form: FormSchema) => SchemaFormContext['custom']
}

/** Preview of a form as it appears on a phone. People can fill in the preview, but nothing is stored. */
export function FormPreview({ title, form, inputs }: Props) {
  const store = useMemo(() => createFormStore(form), [form])
  const custom = useMemo(() => inputs?.(form), [form, inputs])
  return (
    <aside className={css.phone} aria-label="Phone preview">
      <Text fw={650}>{title || 'New form'}</Text>
      {formFieldsIn(form).length === 0 ? (
        <Text size="sm" c="dimmed">
          Your questions appear here as they do on a phone.
        </Text>
      ) : (
        <SchemaForm
          key={JSON.stringify(form)}
          store={store}
          {...(custom ? { custom } : {})}
          uploads={UploadsPlaceholder}
          isWide={isMapAbove}
          stepIn="here"
        />
      )}
    </aside>
  )
}

/** Placeholder for the uploads input, because the preview uploads nothing. */
const UploadsPlaceholder = ({ field }: CustomFieldProps) => (
  <Text size="sm">
    {field.label}:{' '}
    <Text span c="dimmed">
      photos and files
    </Text>
  </Text>
)
