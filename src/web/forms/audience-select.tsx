import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import type { CustomInput } from './resource-form.tsx'

interface Choice {
  readonly label: string
  /** Roles; an empty list means everybody. */
  readonly value: readonly string[]
}

const keyOf = (roles: readonly string[]) => roles.toSorted().join(' ')

/** Creates an input to choose an audience. It offers some common groups of roles, and the current audience. */
export const createAudienceInput =
  (label: string, choices: readonly Choice[], labelOf: (roles: readonly string[]) => string): CustomInput =>
  ({ value, onChange, onBlur, error, readOnly, id }) => {
    const roles = Array.isArray(value) ? value.map(String) : []
    const known = choices.some((choice) => keyOf(choice.value) === keyOf(roles))
    const all = known ? choices : [...choices, { label: labelOf(roles), value: roles }]
    return (
      <Select
        label={label}
        data={all.map((choice) => ({ value: keyOf(choice.value), label: choice.label }))}
        value={keyOf(roles)}
        onChange={(key) => onChange([...(all.find((choice) => keyOf(choice.value) === key)?.value ?? [])])}
        allowDeselect={false}
        error={error}
        readOnly={readOnly}
        {...(onBlur ? { onBlur } : {})}
        {...(id ? { id } : {})}
      />
    )
  }
