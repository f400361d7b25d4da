import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { valueText } from '../forms/words.ts'
import css from './data-list.module.css'
import { FilterChip } from './filter-chip.tsx'
import type { ListFilter } from './filters.ts'
import { SearchBox } from './search-box.tsx'
import type { FilterCounts } from './use-counts.ts'

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
  /** Moves from the search box into the rows. */
  readonly onDown?: (asked: boolean) => void
  readonly counted?: FilterCounts | undefined
}

/** Search, filters and actions of a list. */
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
  return (
    <Group className={css.toolbar} gap="xs" data-no-print>
      {search && (
        <SearchBox label={search} value={q} onChange={(text) => onChange({ q: text })} onDown={onDown} keys={keys} />
      )}
      {filters.map((f) => (
        <FilterChip
          key={f.key}
          filter={f}
          value={valueText(values[f.key])}
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
      {(actions || extras) && (
        <div className={css.toolbarEnd}>
          {extras}
          {actions}
        </div>
      )}
    </Group>
  )
}
