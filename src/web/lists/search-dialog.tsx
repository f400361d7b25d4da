import '@mantine/core/styles/Checkbox.layer.css'
import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { isSearchChanged, type SearchField, type SearchValues, toSearchValues } from './search-values.ts'

interface Props {
  readonly opened: boolean
  /** Title, such as "Employee Search". */
  readonly title: string
  readonly fields: readonly SearchField[]
  readonly value: SearchValues
  readonly defaults: SearchValues
  readonly onSearch: (values: SearchValues) => void
  readonly onClose: () => void
}

/** Dialog with the fields of a search, and Search, Close and Reset Search (safety specification, section 2). */
export const SearchDialog = ({ opened, onClose, title, ...form }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={title} size="md">
    <SearchForm {...form} onClose={onClose} />
  </Dialog>
)

/** Reset Search is shown only when the search differs from the default. */
function SearchForm({ fields, value, defaults, onSearch, onClose }: Omit<Props, 'opened' | 'title'>) {
  const [typed, setTyped] = useState(() => Object.fromEntries(fields.map(({ key }) => [key, value[key] ?? ''])))
  const set = (key: string, text: string) => setTyped((now) => ({ ...now, [key]: text }))
  const search = (values: SearchValues) => {
    onSearch(values)
    onClose()
  }
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        search(toSearchValues(typed))
      }}
    >
      <Stack gap="md">
        {fields.map(({ key, label, kind }, n) =>
          kind === 'flag' ? (
            <Checkbox
              key={key}
              label={label}
              checked={typed[key] === 'true'}
              onChange={(e) => set(key, String(e.currentTarget.checked))}
            />
          ) : (
            <TextInput
              key={key}
              label={label}
              autoComplete="off"
              data-autofocus={n === 0 || undefined}
              value={typed[key] ?? ''}
              onChange={(e) => set(key, e.currentTarget.value)}
            />
          ),
        )}
      </Stack>
      <DialogActions>
        {isSearchChanged(typed, defaults) && (
          <Button variant="subtle" onClick={() => search(defaults)}>
            Reset Search
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button type="submit">Search</Button>
      </DialogActions>
    </form>
  )
}
