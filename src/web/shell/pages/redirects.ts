import { hasTaskSiteOnly, TASK_SITE_PATH } from '#kernel/roles.ts'

export const HOME_PATH = '/dashboard'
const SIGN_IN = '/'
export const PATH_AFTER_IMPERSONATION = '/crm/contact/list'
export const EXPIRED_SESSION_REASON = 'Expired Session'

/**
 * Returns true if a redirect target is a path in this portal. It must start with a single slash, and no browser may
 * interpret it as another host.
 */
export const isLocalPath = (target: string | null | undefined): target is string =>
  typeof target === 'string' &&
  /^\/(?![/\\])/.test(target) &&
  !target.includes('\\') &&
  !Array.from(target).some(isControl)

/** Browsers remove tabs and line breaks from a URL, so "/\t/host" would become "//host". */
const isControl = (c: string) => c < ' '

/**
 * Returns the path to open after sign-in: `next`, or the user's home page if `next` is missing, unsafe or a sign-in
 * page. Employees without another role start in My-Task.
 */
export const pathAfterSignIn = (
  next: string | null | undefined,
  user: { readonly roles: readonly string[] } | undefined,
): string => (isLocalPath(next) && !isSignIn(next) ? next : hasTaskSiteOnly(user) ? TASK_SITE_PATH : HOME_PATH)

const isSignIn = (path: string) => /^\/(login)?([?#]|$)/.test(path)

/** Returns the URL of the sign-in page, which leads back to `from` after sign-in. */
export function signInPath(from: string, expired = false): string {
  const q = [
    ...(expired ? [`error=${encodeURIComponent(EXPIRED_SESSION_REASON)}`] : []),
    ...(isLocalPath(from) && !isSignIn(from) ? [`next=${encodeURIComponent(from)}`] : []),
  ]
  return SIGN_IN + (q.length ? `?${q.join('&')}` : '')
}

/**
 * Fills in the parameters of a path: `/sfp/update/:slug` with `{slug: 'x'}` → `/sfp/update/x`. Parameters that have no
 * value are removed.
 */
export const fillPathParams = (path: string, params: Readonly<Record<string, string | undefined>>): string =>
  path.replace(/\/:(\w+)\??/g, (_, name: string) => (params[name] ? `/${encodeURIComponent(params[name])}` : '')) || '/'
