import { Button, Group } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useLinkedRecordName } from '../forms/use-choices.ts'
import { linkedRecordName } from '../forms/values.ts'
import { formatPlainValue } from '../forms/words.ts'
import { useIsPhone } from '../ui/is-phone.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LazyTrigger } from '../ui/lazy-trigger.tsx'
import { type FilterChipProps, filterChipStyle } from './chip-style.tsx'
import css from './data-list.module.css'
import type { ListFilter } from './filters.ts'
import { filterValueToIri } from './filters.ts'
import { SearchBox } from './search-box.tsx'
import type { FilterCounts } from './use-counts.ts'

const opened = () => import('./filter-editor.tsx')
const OpenedFilter = lazyComponent(opened)

/** Filter chip. It shows the filter's value, opens for editing, and can be removed. */
function FilterChip(props: FilterChipProps) {
  const { filter, value, onChange } = props
  const set = useWords(filter, value)
  const words = set === undefined ? filter.label : `${filter.label}: ${set}`
  return (
    <span className={css.chipPair} data-set={set !== undefined || undefined}>
      <LazyTrigger
        load={opened}
        closed={(wanted) => (
          <Button
            {...filterChipStyle(set !== undefined)}
            {...wanted}
            aria-haspopup={filter.options ? 'listbox' : 'dialog'}
          >
            {words}
          </Button>
        )}
      >
        <OpenedFilter {...props} words={words} />
      </LazyTrigger>
      {set !== undefined && <TakeOff label={filter.label} onClick={() => onChange('')} />}
    </span>
  )
}

/** Returns the value of a filter as text; undefined if the filter is not set. */
function useWords(filter: ListFilter, value: string): string | undefined {
  const iri = filter.options ? null : filterValueToIri(filter, value)
  const name = useLinkedRecordName(filter.target, iri, filter.target && linkedRecordName(filter.target, undefined))
  if (filter.options) return filter.options.find((o) => o.value === value)?.label
  return iri === null ? undefined : (name ?? '…')
}

const TakeOff = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <Button
    size="compact-md"
    variant="light"
    className={css.takeOff}
    aria-label={`Remove filter ${label}`}
    onClick={onClick}
  >
    <IconX size={14} aria-hidden />
  </Button>
)

interface Props {
  readonly search: string | undefined
  readonly q: string
  readonly filters: readonly ListFilter[]
  readonly values: Readonly<Record<string, unknown>>
  readonly onChange: (change: Readonly<Record<string, string>>) => void
  readonly actions?: ReactNode
  /** Menus for views, columns and export. */
  readonly extras?: ReactNode
  readonly keys?: boolean
  /** Moves the focus from the search box into the rows. `asked` is true if the results are still loading. */
  readonly onDown?: (asked: boolean) => void
  readonly counted?: FilterCounts | undefined
}

/**
 * Toolbar of a list: search, filters and actions. On a phone, one button shows the filters and menus, so that the first
 * record is on the screen.
 */
export function ListToolbar({
  search,
  q,
  filters,
  values,
  onChange,
  actions,
  extras,
  keys = true,
  onDown,
  counted,
}: Props) {
  const set = filters.filter((f) => values[f.key])
  const phone = useIsPhone()
  const [open, setOpen] = useState(false)
  const id = useId()
  const isFolded = phone && filters.length > 0
  const chips = (
    <>
      {filters.map((f) => (
        <FilterChip
          key={f.key}
          filter={f}
          value={formatPlainValue(values[f.key])}
          counted={counted}
          onChange={(value) => onChange({ [f.key]: value })}
        />
      ))}
      {set.length > 1 && (
        <Button
          size="compact-md"
          variant="subtle"
          onClick={() => onChange(Object.fromEntries(set.map((f) => [f.key, ''])))}
        >
          Clear filters
        </Button>
      )}
    </>
  )
  return (
    <Group className={css.toolbar} gap="xs" data-no-print>
      {search && (
        <SearchBox label={search} value={q} onChange={(text) => onChange({ q: text })} onDown={onDown} keys={keys} />
      )}
      {isFolded && (
        <Button
          variant={set.length ? 'light' : 'default'}
          className={css.filters}
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {set.length ? `Filters (${set.length})` : 'Filters'}
        </Button>
      )}
      {isFolded ? (
        <Group id={id} gap="xs" hidden={!open} className={css.folded}>
          {chips}
          {extras && <div className={css.toolbarEnd}>{extras}</div>}
        </Group>
      ) : (
        chips
      )}
      {(isFolded ? actions : extras || actions) && (
        <div className={css.toolbarEnd}>
          {!isFolded && extras}
          {actions}
        </div>
      )}
    </Group>
  )
}
