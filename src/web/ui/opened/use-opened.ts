import { useMounted } from '@mantine/hooks'
import { useBackCloses } from './back.ts'

/**
 * Opens shortly after being drawn, so that a dialog that is open from the start still knows where the focus was and
 * returns it. While it is open, Back closes it.
 */
export function useOpened(wanted: boolean, close: () => void): boolean {
  useBackCloses(wanted, close)
  return useMounted() && wanted
}
