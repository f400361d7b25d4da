import { Button, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { ErrorText } from '../../ui/error-text.tsx'
import { elementIdOf, formatPath } from '../store/path.ts'
import { useProblemAt } from '../store/use-value-store.ts'
import { formFieldLabel } from './label.ts'
import type { SchemaFieldProps } from './parts.ts'
import { FormRow } from './row.tsx'
import css from './schema-form.module.css'
import { useFormRows } from './use-rows.ts'

/** The input for a list of rows. */
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
