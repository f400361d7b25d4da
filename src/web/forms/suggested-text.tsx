import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, type AutocompleteProps, TextInput, type TextInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { listQueryOptions } from '../api/resources.ts'
import { useRecordChoices } from './use-choices.ts'

interface SuggestedTextProps extends AutocompleteProps {
  readonly suggests: NonNullable<Field['suggests']>
  /** Record that contains the value. */
  readonly record: Values
}

/** Text input that suggests the titles of a list's records. Any other text can be typed. */
export function SuggestedText({ suggests, record, onChange, ...rest }: SuggestedTextProps) {
  const [opened, setOpened] = useState(false)
  // Until something is typed, all suggestions are shown, also those that differ from the stored value.
  const [typed, setTyped] = useState('')
  const params = suggests.where ? suggests.where(record) : {}
  const { choices } = useRecordChoices(suggests.from(), typed, opened && params !== null, params ?? {})
  return (
    <Autocomplete
      {...rest}
      autoComplete="off"
      data={params === null ? [] : [...new Set(choices.map((c) => c.name))]}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpened(true)}
      onChange={(text) => {
        setTyped(text)
        onChange?.(text)
      }}
    />
  )
}

interface HintedInputProps extends TextInputProps {
  readonly hint: NonNullable<Field['formatHint']>
  readonly record: Values
}

/** Text input that shows the usual format of a value while it is empty. Other formats can be typed. */
export function HintedInput({ hint, record, ...rest }: HintedInputProps) {
  const list = useQuery({
    ...listQueryOptions(hint.from(), { pagination: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const rows = (list.data?.['hydra:member'] ?? []) as readonly Values[]
  return <TextInput {...rest} placeholder={hint.words(record, rows)} />
}
