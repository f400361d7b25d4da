import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { Ref } from 'react'
import { type Field, isPersonField } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { toText } from '#kernel/text.ts'
import { usePersonNames } from '../api/names.ts'
import css from './edit-in-place.module.css'
import { FieldValue, formatFieldValue } from './field-value.tsx'
import { useLinkedRecordName } from './use-choices.ts'
import { linkedRecordIri, linkedRecordName } from './values.ts'

interface Props {
  readonly field: Field
  readonly value: unknown
  readonly label: string
  readonly fixed: boolean
  readonly onEdit: () => void
  readonly opener: Ref<HTMLButtonElement>
  readonly of?: string | undefined
  readonly record?: Values | undefined
}

/**
 * Converts the first letter of a label to lower case: `Address line 1` → `address line 1`. Abbreviations such as `IR35`
 * are unchanged.
 */
const inSentence = (label: string) => label.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())

/** Value that is not being edited: a button that starts editing, unless the value is a link. */
export function InPlaceValue({ field, value, label, fixed, onEdit, opener, of, record }: Props) {
  const target = field.kind === 'link' ? field.target!() : undefined
  const linked = useLinkedRecordName(
    target,
    linkedRecordIri(target && value),
    target && linkedRecordName(target, value),
  )
  const person = isPersonField(field) ? toText(value) : ''
  const nameOf = usePersonNames(person ? [person] : [])
  const words = target ? (value ? (linked ?? '…') : '') : person ? nameOf(person) : formatFieldValue(field, value)
  const shown = target ? words || '—' : <FieldValue field={field} value={value} who={of} record={record} />
  if (fixed) return <span className={css.fixed}>{shown}</span>
  if (words && (field.kind === 'phone' || field.kind === 'email'))
    return (
      <span className={css.linked}>
        {shown}
        <ActionIcon ref={opener} data-edit variant="subtle" color="gray" aria-label={`Edit ${label}`} onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </span>
    )
  return (
    <UnstyledButton
      ref={opener}
      data-edit
      className={css.value}
      data-empty={words === '' || undefined}
      aria-label={words ? `${label}: ${words}. Edit` : `Add ${inSentence(label)}`}
      onClick={onEdit}
    >
      <span className={css.words}>{words ? shown : `Add ${inSentence(label)}`}</span>
      <IconPencil className={css.pencil} size={16} aria-hidden />
    </UnstyledButton>
  )
}
