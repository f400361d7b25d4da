import { useMediaQuery } from '@mantine/hooks'

/** The phone layout of the specification. */
const PHONE = '(max-width: 599.98px)'

export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
