import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Text } from '@mantine/core'
import { usePersonAddressees } from '#modules/crm/people/letters-to.web.ts'
import { quoteInputId } from './draft.web.ts'

interface Props {
  readonly lead: number | undefined
  readonly usual: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (email: string) => void
}

/** Recipient field that offers the company's contacts and accepts any other address. */
export function QuoteRecipientField({ lead, usual, value, error, onChange }: Props) {
  const known = new Map(usePersonAddressees(lead).map(({ email, who }) => [email, who]))
  return (
    <Autocomplete
      id={quoteInputId('emailTo')}
      label="Send to"
      type="email"
      autoComplete="off"
      placeholder={usual}
      data={[...known.keys()]}
      // Shows all options regardless of the input, so that the user can replace the address.
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
