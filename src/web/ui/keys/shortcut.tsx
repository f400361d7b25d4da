import type { ReactNode } from 'react'
import css from './shortcut.module.css'

const MAC = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)
const KEY_LABELS: Readonly<Record<string, string>> = {
  mod: MAC ? '⌘' : 'Ctrl',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
}

/** Key caps for a shortcut, written as in `useShortcuts`: `mod+k`, `g d`, `Enter`. Hidden if there is no keyboard. */
export function ShortcutKeys({ keys }: { readonly keys: string }) {
  const caps = keys === ' ' ? [keys] : keys.split(/[+ ]/)
  return (
    <span className={css.keys} aria-hidden>
      {caps.map((cap) => (
        <kbd key={cap} className={css.cap}>
          {KEY_LABELS[cap] ?? (cap.length === 1 ? cap.toUpperCase() : cap)}
        </kbd>
      ))}
    </span>
  )
}

/** Hint about keys. Hidden if there is no keyboard. */
export const KeyHint = ({ children }: { readonly children: ReactNode }) => <span className={css.hint}>{children}</span>
