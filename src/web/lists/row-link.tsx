import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './data-list.module.css'
import { rememberListPosition } from './pager/list-position.ts'
import { startPager } from './pager/record-pager.ts'

/** How a list opens a record: at an address, or by doing something. */
export interface Opening<T> {
  readonly href?: (row: T) => string
  readonly onOpen?: (row: T) => void
  /** Before it is opened: the pointer or the focus is on it. */
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

/** A press that the browser itself has something to do with: another tab, a menu. */
const isItsOwn = (e: React.MouseEvent) => e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey

/**
 * The one link or button of a row, which the keyboard goes to. A link of the router's would be drawn again with each change of the
 * address.
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
  rememberListPosition(pathname, { search, row, scroll: window.scrollY })
  startPager(pathname, search, row)
}

/** A press anywhere on a row that is on nothing of its own, and selects no text, opens the record. */
export function pressRow(e: React.MouseEvent) {
  if (!(e.target instanceof HTMLElement) || e.target.closest('a, button, input, label, [role=menu]')) return
  // What a row's own dialog does comes through here too, though it stands elsewhere in the page.
  if (!e.currentTarget.contains(e.target)) return
  if (getSelection()?.toString()) return
  e.currentTarget.querySelector<HTMLElement>('[data-row-link]:is(a, button)')?.click()
}
