export interface Shortcut {
  /** `j`, `Enter`, `?`, `mod+k` (Ctrl, or Cmd on a Mac); `g d` is one key after the other. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
  /** Also while typing: for `mod+…` only. */
  readonly always?: boolean
}

export interface Pressed {
  readonly key: string
  readonly mod: boolean
  readonly alt: boolean
  /** The keys went into a field. */
  readonly typing: boolean
  /** On a button or link, which has Enter and Space for itself. */
  readonly onControl: boolean
  /** Inside radios, tabs, a menu or the like, which arrows walk through. */
  readonly inWidget: boolean
  /** A dialog, a menu or a list stands above the page. */
  readonly layered: boolean
  /** The key is held down. */
  readonly repeat: boolean
}

const WALKS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

const nameOf = (p: Pressed) => (p.mod ? `mod+${p.key.toLowerCase()}` : p.key)

/** The shortcut that a key press means, the newest first; `before` is the key pressed just before it. */
export function shortcutFor(
  shortcuts: readonly Shortcut[],
  p: Pressed,
  before: string | undefined,
  single: boolean,
): Shortcut | undefined {
  if (p.alt) return undefined
  const name = nameOf(p)
  if (!p.mod && (!single || p.typing || p.layered)) return undefined
  if (p.onControl && (name === 'Enter' || name === ' ')) return undefined
  if (p.inWidget && WALKS.has(name)) return undefined
  // Who holds it down to close one thing does not close the next.
  if (p.repeat && name === 'Escape') return undefined
  const wanted = [...(before ? [`${before} ${name}`] : []), name]
  for (const keys of wanted) {
    const found = shortcuts.findLast((s) => s.keys === keys && (!p.mod || s.always || (!p.typing && !p.layered)))
    if (found) return found
  }
  return undefined
}
