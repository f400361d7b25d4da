import { useLocation } from 'react-router'

/** Path prefixes of the three sign-in pages. */
export type Brand = '' | '/external' | '/external/reseller'

const brandOf = (pathname: string): Brand =>
  pathname.startsWith('/external/reseller') ? '/external/reseller' : pathname.startsWith('/external') ? '/external' : ''

/** Path of a sign-in page. */
export const doorOf = (brand: Brand): string => (brand ? `${brand}/login` : '/')

export const useBrand = (): Brand => brandOf(useLocation().pathname)
