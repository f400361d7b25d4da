import { useLocation } from 'react-router'

/** Path prefixes of the three branded sign-in pages. */
export type SignInPrefix = '' | '/external' | '/external/reseller'

const brandOf = (pathname: string): SignInPrefix =>
  pathname.startsWith('/external/reseller') ? '/external/reseller' : pathname.startsWith('/external') ? '/external' : ''

export const signInPagePath = (brand: SignInPrefix): string => (brand ? `${brand}/login` : '/')

export const useSignInPrefix = (): SignInPrefix => brandOf(useLocation().pathname)
