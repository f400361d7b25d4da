import { IconChevronDown } from '@tabler/icons-react'
import css from './data-list.module.css'
import type { Filter } from './filters.ts'
import type { FilterCounts } from './use-counts.ts'

export interface FilterProps {
  readonly filter: Filter
  readonly value: string
  readonly onChange: (value: string) => void
  readonly counted?: FilterCounts | undefined
}

export interface OpenedProps extends FilterProps {
  /** Text of the chip. */
  readonly words: string
}

/** Style of a filter chip, open or closed; `on` if the filter is set. */
export const chipStyle = (on: boolean) => ({
  size: 'compact-md' as const,
  className: css.chip ?? '',
  variant: on ? 'light' : 'default',
  rightSection: <IconChevronDown size={14} aria-hidden />,
})
