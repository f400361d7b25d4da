const INPUTS =
  'input:not([type=hidden]):not(:disabled), textarea, [contenteditable=true], select, button:not(:disabled)'

/** Focuses the first of these that is in the element of that id (or the nth), once it has been drawn. An element that stands for several places names their ids in `data-at`. */
export function focusIn(id: string, wanted = INPUTS, nth = 0): void {
  const look = (left: number) => {
    const place = document.getElementById(id) ?? document.querySelector(`[data-at~=${JSON.stringify(id)}]`)
    const found = place?.querySelectorAll<HTMLElement>(wanted)[nth]
    if (found) {
      found.scrollIntoView({ block: 'center' })
      found.focus({ preventScroll: true })
    } else if (left > 0) requestAnimationFrame(() => look(left - 1))
  }
  requestAnimationFrame(() => look(30))
}
