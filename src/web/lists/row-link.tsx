import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './data-list.module.css'
import { storeListPosition } from './pager/list-position.ts'
import { startRecordPager } from './pager/record-pager.ts'

/** How a list opens a record: by address or with a handler. */
export interface RowNavigation<T> {
  readonly href?: (row: T) => string
  readonly onOpen?: (row: T) => void
  /** Called when the pointer or the focus is on the record, before it is opened. */
  readonly onNear?: (row: T) => void
}

interface Props {
  readonly id: string
  readonly to: string | undefined
  /** Follows the link. */
  readonly go: (to: string) => void
  readonly onOpen: (() => void) | undefined
  readonly onNear: () => void
  readonly children: ReactNode
}

/** Clicks that the browser handles itself: new tab, context menu. */
const isItsOwn = (e: React.MouseEvent) => e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey

/**
 * The only link or button of a row, and its keyboard target. It is no router link, which would re-render with every
 * change of address.
 */
export function RowLink({ id, to, go, onOpen, onNear, children }: Props) {
  const shared = { className: css.rowLink ?? '', 'data-row-link': id, onFocus: onNear }
  if (to !== undefined)
    return (
      <a
        {...shared}
        href={to}
        onClick={(e) => {
          if (isItsOwn(e)) return
          e.preventDefault()
          remember(id)
          go(to)
        }}
      >
        {children}
      </a>
    )
  if (onOpen)
    return (
      <UnstyledButton
        {...shared}
        onClick={() => {
          remember(id)
          onOpen()
        }}
      >
        {children}
      </UnstyledButton>
    )
  return (
    <span {...shared} tabIndex={-1}>
      {children}
    </span>
  )
}

function remember(row: string): void {
  const { pathname, search } = location
  storeListPosition(pathname, { search, row, scroll: window.scrollY })
  startRecordPager(pathname, search, row)
}

/** Opens the record on a click anywhere on its row, except on controls and while text is selected. */
export function handleRowClick(e: React.MouseEvent) {
  if (!(e.target instanceof HTMLElement) || e.target.closest('a, button, input, label, [role=menu]')) return
  // Clicks in a row's dialog bubble up to here, although it is rendered elsewhere.
  if (!e.currentTarget.contains(e.target)) return
  if (getSelection()?.toString()) return
  e.currentTarget.querySelector<HTMLElement>('[data-row-link]:is(a, button)')?.click()
}
