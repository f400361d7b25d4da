import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { TagsInput } from '@mantine/core'
import type { FieldInputProps } from '#web/forms/field-input.tsx'

interface Props extends FieldInputProps {
  readonly label: string
  readonly known: readonly { readonly code: string; readonly text: string }[]
}

/** Input for label statements, searchable by code or text. Codes that are not in the list can be typed. */
export function ClpStatementCodesInput({ id, label, known, value, onChange, onBlur, error, readOnly }: Props) {
  const codes = Array.isArray(value) ? value.map(String) : []
  const texts = new Map(known.map((s) => [s.code, s.text]))
  return (
    <div>
      <TagsInput
        {...(id ? { id } : {})}
        label={label}
        description="Enter a code or part of the statement."
        data={known.map((s) => s.code)}
        value={codes}
        onChange={onChange}
        onBlur={onBlur ?? (() => undefined)}
        error={error}
        readOnly={readOnly ?? false}
        clearable={false}
        filter={({ options, search, limit }) => {
          const words = search.trim().toLowerCase()
          return options
            .filter((o) => 'value' in o && `${o.value} ${texts.get(o.value) ?? ''}`.toLowerCase().includes(words))
            .slice(0, limit)
        }}
        limit={40}
        renderOption={({ option }) => `${option.value} ${texts.get(option.value) ?? ''}`}
      />
    </div>
  )
}
