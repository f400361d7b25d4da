import type { RouteContext } from '#server/engine/route.ts'
import { typedText } from './sign-in.server.ts'

const COOKIE = 'stanchion_session'

/** The cookie that renews a browser's session; only the addresses of sign-in get it. */
export const heldCookie = (c: RouteContext): string | undefined => c.request.cookies[COOKIE]

/** The header that gives a browser its cookie for some seconds; 0 takes it away. */
export const cookieHeader = (c: RouteContext, value: string, seconds: number): Record<string, string> => ({
  'set-cookie': `${COOKIE}=${value}; Path=/api/security; HttpOnly; SameSite=Strict; Max-Age=${seconds}${c.engine.config.publicUrl?.startsWith('https:') ? '; Secure' : ''}`,
})

/** Does the portal's own page ask? Only it can send this header: a form or image of another site can't. */
export function isOwnPage(c: RouteContext): boolean {
  const { origin, ...headers } = c.request.headers
  const host = headers['x-forwarded-host'] ?? headers.host
  return (
    headers['x-requested-with'] === 'portal' &&
    (origin === undefined || origin === c.engine.config.publicUrl || URL.parse(typedText(origin))?.host === host)
  )
}
