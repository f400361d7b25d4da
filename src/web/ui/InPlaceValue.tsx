import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { Ref } from 'react'
import type { Field } from '#kernel/fields.ts'
import { asText, FieldValue } from '../forms/FieldValue.tsx'
import css from './EditInPlace.module.css'

interface Props {
  readonly field: Field
  readonly value: unknown
  readonly label: string
  readonly fixed: boolean
  readonly onEdit: () => void
  readonly opener: Ref<HTMLButtonElement>
  readonly of?: string
}

/** The value at rest: itself the button that edits it, unless it is already a link. */
export function InPlaceValue({ field, value, label, fixed, onEdit, opener, of }: Props) {
  const words = asText(field, value)
  const who = of ? { who: of } : {}
  if (fixed)
    return (
      <span className={css.fixed}>
        <FieldValue field={field} value={value} {...who} />
      </span>
    )
  if (words && (field.kind === 'phone' || field.kind === 'email'))
    return (
      <span className={css.linked}>
        <FieldValue field={field} value={value} {...who} />
        <ActionIcon ref={opener} variant="subtle" color="gray" aria-label={`Edit ${label}`} onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </span>
    )
  return (
    <UnstyledButton
      ref={opener}
      className={css.value}
      data-empty={words === '' || undefined}
      aria-label={words ? `${label}: ${words}. Edit` : `Add ${label}`}
      onClick={onEdit}
    >
      <span className={css.words}>{words ? <FieldValue field={field} value={value} {...who} /> : `Add ${label}`}</span>
      <IconPencil className={css.pencil} size={16} aria-hidden />
    </UnstyledButton>
  )
}
