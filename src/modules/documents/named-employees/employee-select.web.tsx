import '@mantine/core/styles/Combobox.layer.css'
import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { type SuggestedEmployee, useSuggestedEmployees } from './suggestions.web.ts'

interface Props extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** ID of the chosen employee. */
  readonly value: number | null
  /** Name of the chosen employee. */
  readonly name: string
  readonly onChange: (employee: SuggestedEmployee | null) => void
}

/** Choice of an employee in service. The server is searched while the person types. */
export function EmployeeSelect({ value, name, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState('')
  const found = useSuggestedEmployees(typed === name ? '' : typed)
  const offered = found.map((one) => ({ value: String(one.id), label: one.name }))
  const isOffered = offered.some((one) => one.value === String(value))
  return (
    <Select
      {...rest}
      searchable
      clearable
      nothingFoundMessage="No employee found with this name"
      data={value && !isOffered ? [{ value: String(value), label: name }, ...offered] : offered}
      value={value ? String(value) : null}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      onChange={(id) => onChange(found.find((one) => String(one.id) === id) ?? null)}
    />
  )
}
