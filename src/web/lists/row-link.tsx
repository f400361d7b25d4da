import { Anchor, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import css from './data-list.module.css'
import { rememberPlace } from './places.ts'

/** How a list opens a record: at an address, or by doing something. */
export interface Opening<T> {
  readonly href?: (row: T) => string
  readonly onOpen?: (row: T) => void
  /** Before it is opened: the pointer or the focus is on it. */
  readonly onNear?: (row: T) => void
}

interface Props<T> extends Opening<T> {
  readonly row: T
  readonly id: string
  readonly children: ReactNode
}

/** The one link or button of a row, which the keyboard goes to. */
export function RowLink<T>({ row, id, href, onOpen, onNear, children }: Props<T>) {
  const { pathname, search } = useLocation()
  const shared = { className: css.rowLink ?? '', 'data-row-link': id, onFocus: () => onNear?.(row) }
  const remember = () => rememberPlace(pathname, { search, row: id, scroll: window.scrollY })
  if (href)
    return (
      <Anchor component={Link} {...shared} underline="hover" to={href(row)} onClick={remember}>
        {children}
      </Anchor>
    )
  if (onOpen)
    return (
      <UnstyledButton
        {...shared}
        onClick={() => {
          remember()
          onOpen(row)
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

/** A press anywhere on a row that is on nothing of its own, and selects no text, opens the record. */
export function pressRow(e: React.MouseEvent) {
  if (!(e.target instanceof HTMLElement) || e.target.closest('a, button, input, label, [role=menu]')) return
  // What a row's own dialog does comes through here too, though it stands elsewhere in the page.
  if (!e.currentTarget.contains(e.target)) return
  if (getSelection()?.toString()) return
  e.currentTarget.querySelector<HTMLElement>('[data-row-link]:is(a, button)')?.click()
}
