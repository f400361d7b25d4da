/** Pointers that are pressed on something, and what waits until they are let go. */
export function watchPresses(on: Pick<EventTarget, 'addEventListener'> | undefined) {
  let isPressed = false
  const waiting = new Set<() => void>()
  const letGo = () => {
    isPressed = false
    // The click comes first: what it was meant for is still where it was.
    setTimeout(() => {
      if (isPressed) return
      const now = [...waiting]
      waiting.clear()
      for (const act of now) act()
    })
  }
  on?.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const over of ['pointerup', 'pointercancel']) on?.addEventListener(over, letGo, true)
  /** Does it now, or once nothing is pressed any more. */
  return (act: () => void): void => {
    if (isPressed) waiting.add(act)
    else act()
  }
}

/**
 * What is said of a form comes and goes a moment after a keystroke, and when a field is left, which pressing a button does: the button
 * would move from under the pointer, and its click be lost.
 */
export const afterPress = watchPresses(typeof document === 'undefined' ? undefined : document)
