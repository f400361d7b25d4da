import { useLocation } from 'react-router'

/** The three doors, and the folder that each one's pages are in. */
export type Brand = '' | '/external' | '/external/reseller'

const brandOf = (pathname: string): Brand =>
  pathname.startsWith('/external/reseller') ? '/external/reseller' : pathname.startsWith('/external') ? '/external' : ''

/** The sign-in page of a door. */
export const doorOf = (brand: Brand): string => (brand ? `${brand}/login` : '/')

export const useBrand = (): Brand => brandOf(useLocation().pathname)
