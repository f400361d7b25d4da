import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import { type ChangeEvent, type ReactNode, useId } from 'react'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { DateField } from '../dates/date-field.tsx'
import { DateTimeField } from '../dates/date-time-field.tsx'
import { HelpButton } from '../ui/help.tsx'
import css from './field-input.module.css'
import { fieldInputLabel } from './labels.ts'
import { RemoteSelect } from './remote-select.tsx'
import { HintedInput, SuggestedText } from './suggested-text.tsx'
import type { RecordChoice } from './use-choices.ts'
import { formatPlainValue } from './words.ts'

export interface FieldInputProps {
  readonly name: string
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly onBlur?: () => void
  readonly error?: ReactNode
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  /** Whether the list of choices opens as soon as the choices have loaded. */
  readonly opens?: boolean
  /** For a link: the label of “none”, if “none” can be chosen. */
  readonly none?: string | undefined
  /** Record or input that contains the value. Suggestions and hints may depend on it. */
  readonly record?: Values | undefined
  /** For a link: called with the label of the chosen record. */
  readonly onChoice?: (choice: RecordChoice | null) => void
  /** Hides the label visually, because it is already shown nearby. Screen readers still read the label. */
  readonly bare?: boolean
  readonly id?: string
}

/** Input for a declared field, with the label above it and the help button next to it. */
export function FieldInput(props: FieldInputProps) {
  const { name, field, bare } = props
  const input = <Input {...props} />
  if (!field.help || bare) return input
  return (
    <div className={css.helped}>
      {input}
      <span className={css.help}>
        <HelpButton name={labelOf(name, field)}>{field.help}</HelpButton>
      </span>
    </div>
  )
}

const MODES = {
  text: {},
  email: { type: 'email', inputMode: 'email' },
  phone: { type: 'tel', inputMode: 'tel' },
} as const

function Input({
  name,
  field,
  value,
  onChange,
  onBlur,
  error,
  readOnly = false,
  opens = false,
  autoFocus,
  bare,
  id,
  none,
  onChoice,
  record = {},
}: FieldInputProps) {
  const own = useId()
  const off = readOnly || field.readonly === true
  const common = {
    id: id ?? own,
    ...(bare ? { 'aria-label': fieldInputLabel(name, field) } : { label: fieldInputLabel(name, field) }),
    required: !!field.required,
    error,
    ...(off ? { variant: 'filled' } : {}),
    ...(autoFocus ? { 'data-autofocus': true, autoFocus: true } : {}),
    ...(onBlur ? { onBlur } : {}),
  }
  const text = formatPlainValue(value)
  switch (field.kind) {
    case 'flag': {
      const { required: _, variant: __, ...plain } = common
      return (
        <Switch
          {...plain}
          checked={value === true}
          disabled={off}
          onChange={(e) => onChange(e.currentTarget.checked)}
        />
      )
    }
    case 'integer':
    case 'decimal':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          onChange={(v) => onChange(typeof v === 'number' ? v : null)}
          allowDecimal={field.kind === 'decimal'}
          {...(field.min === undefined ? {} : { min: field.min })}
          {...(field.max === undefined ? {} : { max: field.max })}
          clampBehavior="none"
          readOnly={off}
          hideControls
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={(field.options ?? []).map((o) => ({ value: String(o.value), label: o.label }))}
          value={text || null}
          onChange={onChange}
          clearable={!field.required && !off}
          searchable={(field.options?.length ?? 0) > 8}
          allowDeselect={false}
          readOnly={off}
          clearButtonProps={{ 'aria-label': `Clear ${labelOf(name, field)}` }}
        />
      )
    case 'date':
      return <DateField {...common} value={text || null} onChange={onChange} readOnly={off} />
    case 'instant':
      return <DateTimeField {...common} value={text || null} onChange={onChange} readOnly={off} />
    case 'unixSeconds':
      return (
        <DateTimeField
          {...common}
          value={typeof value === 'number' ? new Date(value * 1000).toISOString() : null}
          onChange={(iso) => onChange(iso === null ? null : Math.floor(Date.parse(iso) / 1000))}
          readOnly={off}
        />
      )
    case 'strings':
      return (
        <TagsInput
          {...common}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          readOnly={off}
          data={(field.options ?? []).map((o) => String(o.value))}
        />
      )
    case 'link':
      return (
        <RemoteSelect
          {...common}
          target={field.target!()}
          {...(field.offers ? { params: field.offers } : {})}
          value={value}
          onChange={onChange}
          readOnly={off}
          opens={opens}
          none={none}
          {...(onChoice ? { onChoice } : {})}
        />
      )
    case 'longText':
    case 'richText':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          readOnly={off}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      )
    case 'rows':
    case 'json':
      return <Textarea {...common} autosize readOnly value={JSON.stringify(value, null, 2)} />
    default: {
      const own = { ...common, value: text, readOnly: off }
      if (field.suggests)
        return <SuggestedText {...own} suggests={field.suggests} record={record} onChange={onChange} />
      const input = {
        ...own,
        ...MODES[field.kind],
        autoComplete: 'off',
        onChange: (e: ChangeEvent<HTMLInputElement>) => onChange(e.currentTarget.value),
      }
      return field.formatHint ? (
        <HintedInput {...input} hint={field.formatHint} record={record} />
      ) : (
        <TextInput {...input} />
      )
    }
  }
}
