import { useMounted } from '@mantine/hooks'
import { useCloseOnBack } from './back.ts'

/**
 * Opens shortly after being drawn, so that a dialog that is open from the start still knows where the focus was and
 * returns it. While it is open, Back closes it.
 */
export function useOpenAfterDraw(wanted: boolean, close: () => void): boolean {
  useCloseOnBack(wanted, close)
  return useMounted() && wanted
}
