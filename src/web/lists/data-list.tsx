import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { bulkActions, canRunBulkAction } from '#kernel/bulk.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { type QueryParams, queryString } from '../api/client.ts'
import { useActor } from '../api/me.ts'
import { listQueryOptions, paginationParams, useList } from '../api/resources.ts'
import { formatPlainValue } from '../forms/words.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { EmptyState, OfflineNotice } from '../ui/states.tsx'
import { useWasEverTrue } from '../ui/use-was-ever-true.ts'
import { useRowSelection } from './choosing/use-selection.ts'
import { buildColumns, type ColumnSpec } from './columns/columns.tsx'
import { findAdditionalFields, pickColumns } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import type { BulkActionWording } from './extras/bulk-bar.tsx'
import { ListViewAndExportMenu } from './extras/list-extras.tsx'
import {
  buildFilters,
  type FilterSpec,
  type FilterValues,
  findSearchParam,
  resolveFilterValues,
  visibleFilterValues,
} from './filters.ts'
import { ListPager } from './list-pager.tsx'
import type { RowNavigation } from './list-row.tsx'
import type { ListState } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { ListView } from './list-view.tsx'
import { type RecordPagerSource, registerRecordPagerSource } from './pager/record-pager.ts'
import { usePagerEntry } from './pager/use-page-entry.ts'
import { sortOrderParams } from './url-state.ts'
import { useListViews } from './views/use-views.ts'

const BulkBar = lazyComponent(() => import('./extras/bulk-bar.tsx'))

interface Props<R extends Resource> extends RowNavigation<RecordOf<R>> {
  /**
   * Resource of the records. `{...contact, url: '/api/crm/contacts/search'}` lists the same records from another URL.
   */
  readonly resource: R
  /** Name of the list: "Users". */
  readonly label: string
  /**
   * State from `useUrlState(listSchema({…}))`: the list's parameters in the page's URL, which are also sent to the API.
   */
  readonly state: ListState
  readonly onState: (change: never) => void
  readonly columns: readonly ColumnSpec<RecordOf<R>>[]
  readonly filters?: readonly FilterSpec[]
  /** Query parameters that are always sent, whatever the state. */
  readonly params?: QueryParams
  /** Query parameters sent instead of the state, if the page's URL uses other names than the API. */
  readonly asked?: QueryParams
  /** Label of the search box. If false, there is no search box. */
  readonly search?: string | false
  /** Query parameter for the search text. */
  readonly searchBy?: string
  /** Buttons beside the search box. A function gets the query of the list. */
  readonly actions?: ReactNode | ((asked: QueryParams) => ReactNode)
  readonly rowActions?: (row: RecordOf<R>) => ReactNode
  readonly rowMuted?: (row: RecordOf<R>) => boolean
  readonly rowBarred?: (row: RecordOf<R>) => string | undefined
  /** The screen's wording for bulk actions. The actions themselves are declared in the resource (`bulk`). */
  readonly bulkWords?: Readonly<Record<string, BulkActionWording>>
  /** Additional actions for selected rows, beside the declared ones. */
  readonly chosenActions?: (rows: readonly RecordOf<R>[]) => ReactNode
  /**
   * Actions for the selected rows, or for all rows that match the list's query. `from` is the URL that returns those
   * rows.
   */
  readonly foundActions?: (from: string, count: number) => ReactNode
  /** Content shown if there are no records at all. */
  readonly empty?: ReactNode
  /** Content shown if nothing is found. Replaces `empty` and the default text. */
  readonly nothing?: ReactNode
  readonly size?: number
  /** Refresh interval in milliseconds. */
  readonly refreshMs?: number
}

/**
 * Paged list of a resource's records with search, sorting and filters, whose state is stored in the page's URL. Offers
 * saved views, column choice, export and bulk actions if the declaration allows them.
 */
export function DataList<R extends Resource>(props: Props<R>) {
  type Row = RecordOf<R>
  const {
    resource,
    label,
    state,
    filters = [],
    rowActions,
    rowMuted,
    rowBarred,
    bulkWords = {},
    chosenActions,
    foundActions,
    size = 30,
  } = props
  const { href, onOpen, onNear } = props
  const set = props.onState as (change: Readonly<Record<string, unknown>>) => void
  const client = useQueryClient()
  const actor = useActor()
  const [search] = useSearchParams()
  const by = props.searchBy ?? findSearchParam(resource)
  const { page, order, q, ...chosenFilters } = state as ListState & Record<string, string>
  const all = buildFilters(resource, filters)
  const narrowing = resolveFilterValues(all, chosenFilters)
  const askedBy = (values: FilterValues): QueryParams =>
    props.asked ?? {
      ...props.params,
      ...Object.fromEntries(Object.entries(values).filter(([, v]) => v !== '')),
      ...(by && q ? { [by]: q } : {}),
      ...sortOrderParams(order),
    }
  const asked = askedBy(narrowing)
  const paramsAt = (n: number, other = asked) => paginationParams(other, n, size)
  const fetchAhead = (params: QueryParams) => void client.prefetchQuery(listQueryOptions(resource, params))
  const list = useList(resource, paramsAt(page), { refetchInterval: props.refreshMs ?? false })

  const name = resource.url.replace(/^\/api\//, '')
  const own = name === `${resource.service}/${resource.path}`
  const views = useListViews(name, Object.keys(state))
  const usual = useMemo(() => buildColumns<Row>(resource, props.columns), [resource, props.columns])
  const further = useMemo(() => {
    const taken = usual.flatMap((c) => [c.key, ...(c.fields ?? [])])
    return buildColumns<Row>(resource, findAdditionalFields(resource, actor, taken))
  }, [resource, actor, usual])
  const picked = search.get('columns') ?? views.setting?.columns ?? ''
  const columns = useMemo(() => pickColumns([...usual, ...further], usual, picked), [usual, further, picked])

  const rows = views.ready ? list.data?.['hydra:member'] : undefined
  const total = list.data?.['hydra:totalItems']
  const narrowed = q !== '' || all.some((f) => narrowing[f.key] && !isUsual(f.key, narrowing[f.key]))
  const idOf = (row: Row) => String(row.id)
  const chosen = useRowSelection<Row>(rows ?? [], idOf, JSON.stringify(asked))
  const choosing = own && bulkActions(resource).some((action) => canRunBulkAction(actor, resource, action))
  const any = chosen.all || chosen.rows.length > 0
  const wasAny = useWasEverTrue(any)
  const root = useRef<HTMLDivElement>(null)
  const isThere = rows !== undefined && !list.isPlaceholderData
  /** True after the person has moved from the search box to the rows while the rows are still loading. */
  const entering = useRef(false)
  useEffect(() => {
    if (!entering.current || !isThere || !rows) return
    entering.current = false
    // The focus moves only if it is still in the search box.
    if (document.activeElement?.matches('[type=search]')) firstRowIn(root.current)?.focus()
  }, [isThere, rows])
  const { pathname } = useLocation()
  const ways = {
    stopOf: (row: unknown) => ({ id: idOf(row as Row), ...(href ? { to: href(row as Row) } : {}) }),
    ...(onOpen ? { open: onOpen as (row: unknown) => void } : {}),
  }
  const offer = useEffectEvent(
    (): RecordPagerSource => ({ url: resource.url, params: asked, size, total, page, rows: rows ?? [], ...ways }),
  )
  useEffect(() => registerRecordPagerSource(pathname, () => offer()), [pathname])
  usePagerEntry(isThere ? rows : undefined, ways)
  /** Moves the focus to the rows after the bulk action bar has closed. */
  const leaveBar = () =>
    requestAnimationFrame(() => {
      const search = root.current?.querySelector<HTMLElement>('[type=search]')
      ;(firstRowIn(root.current) ?? search)?.focus({ preventScroll: true })
    })

  return (
    <div ref={root} className={css.root}>
      <OfflineNotice />
      <ListToolbar
        search={props.search === false || !by ? undefined : (props.search ?? `Search ${label.toLowerCase()}`)}
        q={q}
        filters={all}
        values={visibleFilterValues(all, chosenFilters)}
        onChange={set}
        actions={typeof props.actions === 'function' ? props.actions(asked) : props.actions}
        counted={
          own
            ? {
                url: resource.url,
                askedWith: (filter, value) => askedBy(resolveFilterValues(all, { ...chosenFilters, [filter]: value })),
              }
            : undefined
        }
        onDown={(asked) => {
          entering.current = asked || !isThere
          if (!entering.current) firstRowIn(root.current)?.focus()
        }}
        extras={
          <ListViewAndExportMenu
            resource={resource}
            label={label}
            views={views}
            all={[...usual, ...further]}
            columns={columns}
            usual={usual}
            asked={own ? asked : undefined}
          />
        }
      />
      <ListView<Row>
        label={label}
        rows={rows}
        error={list.error ?? (list.fetchStatus === 'paused' ? WAITING : undefined)}
        onRetry={() => void list.refetch()}
        question={JSON.stringify(paramsAt(page))}
        old={list.isPlaceholderData}
        size={size}
        empty={props.nothing ?? props.empty ?? <EmptyState title={`No ${label.toLowerCase()} yet`} />}
        narrowed={!props.nothing && (narrowed || page > 1)}
        onClear={() => set({ q: '', page: 1, ...Object.fromEntries(all.map((f) => [f.key, ''])) })}
        columns={columns}
        idOf={idOf}
        nameOf={(row) => formatPlainValue((row as Record<string, unknown>)[resource.title ?? 'name'] ?? row.id)}
        order={order}
        onOrder={(next) => set({ order: next })}
        onNearOrder={(next) => fetchAhead(paramsAt(1, inOrder(asked, next)))}
        {...(href ? { href } : {})}
        {...(onOpen ? { onOpen } : {})}
        {...(onNear ? { onNear } : {})}
        {...(rowActions ? { rowActions } : {})}
        {...(rowMuted ? { rowMuted } : {})}
        {...(rowBarred ? { rowBarred } : {})}
        {...(choosing ? { chosen } : {})}
      />
      {rows && (rows.length > 0 || page > 1) && (
        <Near at={page} onNear={() => page * size < (total ?? 0) && fetchAhead(paramsAt(page + 1))}>
          <ListPager page={page} size={size} shown={rows.length} total={total} onPage={(n) => set({ page: n })} />
        </Near>
      )}
      {wasAny && (
        <Suspense>
          <BulkBar
            resource={resource}
            words={bulkWords}
            chosen={chosen}
            total={total}
            asked={asked}
            href={href}
            onLeave={leaveBar}
            more={
              <>
                {!chosen.all && chosenActions?.(chosen.rows)}
                {any &&
                  foundActions?.(addressOf(resource, chosen, asked), chosen.all ? (total ?? 0) : chosen.rows.length)}
              </>
            }
          />
        </Suspense>
      )}
    </div>
  )
}

const firstRowIn = (list: HTMLElement | null) => list?.querySelector<HTMLElement>('[data-row-link]')

/** Returns the URL that lists only the selected rows: by ID or, if all rows are selected, by the list's query. */
const addressOf = <Row extends { readonly id: number }>(
  { url }: Resource,
  { all, rows }: { readonly all: boolean; readonly rows: readonly Row[] },
  asked: QueryParams,
): string => `${url}${all ? queryString(asked) : `?${rows.map(({ id }) => `id%5B%5D=${id}`).join('&')}`}`

/** Returns the query with another sort order. If `order` is empty, the list's default order applies. */
const inOrder = (asked: QueryParams, order: string): QueryParams => ({
  ...Object.fromEntries(Object.entries(asked).filter(([key]) => !key.startsWith('order['))),
  ...sortOrderParams(order),
})

const WAITING = 'No connection. The list will load when you are back online.'

/** Filters that exclude retired or deleted records by default, so `false` is not treated as a filter that was set. */
const PUT_AWAY = new Set(['retired', 'isRetired', 'deleted'])
const isUsual = (key: string, value: unknown) => PUT_AWAY.has(key) && value === 'false'

interface NearProps {
  /** Page number. When it changes, `onNear` may be called again. */
  readonly at: number
  readonly onNear: () => void
  readonly children: ReactNode
}

/** Calls `onNear` when the children scroll into view. */
function Near({ at, onNear, children }: NearProps) {
  const frame = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of position calls it again
  useEffect(() => {
    if (!frame.current) return
    const watched = new IntersectionObserver(([seen]) => seen?.isIntersecting && near())
    watched.observe(frame.current)
    return () => watched.disconnect()
  }, [at])
  return <div ref={frame}>{children}</div>
}
