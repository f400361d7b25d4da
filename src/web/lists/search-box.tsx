import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ShortcutKeys } from '../ui/keys/shortcut.tsx'
import { useShortcuts } from '../ui/keys/shortcuts.ts'
import css from './data-list.module.css'
import {
  createSearchBoxState,
  hasUnsentSearchText,
  isLeavingPage,
  markSearchTextSent,
  receiveSearchText,
} from './search-input.ts'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Moves the focus into the results. `asked` is true if the results are still loading. */
  readonly onDown?: ((asked: boolean) => void) | undefined
  /** Enables keyboard shortcuts. If a page has several lists, enable them for one list only. */
  readonly keys?: boolean
  /** True to show a button that searches immediately. */
  readonly button?: boolean
}

const PAUSE_MS = 250

/**
 * Search box that searches after a short pause in typing. `/` focuses the box, Escape clears it, and ↓ moves into the
 * rows.
 */
export function SearchBox({ label, value, onChange, onDown, keys = true, button = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(() => createSearchBoxState(value))
  if (typed.value !== value) setTyped(receiveSearchText(typed, value))
  const search = (text: string) => {
    const now = { ...typed, text }
    setTyped(markSearchTextSent(now))
    if (hasUnsentSearchText(now)) onChange(text.trim())
  }
  const { pathname } = useLocation()
  const searchLater = useEffectEvent(() => isLeavingPage(pathname) || search(typed.text))

  useEffect(() => {
    if (!hasUnsentSearchText(typed)) return
    const timer = setTimeout(searchLater, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useShortcuts(keys ? [{ keys: '/', label: 'Search the list', run: () => input.current?.focus() }] : [])

  const box = (
    <TextInput
      ref={input}
      className={css.search}
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed.text}
      onChange={(e) => setTyped({ ...typed, text: e.currentTarget.value })}
      onKeyDown={(e) => {
        if (e.key === 'Enter') search(typed.text)
        if (e.key === 'Escape') search('')
        if (e.key !== 'ArrowDown' || !onDown) return
        e.preventDefault()
        const asked = hasUnsentSearchText(typed)
        search(typed.text)
        onDown(asked)
      }}
      rightSectionPointerEvents={typed.text ? 'all' : 'none'}
      rightSection={
        typed.text ? (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => search('')} />
        ) : (
          keys && <ShortcutKeys keys="/" />
        )
      }
    />
  )
  if (!button) return box
  return (
    <div className={css.searchLine}>
      {box}
      <Button variant="default" onClick={() => search(typed.text)}>
        Search
      </Button>
    </div>
  )
}
