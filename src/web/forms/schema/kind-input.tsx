import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Checkbox, Skeleton } from '@mantine/core'
import { Suspense, useSyncExternalStore } from 'react'
import { choice, type FieldOption, flag, text } from '#kernel/fields.ts'
import { CONTACT_NAME_FIELD } from '#kernel/forms/contacts.ts'
import { toEngineField } from '#kernel/forms/fields.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { FieldInput } from '../field-input.tsx'
import { ComboField } from '../inputs/combo-field.tsx'
import { EmergencyContacts } from '../inputs/emergency-contacts.tsx'
import { RichText } from '../inputs/rich-text.tsx'
import { formFieldLabel } from '../labels.ts'
import { RemoteSelect } from '../remote-select.tsx'
import { formatPath } from '../store/path.ts'
import { useRecordChoices } from '../use-choices.ts'
import { formatPlainValue } from '../words.ts'
import { ImageCardsInput } from './image-cards-input.tsx'
import type { SchemaFieldInputProps } from './parts.ts'
import css from './schema-form.module.css'

const SLOTS = [0, 1, 2] as const

/** Inputs for the three emergency contacts, with their validation messages. */
function ContactsInput({ store, path, field, value, onChange, readOnly, person: Person }: SchemaFieldInputProps) {
  const here = formatPath(path)
  // Problems are shown only after the focus has left all six inputs, because a contact's number is typed after the
  // name.
  const wrong = useSyncExternalStore(store.onDerived, () =>
    JSON.stringify(
      SLOTS.map((i) => ({ name: store.problem(`${here}[${i}].name`), number: store.problem(`${here}[${i}].number`) })),
    ),
  )
  const change = (at: number, part: Values) => {
    const contacts = toRowObjects(store.get(path))
    onChange(SLOTS.map((i) => ({ name: '', number: '', ...contacts[i], ...(i === at && part) })))
  }
  return (
    <fieldset className={css.rows}>
      <legend className={css.label}>{formFieldLabel(field)}</legend>
      <EmergencyContacts
        value={toRowObjects(value).map((c) => ({
          ...c,
          name: formatPlainValue(c.name),
          number: formatPlainValue(c.number),
        }))}
        {...(Person && {
          nameInput: (i) => (
            <Person
              field={CONTACT_NAME_FIELD}
              value={toRowObjects(value)[i]?.name}
              onChange={(name) => change(i, { name })}
              set={(name, id) => change(i, { [name]: id })}
              read={(name) => store.get([name])}
              readOnly={readOnly}
              error={store.problem(`${here}[${i}].name`)}
              id={`${here}-${i}`}
              at={`${here}[${i}].name`}
            />
          ),
        })}
        onChange={onChange}
        readOnly={readOnly}
        errors={JSON.parse(wrong) as { name?: string; number?: string }[]}
      />
    </fieldset>
  )
}

const SignatureInput = lazyComponent(() => import('./signature-input.tsx'))

/** Input for a field, depending on the field's kind. */
export function SchemaFieldInput(props: SchemaFieldInputProps) {
  const { field, value, onChange, readOnly, error } = props
  switch (field.kind) {
    case 'select':
      return <SelectInput {...props} />
    case 'remoteSelect':
      return field.source ? (
        <RemoteSelect
          target={choiceSourceResource(field.source)}
          label={formFieldLabel(field)}
          required={field.required === true}
          value={field.source.value && value !== null ? `${field.source.url}/${formatPlainValue(value)}` : value}
          onChange={(iri) => onChange(storedChoiceValue(field.source, iri))}
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
          label={formFieldLabel(field)}
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
          label={formFieldLabel(field)}
          required={field.required === true}
          value={formatPlainValue(value)}
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
          field={{ ...toEngineField(field), ...(field.required ? { required: true } : {}) }}
          value={value}
          onChange={onChange}
          readOnly={readOnly}
          error={error}
        />
      )
  }
}

function SelectInput({ field, value, onChange, readOnly, error }: SchemaFieldInputProps) {
  const options: readonly FieldOption[] = field.options ?? []
  const of = (text: unknown) => options.find((o) => String(o.value) === text)?.value ?? null
  return (
    <FieldInput
      name={field.name}
      field={choice(
        options.map((o) => ({ value: String(o.value), label: o.label })),
        { label: field.label, ...(field.required ? { required: true } : {}) },
      )}
      value={formatPlainValue(value)}
      onChange={(text) => onChange(of(text))}
      readOnly={readOnly}
      error={error}
    />
  )
}

function SuggestInput({ field, value, onChange, readOnly, error }: SchemaFieldInputProps) {
  const text = formatPlainValue(value)
  const offered = useOptionLabels(field, text)
  return (
    <Autocomplete
      label={formFieldLabel(field)}
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

function WordsInput({ field, value, onChange, readOnly, error }: SchemaFieldInputProps) {
  const offered = useOptionLabels(field, '')
  return (
    <ComboField
      label={field.label}
      required={field.required === true}
      options={offered}
      value={Array.isArray(value) ? value.map(formatPlainValue) : []}
      onChange={onChange}
      readOnly={readOnly}
      error={error}
    />
  )
}

type Source = NonNullable<FormField['source']>

const targets = new Map<string, Resource>()

/** Converts a list named in a schema to a resource for the inputs. The resource is searched by its label. */
function choiceSourceResource({ url, label }: Source): Resource {
  const key = `${url} ${label}`
  const known = targets.get(key)
  if (known) return known
  const [, , service = '', ...path] = url.split('/')
  const made: Resource = resource({
    type: 'Choice',
    service,
    path: path.join('/'),
    table: '',
    tenant: 'own',
    title: label,
    fields: { [label]: text({ filter: 'partial' }), retired: flag({ filter: true }) },
    allow: {},
  })
  targets.set(key, made)
  return made
}

/** Returns the value to store for a chosen record: the record's IRI, or its ID if the schema says so. */
const storedChoiceValue = (source: Source | undefined, iri: string | null): unknown =>
  iri === null || !source?.value ? iri : idFromAnyIri(iri)

const NOWHERE: Source = { url: '/api/none/none', label: 'name' }

/** Returns the texts to choose from: the field's options, or the names of a list's records. */
function useOptionLabels(field: FormField, typed: string): readonly string[] {
  const { choices } = useRecordChoices(choiceSourceResource(field.source ?? NOWHERE), typed, field.source !== undefined)
  return field.options?.map((o) => o.label) ?? [...new Set(choices.map((c) => c.name))]
}
