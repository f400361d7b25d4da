import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Text } from '@mantine/core'
import { useAddressees } from '#modules/crm/people/letters-to.web.ts'
import { inputId } from './draft.web.ts'

interface Props {
  /** The lead whose people are offered. */
  readonly lead: number | undefined
  /** Where it goes if nothing is typed. */
  readonly usual: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (email: string) => void
}

/** Whom the quote goes to: those who are known at the company, or any other address. */
export function SendTo({ lead, usual, value, error, onChange }: Props) {
  const known = new Map(useAddressees(lead).map(({ email, who }) => [email, who]))
  return (
    <Autocomplete
      id={inputId('emailTo')}
      label="Send to"
      type="email"
      autoComplete="off"
      placeholder={usual}
      data={[...known.keys()]}
      // All of them, whatever stands there: one is exchanged for another.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{known.get(option.value) || option.value}</Text>
          {known.get(option.value) && (
            <Text size="xs" c="dimmed">
              {option.value}
            </Text>
          )}
        </div>
      )}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}
