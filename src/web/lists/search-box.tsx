import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Shortcut } from '../ui/shortcut.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import css from './data-list.module.css'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Of several lists on a page, one has the keys. */
  readonly keys?: boolean
}

const PAUSE_MS = 250

/** Searches as one types, after a short pause; `/` comes here, Escape empties it. */
export function SearchBox({ label, value, onChange, keys = true }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ text: value, value })
  if (typed.value !== value) setTyped({ text: value, value })
  const send = useEffectEvent(onChange)

  useEffect(() => {
    if (typed.text === typed.value) return
    const timer = setTimeout(() => send(typed.text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useShortcuts(keys ? [{ keys: '/', label: 'Search the list', run: () => input.current?.focus() }] : [])

  return (
    <TextInput
      ref={input}
      className={css.search}
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed.text}
      onChange={(e) => setTyped({ text: e.currentTarget.value, value })}
      onKeyDown={(e) => {
        if (e.key === 'Enter') onChange(typed.text.trim())
        if (e.key === 'Escape' && typed.text) onChange('')
        if (e.key === 'Escape') setTyped({ text: '', value })
      }}
      rightSectionPointerEvents={typed.text ? 'all' : 'none'}
      rightSection={
        typed.text ? (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => onChange('')} />
        ) : (
          keys && <Shortcut keys="/" />
        )
      }
    />
  )
}
