import { useMediaQuery } from '@mantine/hooks'

/** Media query for the specification's phone layout. */
const PHONE = '(max-width: 599.98px)'

export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
