import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { createTextMatcher } from '#kernel/text/search.ts'
import css from './rows-table.module.css'

interface TableRow {
  readonly key: number | string
  /** Text that the search compares. */
  readonly words: string
  readonly cells: readonly ReactNode[]
}

interface Props {
  readonly label: string
  readonly heads: readonly string[]
  readonly rows: readonly TableRow[]
  readonly empty: string
  readonly search?: boolean
  /** Buttons beside the search. */
  readonly actions?: ReactNode
}

/** Searchable table of a record's rows. Where there is little space, each cell is shown beside its heading. */
export function RowsTable({ label, heads, rows, empty, search = false, actions }: Props) {
  const [typed, setTyped] = useState('')
  const fits = createTextMatcher(typed)
  const found = rows.filter(({ words }) => fits(words))
  return (
    <div className={css.list}>
      <Group gap="sm">
        {search && rows.length > 0 && (
          <TextInput
            type="search"
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder="Search"
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        )}
        {actions}
      </Group>
      {found.length ? (
        <table className={css.table} aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, i) => (
                  <td key={heads[i]} data-head={heads[i]}>
                    <div>{cell}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Text size="sm" c="dimmed">
          {rows.length ? 'Nothing matches your search.' : empty}
        </Text>
      )}
    </div>
  )
}

export const AddRowButton = ({
  onAdd,
  children = 'Add',
}: {
  readonly onAdd: () => void
  readonly children?: string
}) => (
  <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
    {children}
  </Button>
)
