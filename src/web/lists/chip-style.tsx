import { IconChevronDown } from '@tabler/icons-react'
import css from './data-list.module.css'
import type { ListFilter } from './filters.ts'
import type { FilterCounts } from './use-counts.ts'

export interface FilterChipProps {
  readonly filter: ListFilter
  readonly value: string
  readonly onChange: (value: string) => void
  readonly counted?: FilterCounts | undefined
}

export interface FilterEditorProps extends FilterChipProps {
  /** Text of the chip. */
  readonly words: string
}

/** Returns the style of a filter chip, open or closed. `on` is true if the filter is set. */
export const filterChipStyle = (on: boolean) => ({
  size: 'compact-md' as const,
  className: css.chip ?? '',
  variant: on ? 'light' : 'default',
  rightSection: <IconChevronDown size={14} aria-hidden />,
})
