import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useRef } from 'react'
import { employeeFieldOf } from '#kernel/forms/fields-in.ts'
import { toText } from '#kernel/text.ts'
import { DEFAULT_MAX_LENGTHS } from '#kernel/validate.ts'
import { formFieldLabel } from '#web/forms/labels.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { useSuggestedEmployees } from './suggestions.web.ts'

interface Props extends Omit<AutocompleteProps, 'value' | 'onChange' | 'data' | 'filter'> {
  readonly value: string
  /** Called with the ID of the employee if one was chosen from the list; null for a typed name. */
  readonly onChange: (name: string, employee: number | null) => void
  /** Names of other people to offer. */
  readonly others?: readonly string[]
}

/** Input for a person's name, with employees as suggestions. Any other name can be typed. */
export function PersonNameInput({ value, onChange, others = [], readOnly = false, ...rest }: Props) {
  const chosen = useRef<string>(undefined)
  const found = useSuggestedEmployees(value, !readOnly)
  const isOffered = (name: string) => name.toLowerCase().includes(value.trim().toLowerCase())
  const change = (name: string) => {
    // Of several employees with the same name, none is chosen by the name alone.
    const [one, ...more] = name === chosen.current ? found.filter((each) => each.name === name) : []
    chosen.current = undefined
    onChange(name, more.length ? null : (one?.id ?? null))
  }
  return (
    <Autocomplete
      {...rest}
      autoComplete="off"
      readOnly={readOnly}
      data={[...new Set([...found.map(({ name }) => name), ...others.filter(isOffered)])]}
      filter={({ options }) => options}
      value={value}
      onOptionSubmit={(name) => {
        chosen.current = name
      }}
      onChange={change}
    />
  )
}

/** The same input in a form. */
export default function NameInput({ field, value, onChange, readOnly, error, set }: CustomFieldProps) {
  return (
    <PersonNameInput
      label={formFieldLabel(field)}
      required={field.required === true}
      maxLength={field.max ?? DEFAULT_MAX_LENGTHS.text ?? 255}
      value={toText(value)}
      readOnly={readOnly}
      error={error}
      onChange={(name, employee) => {
        onChange(name)
        set(employeeFieldOf(field), employee)
      }}
    />
  )
}
