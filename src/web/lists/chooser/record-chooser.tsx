import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import type { QueryParams } from '../../api/client.ts'
import { useList } from '../../api/resources.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/states.tsx'
import css from '../offered/offered.module.css'
import { PagedRows } from '../paged-rows.tsx'
import { SearchBox } from '../search-box.tsx'

/** Rows per page (safety specification, section 9). */
const SIZE = 10

interface Props {
  readonly r: Resource
  readonly params: QueryParams
  readonly label: string
  /** Renders a row with its buttons. If `heads` is set, the row is rendered as table cells. */
  readonly draw: (row: Readonly<Record<string, unknown>>) => ReactNode
  /** Column headings. If not set, each row is a single block. */
  readonly heads?: readonly string[]
  /** Creates a record that is missing from the list. The search text becomes its name. */
  readonly onNew?: { readonly label: string; readonly make: (words: string) => void } | undefined
  readonly onClose: () => void
}

interface DialogProps extends Props {
  readonly opened: boolean
  readonly title: string
}

/** Dialog with a list of records to choose from. It stays open so that several records can be chosen. */
export const RecordChooserDialog = ({ opened, title, ...list }: DialogProps) => (
  <Dialog opened={opened} onClose={list.onClose} title={title}>
    <RecordChooser {...list} />
  </Dialog>
)

/**
 * Searchable list of records to choose from, ten to a page, with Search, Close and, during a search, Reset Search (safety
 * specification, section 2).
 */
export function RecordChooser({ r, params, label, draw, heads, onNew, onClose }: Props) {
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const list = useList(r, { ...params, q, page, itemsPerPage: SIZE })
  const search = (typed: string) => {
    setPage(1)
    setQ(typed)
  }
  return (
    <>
      <div className={css.choose}>
        <SearchBox label="Search" value={q} keys={false} button onChange={search} />
        <PagedRows
          list={list}
          page={page}
          size={SIZE}
          onPage={setPage}
          empty={
            <EmptyState title="Nothing found">
              {[
                q ? 'Try another search.' : 'There are no entries to choose from yet.',
                ...(onNew ? [`You can also choose “${onNew.label}”.`] : []),
              ].join(' ')}
            </EmptyState>
          }
        >
          {(rows) =>
            heads ? (
              <ChooseTable
                heads={heads}
                label={label}
                rows={rows.map((row) => [row.id, [draw(row)].flat() as ReactNode[]])}
              />
            ) : (
              <ul className={css.rows} aria-label={label}>
                {rows.map((row) => (
                  <li key={row.id}>{draw(row)}</li>
                ))}
              </ul>
            )
          }
        </PagedRows>
      </div>
      <DialogActions>
        {q !== '' && (
          <Button variant="subtle" onClick={() => search('')}>
            Reset Search
          </Button>
        )}
        {onNew && (
          <Button variant="default" onClick={() => onNew.make(q.trim())}>
            {onNew.label}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  )
}

interface TableProps {
  readonly heads: readonly string[]
  readonly label: string
  readonly rows: readonly (readonly [id: number, cells: readonly ReactNode[]])[]
}

/** List as a table. On a phone, each cell is shown below its heading. */
const ChooseTable = ({ heads, label, rows }: TableProps) => (
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
      {rows.map(([id, cells]) => (
        <tr key={id}>
          {cells.map((cell, i) => (
            <td key={heads[i]} data-head={heads[i]}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

interface AddProps {
  readonly name: string
  readonly added: boolean
  /** Whether the item can't be added, even though it has not been added yet. */
  readonly refused?: boolean
  readonly onAdd: () => void
}

/** Button that adds an item and is disabled once the item has been added. */
export const ChooserAddButton = ({ name, added, refused = false, onAdd }: AddProps) => (
  <Button
    size="compact-md"
    leftSection={<IconPlus size={16} aria-hidden />}
    aria-label={`Add ${name}`}
    disabled={added || refused}
    onClick={onAdd}
  >
    {added ? 'Added' : 'Add'}
  </Button>
)
