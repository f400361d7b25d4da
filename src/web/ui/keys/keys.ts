export interface ShortcutDefinition {
  /** `j`, `Enter`, `?`, `mod+k` (Ctrl, or Cmd on a Mac); `g d` is one key after the other. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
  /** Whether the shortcut also works while typing: for `mod+…` only. */
  readonly always?: boolean
}

export interface KeyPress {
  readonly key: string
  readonly mod: boolean
  readonly alt: boolean
  /** Whether the focus is in a text field. */
  readonly typing: boolean
  /** Whether the focus is on a button or link, which uses Enter and Space itself. */
  readonly onControl: boolean
  /** Whether the focus is in radios, tabs, a menu or similar, which use the arrow keys. */
  readonly inWidget: boolean
  /** Whether a dialog, a menu or a list is above the page. */
  readonly layered: boolean
  /** Whether the key is held down. */
  readonly repeat: boolean
}

const WALKS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

const nameOf = (p: KeyPress) => (p.mod ? `mod+${p.key.toLowerCase()}` : p.key)

/** Finds the shortcut for a key press, the newest first; `before` is the previous key. */
export function findShortcut(
  shortcuts: readonly ShortcutDefinition[],
  p: KeyPress,
  before: string | undefined,
  single: boolean,
): ShortcutDefinition | undefined {
  if (p.alt) return undefined
  const name = nameOf(p)
  if (!p.mod && (!single || p.typing || p.layered)) return undefined
  if (p.onControl && (name === 'Enter' || name === ' ')) return undefined
  if (p.inWidget && WALKS.has(name)) return undefined
  // Holding down Escape to close one layer does not close the next.
  if (p.repeat && name === 'Escape') return undefined
  const wanted = [...(before ? [`${before} ${name}`] : []), name]
  for (const keys of wanted) {
    const found = shortcuts.findLast((s) => s.keys === keys && (!p.mod || s.always || (!p.typing && !p.layered)))
    if (found) return found
  }
  return undefined
}
