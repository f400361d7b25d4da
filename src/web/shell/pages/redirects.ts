export const HOME = '/dashboard'
const SIGN_IN = '/'
export const AFTER_LEAVING = '/crm/contact/list'
export const EXPIRED = 'Expired Session'

/** A redirect target must be a path of this portal: it starts with one slash, and no browser may read it as another host. */
export const isPath = (target: string | null | undefined): target is string =>
  typeof target === 'string' &&
  /^\/(?![/\\])/.test(target) &&
  !target.includes('\\') &&
  !Array.from(target).some(isControl)

/** Browsers drop tabs and line breaks from an address, so "/\t/host" would be "//host". */
const isControl = (c: string) => c < ' '

/** Where to go after sign-in. */
export const afterSignIn = (next: string | null | undefined): string => (isPath(next) && !isSignIn(next) ? next : HOME)

const isSignIn = (path: string) => /^\/(login)?([?#]|$)/.test(path)

/** The sign-in page, to return to `from` afterwards. */
export function signInPath(from: string, expired = false): string {
  const q = [
    ...(expired ? [`error=${encodeURIComponent(EXPIRED)}`] : []),
    ...(isPath(from) && !isSignIn(from) ? [`next=${encodeURIComponent(from)}`] : []),
  ]
  return SIGN_IN + (q.length ? `?${q.join('&')}` : '')
}

/** `/sfp/update/:slug` with `{slug: 'x'}` → `/sfp/update/x`; a part without a value is left out. */
export const fillPath = (path: string, params: Readonly<Record<string, string | undefined>>): string =>
  path.replace(/\/:(\w+)\??/g, (_, name: string) => (params[name] ? `/${encodeURIComponent(params[name])}` : '')) || '/'
