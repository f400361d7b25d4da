import { Anchor } from '@mantine/core'
import { type Field, isPersonField } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import { DateTimeText } from '../dates/relative.tsx'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '../dates/uk-dates.ts'
import { PersonName } from '../ui/people/person-name.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { linkedRecordName } from './values.ts'
import { formatPlainValue } from './words.ts'

interface Props {
  readonly field: Field
  readonly value: unknown
  /** Name of the record to which the value belongs, for the accessible names of links. */
  readonly who?: string | undefined
  /** Record that contains the value. Set if the record affects how the value is displayed. */
  readonly record?: Values | undefined
}

/** Read-only value of a declared field. Telephone numbers and e-mail addresses are links. */
export function FieldValue({ field, value, who, record }: Props) {
  if (field.kind === 'flag') return value === true ? 'Yes' : 'No'
  if (value === null || value === undefined || value === '') return <Nothing />
  const text = formatPlainValue(value)
  if (isPersonField(field)) return <PersonName username={text} clientId={clientOf(record)} />
  switch (field.kind) {
    case 'phone':
      return <PhoneLink number={text} barred={whyBarred(field, record)} {...(who ? { who } : {})} />
    case 'email':
      return text.includes('@') ? <Anchor href={`mailto:${text}`}>{text}</Anchor> : text
    case 'date':
      return formatIsoAsUkDate(text)
    case 'instant':
    case 'unixSeconds':
      return <DateTimeText at={value as string | number} />
    case 'choice':
      return field.options?.find((o) => o.value === value)?.label ?? text
    case 'link':
      return linkedRecordName(field.target!(), value) ?? lastIriSegment(text)
    case 'strings':
      return Array.isArray(value) && value.length ? value.join(', ') : <Nothing />
    case 'rows':
      return Array.isArray(value) ? value.length : <Nothing />
    case 'json':
      return JSON.stringify(value)
    default:
      return text
  }
}

/** Returns the ID of the client that the record belongs to, if the record names it. */
function clientOf(record: Values | undefined): number | undefined {
  const client = record?.client as { readonly id?: unknown } | null | undefined
  return typeof client?.id === 'number' ? client.id : undefined
}

const Nothing = () => <span>—</span>

/**
 * Returns the reason why this number must not be called, as declared for the field, or undefined if it may be called.
 */
function whyBarred({ disabledBy: barred }: Field, record: Values | undefined): string | undefined {
  const found = barred?.by.split('.').reduce<unknown>((in_, name) => (in_ as Values | null | undefined)?.[name], record)
  return found === true ? barred?.why : undefined
}

/** Formats a declared field's value as plain text, for an accessible name. */
export function formatFieldValue(field: Field, value: unknown): string {
  if (field.kind === 'flag') return value === true ? 'Yes' : 'No'
  if (value === null || value === undefined) return ''
  const text = formatPlainValue(value)
  if (field.kind === 'link') return linkedRecordName(field.target!(), value) ?? text
  if (field.kind === 'date') return formatIsoAsUkDate(text)
  if (field.kind === 'instant') return formatIsoAsUkDateTime(text)
  if (field.kind === 'unixSeconds') return formatIsoAsUkDateTime(new Date(Number(value) * 1000).toISOString())
  if (field.kind === 'choice') return field.options?.find((o) => o.value === value)?.label ?? text
  return Array.isArray(value) ? value.join(', ') : text
}
