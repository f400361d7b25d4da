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
  /** What stands on the chip. */
  readonly words: string
}

/** What a filter's chip looks like, opened or not; `on`: it is set to something. */
export const chipStyle = (on: boolean) => ({
  size: 'compact-md' as const,
  className: css.chip ?? '',
  variant: on ? 'light' : 'default',
  rightSection: <IconChevronDown size={14} aria-hidden />,
})
