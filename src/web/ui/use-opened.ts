import { useMounted } from '@mantine/hooks'

/**
 * Opens one moment after being drawn, so that a dialog which comes into being open still learns where the focus was, and
 * gives it back.
 */
export const useOpened = (wanted: boolean): boolean => useMounted() && wanted
