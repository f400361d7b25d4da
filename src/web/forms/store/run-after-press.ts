/** Tracks pressed pointers, and delays actions until they are released. */
export function createPointerReleaseRunner(on: Pick<EventTarget, 'addEventListener'> | undefined) {
  let isPressed = false
  const waiting = new Set<() => void>()
  const letGo = () => {
    isPressed = false
    // The click is handled first, while its target is still in place.
    setTimeout(() => {
      if (isPressed) return
      const now = [...waiting]
      waiting.clear()
      for (const act of now) act()
    })
  }
  on?.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const over of ['pointerup', 'pointercancel']) on?.addEventListener(over, letGo, true)
  /** Runs the action now, or once no pointer is pressed. */
  return (act: () => void): void => {
    if (isPressed) waiting.add(act)
    else act()
  }
}

/**
 * Runs an action once no pointer is pressed. Messages of a form appear and disappear when a field loses the focus,
 * which also happens when a button is pressed: the delay keeps the button under the pointer, so that its click is not
 * lost.
 */
export const runAfterPointerRelease = createPointerReleaseRunner(typeof document === 'undefined' ? undefined : document)
