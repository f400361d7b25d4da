import { useMounted } from '@mantine/hooks'
import { useBackCloses } from './back.ts'

/**
 * Opens one moment after being drawn, so that a dialog which comes into being open still learns where the focus was, and
 * gives it back. While it is open, Back closes it.
 */
export function useOpened(wanted: boolean, close: () => void): boolean {
  useBackCloses(wanted, close)
  return useMounted() && wanted
}
