import type { RouteContext } from '#server/engine/route.ts'
import { typedText } from './sign-in.server.ts'

/** Under https its name keeps a browser from taking one of the same name that came without. */
const isSecure = (c: RouteContext) => !!c.engine.config.publicUrl?.startsWith('https:')
const nameOf = (c: RouteContext) => `${isSecure(c) ? '__Secure-' : ''}stanchion_session`

/** The cookie that renews a browser's session; only the addresses of sign-in get it. */
export const heldCookie = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c)]

/** The header that gives a browser its cookie for some seconds; 0 takes it away. */
export const cookieHeader = (c: RouteContext, value: string, seconds: number): Record<string, string> => ({
  'set-cookie': `${nameOf(c)}=${value}; Path=/api/security; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure(c) ? '; Secure' : ''}`,
})

/** Does the portal's own page ask? Only it can send this header: a form or image of another site can't. */
export function isOwnPage(c: RouteContext): boolean {
  const { headers, host } = c.request
  const origin = headers.origin === undefined ? undefined : URL.parse(typedText(headers.origin))
  const { publicUrl } = c.engine.config
  return (
    headers['x-requested-with'] === 'portal' &&
    (origin === undefined || origin?.host === host || (!!publicUrl && origin?.origin === URL.parse(publicUrl)?.origin))
  )
}
