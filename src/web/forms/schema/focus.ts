const INPUTS =
  'input:not([type=hidden]):not(:disabled), textarea, [contenteditable=true], select, button:not(:disabled)'

/** Maximum time in milliseconds to wait for an element, enough for a step to load over a slow connection. */
const STEP_LOAD_TIMEOUT_MS = 15_000

/**
 * Focuses the first (or nth) matching element inside the element with the given ID. Waits until the matching element is
 * rendered, because a step may have to load its input first. Gives up once the person does something else. An element
 * that represents several paths lists their IDs in `data-at`.
 */
export function focusElementIn(id: string, wanted = INPUTS, nth = 0): void {
  const until = performance.now() + STEP_LOAD_TIMEOUT_MS
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
