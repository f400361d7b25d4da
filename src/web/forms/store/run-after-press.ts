/** Creates a function that tracks pressed pointers, and delays actions until all pointers are released. */
export function createPointerReleaseRunner(on: Pick<EventTarget, 'addEventListener'> | undefined) {
  let isPressed = false
  const waiting = new Set<() => void>()
  const letGo = () => {
    isPressed = false
    // The delay lets the browser handle the click first, while the clicked element is still in place.
    setTimeout(() => {
      if (isPressed) return
      const now = [...waiting]
      waiting.clear()
      for (const act of now) act()
    })
  }
  on?.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const over of ['pointerup', 'pointercancel']) on?.addEventListener(over, letGo, true)
  /** Runs the action immediately if no pointer is pressed, otherwise once all pointers are released. */
  return (act: () => void): void => {
    if (isPressed) waiting.add(act)
    else act()
  }
}

/**
 * Runs an action once no pointer is pressed. Error messages appear and disappear when a field loses the focus, which
 * also happens when a button is pressed. The delay keeps the button under the pointer, so that the click is not lost.
 */
export const runAfterPointerRelease = createPointerReleaseRunner(typeof document === 'undefined' ? undefined : document)
