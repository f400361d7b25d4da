import { useEffect, useState } from 'react'

/**
 * Opens one moment after being drawn, so that a dialog which comes into being open still learns where the focus was, and
 * gives it back.
 */
export function useOpened(wanted: boolean): boolean {
  const [drawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return drawn && wanted
}
