const INPUTS =
  'input:not([type=hidden]):not(:disabled), textarea, [contenteditable=true], select, button:not(:disabled)'

/** Long enough for what a step loads when it is first opened, on a poor line. */
const PATIENCE_MS = 15_000

/**
 * Focuses the first of these that is in the element of that id (or the nth), once it has been drawn: a step may load its own input
 * first. Whoever does something else meanwhile stays where they are. An element that stands for several places names their ids in `data-at`.
 */
export function focusIn(id: string, wanted = INPUTS, nth = 0): void {
  const until = performance.now() + PATIENCE_MS
  const elsewhere = new AbortController()
  for (const act of ['keydown', 'pointerdown'] as const)
    addEventListener(act, () => elsewhere.abort(), { capture: true, signal: elsewhere.signal })
  const look = () => {
    if (elsewhere.signal.aborted) return
    const place = document.getElementById(id) ?? document.querySelector(`[data-at~=${JSON.stringify(id)}]`)
    const found = place?.querySelectorAll<HTMLElement>(wanted)[nth]
    if (!found && performance.now() < until) return void requestAnimationFrame(look)
    elsewhere.abort()
    found?.scrollIntoView({ block: 'center' })
    found?.focus({ preventScroll: true })
  }
  requestAnimationFrame(look)
}
