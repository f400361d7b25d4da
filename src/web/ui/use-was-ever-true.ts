import { useState } from 'react'

/**
 * Returns true once the condition has been true, even if it is false now. Content loaded for the condition therefore
 * stays.
 */
export function useWasEverTrue(isSo: boolean): boolean {
  const [ever, set] = useState(isSo)
  if (isSo && !ever) set(true)
  return ever || isSo
}
