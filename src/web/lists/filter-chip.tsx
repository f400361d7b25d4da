import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useLinkedRecordName } from '../forms/use-choices.ts'
import { nameOfLink } from '../forms/values.ts'
import { lazyComponent } from '../ui/lazily.tsx'
import { LazyTrigger } from '../ui/when-wanted.tsx'
import { type FilterChipProps, filterChipStyle } from './chip-style.tsx'
import css from './data-list.module.css'
import { filterValueToIri, type ListFilter } from './filters.ts'

const opened = () => import('./opened-filter.tsx')
const OpenedFilter = lazyComponent(opened)

/** Filter chip: shows the value, opens for editing, and can be removed. */
export function FilterChip(props: FilterChipProps) {
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

/** Value of a filter in words; undefined if it is off. */
function useWords(filter: ListFilter, value: string): string | undefined {
  const iri = filter.options ? null : filterValueToIri(filter, value)
  const name = useLinkedRecordName(filter.target, iri, filter.target && nameOfLink(filter.target, undefined))
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
