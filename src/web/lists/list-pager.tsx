import { Group, Pagination } from '@mantine/core'
import { formatInteger } from '#kernel/text.ts'
import css from './data-list.module.css'

interface Props {
  readonly page: number
  readonly size: number
  readonly shown: number
  readonly total: number | undefined
  readonly onPage: (page: number) => void
}

const CONTROL_LABELS: Readonly<Record<string, string>> = {
  next: 'Next page',
  previous: 'Previous page',
  first: 'First page',
  last: 'Last page',
}

/** Range of the rows on screen, the total number of rows, and links to the other pages. */
export function ListPager({ page, size, shown, total, onPage }: Props) {
  const pages = countPages(total, size)
  return (
    <Group justify="space-between" className={css.pager}>
      <span role="status" className={css.count}>
        {describeRowRange(page, size, shown, total)}
      </span>
      {pages > 1 && (
        <nav aria-label="Pages">
          <Pagination
            total={pages}
            value={page}
            onChange={onPage}
            size="sm"
            siblings={1}
            getControlProps={(control) => ({ 'aria-label': CONTROL_LABELS[control] ?? control })}
            getItemProps={(n) => ({ 'aria-label': `Page ${n}` })}
          />
        </nav>
      )}
    </Group>
  )
}

/** Describes the range of the rows on screen: `1–30 of 214` */
export function describeRowRange(page: number, size: number, shown: number, total: number | undefined): string {
  if (shown === 0) return total ? `0 of ${formatInteger(total)}` : 'None'
  const first = (page - 1) * size + 1
  const range = shown === 1 ? formatInteger(first) : `${formatInteger(first)}–${formatInteger(first + shown - 1)}`
  return total === undefined ? range : `${range} of ${formatInteger(total)}`
}

export const countPages = (total: number | undefined, size: number): number =>
  Math.max(1, Math.ceil((total ?? 0) / size))
