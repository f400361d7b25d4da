import { useState } from 'react'

/** True once the condition has ever been true, so that content loaded for it stays. */
export function useWasEverTrue(isSo: boolean): boolean {
  const [ever, set] = useState(isSo)
  if (isSo && !ever) set(true)
  return ever || isSo
}
