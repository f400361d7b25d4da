import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Params } from '../api/client.ts'
import { listOptions, useList } from '../api/resources.ts'
import { words } from '../forms/words.ts'
import { EmptyState, OfflineNotice } from '../ui/states.tsx'
import { type ColumnSpec, columnsOf } from './columns.tsx'
import css from './data-list.module.css'
import { type FilterSpec, filtersOf, searchParam } from './filters.ts'
import { ListPager } from './list-pager.tsx'
import type { ListState } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { ListView } from './list-view.tsx'
import type { Opening } from './row-link.tsx'
import { orderParams } from './url-state.ts'

interface Props<R extends Resource> extends Opening<RecordOf<R>> {
  /** `{...contact, url: '/api/crm/contacts/search'}` lists the same records from another address. */
  readonly resource: R
  /** Of the list: "Users". */
  readonly label: string
  /** From `useUrlState(listSchema({…}))`; whatever else it holds is sent as a parameter. */
  readonly state: ListState
  readonly onState: (change: never) => void
  readonly columns: readonly ColumnSpec<RecordOf<R>>[]
  readonly filters?: readonly FilterSpec[]
  /** Parameters that nobody changes. */
  readonly params?: Params
  /** What the search box says; no box when false. */
  readonly search?: string | false
  /** The parameter that carries the words searched for. */
  readonly searchBy?: string
  /** Buttons beside the search. */
  readonly actions?: ReactNode
  readonly rowActions?: (row: RecordOf<R>) => ReactNode
  readonly rowMuted?: (row: RecordOf<R>) => boolean
  /** What can be done with several chosen rows; `done` lets go of them. */
  readonly bulk?: (rows: readonly RecordOf<R>[], done: () => void) => ReactNode
  readonly empty?: ReactNode
  readonly size?: number
}

/** A paged, searched, sorted and filtered list of a resource's records, with its place in the address. */
export function DataList<R extends Resource>(props: Props<R>) {
  type Row = RecordOf<R>
  const { resource, label, state, columns, filters = [], actions, rowActions, rowMuted, bulk, empty, size = 30 } = props
  const { href, onOpen, onNear } = props
  const set = props.onState as (change: Readonly<Record<string, unknown>>) => void
  const client = useQueryClient()
  const [chosen, setChosen] = useState<readonly Row[]>([])
  const by = props.searchBy ?? searchParam(resource)
  const { page, order, q, ...narrowing } = state as ListState & Record<string, string>
  const all = filtersOf(resource, filters)
  const paramsAt = (n: number): Params => ({
    ...props.params,
    ...Object.fromEntries(Object.entries(narrowing).filter(([, v]) => v !== '')),
    ...(by && q ? { [by]: q } : {}),
    ...orderParams(order),
    page: n,
    ...(size === 30 ? {} : { itemsPerPage: size }),
  })
  const list = useList(resource, paramsAt(page))
  const rows = list.data?.['hydra:member']
  const total = list.data?.['hydra:totalItems']
  const narrowed = q !== '' || all.some((f) => narrowing[f.key] && !isUsual(f.key, narrowing[f.key]))
  const still = chosen.filter((c) => rows?.some((r) => r['@id'] === c['@id']))
  const title = (row: Row) => words((row as Record<string, unknown>)[resource.title ?? 'name'] ?? row.id)

  return (
    <div className={css.root}>
      <OfflineNotice />
      <ListToolbar
        search={props.search === false || !by ? undefined : (props.search ?? `Search ${label.toLowerCase()}`)}
        q={q}
        filters={all}
        values={narrowing}
        onChange={set}
        actions={actions}
      />
      {bulk && still.length > 0 && (
        <section className={css.bulk} aria-label="Chosen rows">
          <span role="status">{still.length} chosen</span>
          {bulk(still, () => setChosen([]))}
        </section>
      )}
      <ListView<Row>
        label={label}
        rows={rows}
        error={list.error}
        onRetry={() => void list.refetch()}
        old={list.isPlaceholderData}
        empty={empty ?? <EmptyState title={`No ${label.toLowerCase()} yet`} />}
        narrowed={narrowed || page > 1}
        onClear={() => set({ q: '', page: 1, ...Object.fromEntries(all.map((f) => [f.key, ''])) })}
        columns={columnsOf<Row>(resource, columns)}
        idOf={(row) => String(row.id)}
        nameOf={title}
        order={order}
        onOrder={(next) => set({ order: next })}
        {...(href ? { href } : {})}
        {...(onOpen ? { onOpen } : {})}
        {...(onNear ? { onNear } : {})}
        {...(rowActions ? { rowActions } : {})}
        {...(rowMuted ? { rowMuted } : {})}
        {...(bulk ? { chosen: still, onChosen: setChosen } : {})}
      />
      {rows && (rows.length > 0 || page > 1) && (
        <div onPointerEnter={() => void client.prefetchQuery(listOptions(resource, paramsAt(page + 1)))}>
          <ListPager page={page} size={size} shown={rows.length} total={total} onPage={(n) => set({ page: n })} />
        </div>
      )}
    </div>
  )
}

/** Leaving out what is retired is how every list begins. */
const isUsual = (key: string, value: unknown) => (key === 'retired' || key === 'isRetired') && value === 'false'
