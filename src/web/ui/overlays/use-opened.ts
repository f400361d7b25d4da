import { useMounted } from '@mantine/hooks'
import { useCloseOnBack } from './back.ts'

/**
 * Opens a dialog shortly after its first render, so that a dialog that is open from the start can still return the
 * focus to its former element. While it is open, Back closes it.
 */
export function useOpenAfterRender(wanted: boolean, close: () => void): boolean {
  useCloseOnBack(wanted, close)
  return useMounted() && wanted
}
