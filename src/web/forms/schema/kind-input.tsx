import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Checkbox, Skeleton } from '@mantine/core'
import { Suspense, useSyncExternalStore } from 'react'
import { choice, type Option } from '#kernel/fields.ts'
import { engineField } from '#kernel/forms/fields.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { lazily } from '../../ui/lazily.tsx'
import { FieldInput } from '../field-input.tsx'
import { ComboField } from '../inputs/combo-field.tsx'
import { EmergencyContacts } from '../inputs/emergency-contacts.tsx'
import { RichText } from '../inputs/rich-text.tsx'
import { RemoteSelect } from '../remote-select.tsx'
import { written } from '../store/path.ts'
import { words } from '../words.ts'
import { ImageCardsInput } from './image-cards-input.tsx'
import { labelFor } from './label.ts'
import type { KindProps } from './parts.ts'
import css from './schema-form.module.css'
import { storedChoice, targetOf, useWords } from './source.ts'

const SLOTS = [0, 1, 2] as const

/** The three emergency contacts with their problems. */
function ContactsInput({ store, path, field, value, onChange, readOnly }: KindProps) {
  const here = written(path)
  // Shows problems only once the whole input was left: the number of a contact is typed after its name.
  const wrong = useSyncExternalStore(store.onDerived, () =>
    JSON.stringify(
      SLOTS.map((i) => ({ name: store.problem(`${here}[${i}].name`), number: store.problem(`${here}[${i}].number`) })),
    ),
  )
  return (
    <fieldset className={css.rows}>
      <legend className={css.label}>{labelFor(field)}</legend>
      <EmergencyContacts
        value={rowsOf(value).map((c) => ({ name: words(c.name), number: words(c.number) }))}
        onChange={onChange}
        readOnly={readOnly}
        errors={JSON.parse(wrong) as { name?: string; number?: string }[]}
      />
    </fieldset>
  )
}

const SignatureInput = lazily(() => import('./signature-input.tsx'))

/** The input for each kind of field. */
export function KindInput(props: KindProps) {
  const { field, value, onChange, readOnly, error } = props
  switch (field.kind) {
    case 'select':
      return <SelectInput {...props} />
    case 'remoteSelect':
      return field.source ? (
        <RemoteSelect
          target={targetOf(field.source)}
          label={labelFor(field)}
          required={field.required === true}
          value={field.source.value && value !== null ? `${field.source.url}/${words(value)}` : value}
          onChange={(iri) => onChange(storedChoice(field.source, iri))}
          readOnly={readOnly}
          error={error}
        />
      ) : (
        <SelectInput {...props} />
      )
    case 'autocomplete':
      return <SuggestInput {...props} />
    case 'combobox':
      return <WordsInput {...props} />
    case 'checkbox':
      return (
        <Checkbox
          label={labelFor(field)}
          required={field.required === true}
          checked={value === true}
          disabled={readOnly}
          error={error}
          onChange={(e) => onChange(e.currentTarget.checked)}
        />
      )
    case 'richText':
      return (
        <RichText
          label={labelFor(field)}
          required={field.required === true}
          value={words(value)}
          onChange={onChange}
          readOnly={readOnly}
          error={error}
        />
      )
    case 'imageCards':
      return <ImageCardsInput {...props} />
    case 'emergencyContacts':
      return <ContactsInput {...props} />
    case 'signature':
      return (
        <Suspense fallback={<Skeleton height={220} />}>
          <SignatureInput {...props} />
        </Suspense>
      )
    case 'rows':
    case 'custom':
    case 'uploads':
      return null
    default:
      return (
        <FieldInput
          name={field.name}
          field={{ ...engineField(field), ...(field.required ? { required: true } : {}) }}
          value={value}
          onChange={onChange}
          readOnly={readOnly}
          error={error}
        />
      )
  }
}

function SelectInput({ field, value, onChange, readOnly, error }: KindProps) {
  const options: readonly Option[] = field.options ?? []
  const of = (text: unknown) => options.find((o) => String(o.value) === text)?.value ?? null
  return (
    <FieldInput
      name={field.name}
      field={choice(
        options.map((o) => ({ value: String(o.value), label: o.label })),
        { label: field.label, ...(field.required ? { required: true } : {}) },
      )}
      value={words(value)}
      onChange={(text) => onChange(of(text))}
      readOnly={readOnly}
      error={error}
    />
  )
}

function SuggestInput({ field, value, onChange, readOnly, error }: KindProps) {
  const text = words(value)
  const offered = useWords(field, text)
  return (
    <Autocomplete
      label={labelFor(field)}
      required={field.required === true}
      data={[...offered]}
      value={text}
      onChange={onChange}
      readOnly={readOnly}
      variant={readOnly ? 'filled' : 'default'}
      error={error}
      limit={20}
      {...(field.max === undefined ? {} : { maxLength: field.max })}
    />
  )
}

function WordsInput({ field, value, onChange, readOnly, error }: KindProps) {
  const offered = useWords(field, '')
  return (
    <ComboField
      label={field.label}
      required={field.required === true}
      options={offered}
      value={Array.isArray(value) ? value.map(words) : []}
      onChange={onChange}
      readOnly={readOnly}
      error={error}
    />
  )
}
