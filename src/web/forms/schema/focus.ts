const INPUTS =
  'input:not([type=hidden]):not(:disabled), textarea, [contenteditable=true], select, button:not(:disabled)'

/** Focuses the first of these that is in the element of that id, once it has been drawn. */
export function focusIn(id: string, wanted = INPUTS): void {
  const look = (left: number) => {
    const found = document.getElementById(id)?.querySelector<HTMLElement>(wanted)
    if (found) {
      found.scrollIntoView({ block: 'center' })
      found.focus({ preventScroll: true })
    } else if (left > 0) requestAnimationFrame(() => look(left - 1))
  }
  requestAnimationFrame(() => look(30))
}
