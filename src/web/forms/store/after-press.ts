/** Tracks pressed pointers, and runs actions once they are released. */
export function watchPresses(on: Pick<EventTarget, 'addEventListener'> | undefined) {
  let isPressed = false
  const waiting = new Set<() => void>()
  const letGo = () => {
    isPressed = false
    // The click comes first, while its target is still in place.
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
 * Messages of a form appear and disappear after a keystroke or when a field is left, which also happens when a button
 * is pressed: the delay keeps the button under the pointer, so that its click is not lost.
 */
export const runAfterPress = watchPresses(typeof document === 'undefined' ? undefined : document)
