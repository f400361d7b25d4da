import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { createFormStore } from '#web/forms/schema/store.ts'
import css from './custom-forms.module.css'
import type PhotosField from './photos-field.web.tsx'

/** On a phone the steps lie above what they ask. */
const ABOVE = () => true

/** What comes of a form, as on a phone: it can be filled in, and nothing of that is kept. */
export function Preview({ title, schema }: { readonly title: string; readonly schema: FormSchema }) {
  const store = useMemo(() => createFormStore(schema), [schema])
  const empty = fieldsIn(schema).length === 0
  return (
    <aside className={css.phone} aria-label="Preview as on a phone">
      <Text fw={650}>{title || 'New form'}</Text>
      {empty ? (
        <Text size="sm" c="dimmed">
          What you ask is shown here, as on a phone.
        </Text>
      ) : (
        <SchemaForm key={JSON.stringify(schema)} store={store} uploads={PhotosPreview} isWide={ABOVE} stepIn="here" />
      )}
    </aside>
  )
}

/** Nothing is uploaded from a preview. */
const PhotosPreview: typeof PhotosField = ({ field }) => (
  <Text size="sm">
    {field.label}:{' '}
    <Text span c="dimmed">
      photos and files
    </Text>
  </Text>
)
