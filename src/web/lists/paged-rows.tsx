import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Collection } from '../api/client.ts'
import { ErrorState, LoadingRows } from '../ui/states.tsx'
import { ListPager } from './list-pager.tsx'

interface Props<Row> {
  readonly list: Pick<UseQueryResult<Collection<Row>>, 'data' | 'error' | 'isError' | 'refetch'>
  readonly page: number
  readonly size: number
  readonly onPage: (page: number) => void
  /** Content shown if nothing is found. */
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** Page of a list, with a pager. Shows placeholders while the list is loading, and the error if loading fails. */
export function PagedRows<Row>({ list, page, size, onPage, empty, children }: Props<Row>) {
  const rows = list.data?.['hydra:member']
  if (rows === undefined)
    return list.isError ? (
      <ErrorState error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <LoadingRows rows={5} />
    )
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      {(rows.length === size || page > 1) && (
        <ListPager
          page={page}
          size={size}
          shown={rows.length}
          total={list.data?.['hydra:totalItems']}
          onPage={onPage}
        />
      )}
    </>
  )
}
