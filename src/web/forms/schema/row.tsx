import { ActionIcon, Group, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import { elementIdOf, formatPath, type ValuePath } from '../store/path.ts'
import type { SchemaFormParts } from './parts.ts'
import { SchemaField } from './schema-field.tsx'
import css from './schema-form.module.css'
import { useRowFields } from './use-form.ts'

interface Props {
  readonly parts: SchemaFormParts
  /** The field of kind `rows`. */
  readonly field: FormField
  readonly path: ValuePath
  readonly index: number
  readonly last: boolean
  readonly move: (index: number, by: 1 | -1) => void
  readonly remove: (index: number) => void
}

/** One row: its visible fields and its buttons. */
export const FormRow = memo(function Row({ parts, field, path, index, last, move, remove }: Props) {
  const here: ValuePath = [...path, index]
  const fields = useRowFields(parts.store, field.fields ?? [], here)
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
