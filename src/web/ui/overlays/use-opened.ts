import { useMounted } from '@mantine/hooks'
import { useCloseOnBack } from './back.ts'

/**
 * Opens a dialog shortly after its first render. Otherwise, a dialog that is open from the start could not return the
 * focus to the element that had it before. While the dialog is open, Back closes it.
 */
export function useOpenAfterRender(wanted: boolean, close: () => void): boolean {
  useCloseOnBack(wanted, close)
  return useMounted() && wanted
}
