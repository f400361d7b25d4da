import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { formFieldLabel } from '../labels.ts'
import type { ValuePath } from '../store/path.ts'
import { elementIdOf, formatPath } from '../store/path.ts'
import { useProblemAt } from '../store/use-value-store.ts'
import type { SchemaFieldProps, SchemaFormContext } from './parts.ts'
import { SchemaField } from './schema-field.tsx'
import css from './schema-form.module.css'
import { useVisibleRowFields } from './use-form.ts'
import { useFormRows } from './use-rows.ts'

interface Props {
  readonly parts: SchemaFormContext
  /** Field of kind `rows`. */
  readonly field: FormField
  readonly path: ValuePath
  readonly index: number
  readonly last: boolean
  readonly move: (index: number, by: 1 | -1) => void
  readonly remove: (index: number) => void
}

/** Single row: its visible fields and its buttons. */
const FormRow = memo(function Row({ parts, field, path, index, last, move, remove }: Props) {
  const here: ValuePath = [...path, index]
  const fields = useVisibleRowFields(parts.store, field.fields ?? [], here)
  const name = `${field.label} ${index + 1}`
  return (
    <fieldset aria-label={name} id={elementIdOf(parts, formatPath(here))} className={css.row}>
      <div className={css.fields}>
        {fields.map((f) => (
          <SchemaField key={f.name} parts={parts} field={f} path={[...here, f.name]} />
        ))}
      </div>
      {!parts.readOnly && (
        <Group gap={4}>
          <Text c="dimmed" fw={650} me="auto" aria-hidden>
            {index + 1}
          </Text>
          <ActionIcon
            size={44}
            variant="subtle"
            color="gray"
            data-move={-1}
            aria-label={`Move ${name} up`}
            disabled={index === 0}
            onClick={() => move(index, -1)}
          >
            <IconArrowUp size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size={44}
            variant="subtle"
            color="gray"
            data-move={1}
            aria-label={`Move ${name} down`}
            disabled={last}
            onClick={() => move(index, 1)}
          >
            <IconArrowDown size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size={44}
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            onClick={() => remove(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </fieldset>
  )
})

export function RowsField({ parts, field, path }: SchemaFieldProps) {
  const id = elementIdOf(parts, formatPath(path))
  const rows = useFormRows(parts.store, path, id)
  const error = useProblemAt(parts.store, path)
  const full = field.max !== undefined && rows.keys.length >= field.max
  return (
    <fieldset className={css.rows} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={css.label}>{formFieldLabel(field)}</legend>
      {rows.keys.map((key, i) => (
        <FormRow
          key={key}
          parts={parts}
          field={field}
          path={path}
          index={i}
          last={i === rows.keys.length - 1}
          move={rows.move}
          remove={rows.remove}
        />
      ))}
      {!parts.readOnly && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={full}
          onClick={() => rows.add()}
        >
          {field.add ?? 'Add a row'}
        </Button>
      )}
      {error && (
        <ErrorText id={`${id}-error`} mt={4}>
          {error}
        </ErrorText>
      )}
      <VisuallyHidden role="status">{rows.said}</VisuallyHidden>
    </fieldset>
  )
}
