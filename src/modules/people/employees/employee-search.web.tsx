import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { SearchField, SearchValues } from '#web/lists/search-values.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

const SearchDialog = lazyComponent(async () => ({
  default: (await import('#web/lists/search-dialog.tsx')).SearchDialog,
}))

/** Fields of the search, word for word (safety specification, section 2). */
const FIELDS: readonly SearchField[] = [
  { key: 'forename', label: 'Forename', kind: 'text' },
  { key: 'surname', label: 'Surname', kind: 'text' },
  { key: 'email', label: 'Email', kind: 'text' },
  { key: 'retired', label: 'Retired?', kind: 'flag' },
]

/** Part of a list's state that the search sets. */
interface EmployeeSearchState {
  readonly forename: string
  readonly surname: string
  readonly email: string
  readonly retired: '' | 'true' | 'false'
}

interface Props {
  readonly state: EmployeeSearchState
  readonly onState: (change: EmployeeSearchState) => void
  /** Whether the list shows employees who have left by default. */
  readonly retired?: boolean
}

/** Button that opens the dialog "Employee Search". */
export function EmployeeSearch({ state, onState, retired = false }: Props) {
  const [opened, setOpened] = useState(false)
  const defaults: SearchValues = { forename: null, surname: null, email: null, retired: String(retired) }
  const search = (values: SearchValues) =>
    onState({
      forename: values.forename ?? '',
      surname: values.surname ?? '',
      email: values.email ?? '',
      retired: values.retired === 'true' ? 'true' : 'false',
    })
  return (
    <>
      <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Employee Search
      </Button>
      {opened && (
        <SearchDialog
          opened
          title="Employee Search"
          fields={FIELDS}
          value={{ ...state }}
          defaults={defaults}
          onSearch={search}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
