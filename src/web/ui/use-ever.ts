import { useState } from 'react'

/** Whether something is so, or has been: what came for it stays. */
export function useEver(isSo: boolean): boolean {
  const [ever, set] = useState(isSo)
  if (isSo && !ever) set(true)
  return ever || isSo
}
