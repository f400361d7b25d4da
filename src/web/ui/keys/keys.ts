export interface ShortcutDefinition {
  /**
   * Keys of the shortcut: `j`, `Enter`, `?`, or `mod+k` (Ctrl, or Cmd on a Mac). `g d` means one key after the other.
   */
  readonly keys: string
  readonly label: string
  readonly run: () => void
  /** Whether the shortcut also works while the person is typing in a field. Only for `mod+…` shortcuts. */
  readonly always?: boolean
}

export interface KeyPress {
  readonly key: string
  readonly mod: boolean
  readonly alt: boolean
  /** Whether the focus is in a text field. */
  readonly typing: boolean
  /** Whether the focus is on a button or link, which handles Enter and Space itself. */
  readonly onControl: boolean
  /** Whether the focus is in radio buttons, tabs, a menu or a similar widget, which handles the arrow keys itself. */
  readonly inWidget: boolean
  /** Whether a dialog, a menu or a list is open above the page. */
  readonly layered: boolean
  /** Whether the key is held down. */
  readonly repeat: boolean
}

const WALKS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

const nameOf = (p: KeyPress) => (p.mod ? `mod+${p.key.toLowerCase()}` : p.key)

/** Finds the shortcut for a key press. If several match, the newest is returned. `before` is the previous key. */
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
  // Holding down Escape closes only one layer, and not the layer below it.
  if (p.repeat && name === 'Escape') return undefined
  const wanted = [...(before ? [`${before} ${name}`] : []), name]
  for (const keys of wanted) {
    const found = shortcuts.findLast((s) => s.keys === keys && (!p.mod || s.always || (!p.typing && !p.layered)))
    if (found) return found
  }
  return undefined
}
