import { type ReactNode, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import type { Params } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { ListPager } from '#web/lists/list-pager.tsx'
import { SearchBox } from '#web/lists/search-box.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from './references.module.css'

/** Safety specification, section 9. */
const SIZE = 10

interface Props {
  readonly r: Resource
  readonly params: Params
  readonly label: string
  /** One of the list, with what can be done with it. */
  readonly draw: (row: Readonly<Record<string, unknown>>) => ReactNode
}

/** A list to choose from: searched, ten to a page. */
export function ChooseList({ r, params, label, draw }: Props) {
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const list = useList(r, { ...params, q, page, itemsPerPage: SIZE })
  const rows = list.data?.['hydra:member']
  return (
    <div className={css.choose}>
      <SearchBox
        label="Search"
        value={q}
        keys={false}
        onChange={(typed) => {
          setPage(1)
          setQ(typed)
        }}
      />
      {rows === undefined ? (
        list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRows rows={5} />
        )
      ) : rows.length === 0 ? (
        <EmptyState title="Nothing found">{q ? 'Try other words.' : 'There is nothing to choose from yet.'}</EmptyState>
      ) : (
        <ul className={css.rows} aria-label={label}>
          {rows.map((row) => (
            <li key={row.id}>{draw(row)}</li>
          ))}
        </ul>
      )}
      {rows && (rows.length === SIZE || page > 1) && (
        <ListPager
          page={page}
          size={SIZE}
          shown={rows.length}
          total={list.data?.['hydra:totalItems']}
          onPage={setPage}
        />
      )}
    </div>
  )
}
