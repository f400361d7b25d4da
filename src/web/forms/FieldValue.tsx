import { Anchor } from '@mantine/core'
import type { Field } from '#kernel/fields.ts'
import { PhoneLink } from '../ui/PhoneLink.tsx'
import { Moment } from '../ui/Relative.tsx'
import { showDay } from '../ui/ukDates.ts'
import { nameOfLink } from './values.ts'

/** A declared field's value as words. */
export function FieldValue({
  field,
  value,
  who,
}: {
  readonly field: Field
  readonly value: unknown
  readonly who?: string
}) {
  if (field.kind === 'flag') return value === true ? 'Yes' : 'No'
  if (value === null || value === undefined || value === '') return <Nothing />
  switch (field.kind) {
    case 'phone':
      return <PhoneLink number={String(value)} {...(who ? { who } : {})} />
    case 'email':
      return String(value).includes('@') ? (
        <Anchor href={`mailto:${String(value)}`}>{String(value)}</Anchor>
      ) : (
        String(value)
      )
    case 'date':
      return showDay(String(value))
    case 'instant':
    case 'unixSeconds':
      return <Moment at={value as string | number} />
    case 'choice':
      return field.options?.find((o) => o.value === value)?.label ?? String(value)
    case 'link':
      return nameOfLink(field.target!(), value) ?? String(value).split('/').at(-1)
    case 'strings':
      return Array.isArray(value) && value.length ? value.join(', ') : <Nothing />
    case 'json':
      return JSON.stringify(value)
    default:
      return String(value)
  }
}

const Nothing = () => <span>—</span>

/** The same as plain text: for an accessible name. */
export function asText(field: Field, value: unknown): string {
  if (field.kind === 'flag') return value === true ? 'Yes' : 'No'
  if (value === null || value === undefined) return ''
  if (field.kind === 'link') return nameOfLink(field.target!(), value) ?? String(value)
  if (field.kind === 'date') return showDay(String(value))
  if (field.kind === 'choice') return field.options?.find((o) => o.value === value)?.label ?? String(value)
  return Array.isArray(value) ? value.join(', ') : String(value)
}
