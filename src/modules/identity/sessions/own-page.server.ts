import { DEVICE_DAYS } from '#server/auth/devices.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { typedText } from './sign-in.server.ts'

/** Under https its name keeps a browser from taking a cookie of the same name that came without. */
const isSecure = (c: RouteContext) => !!c.engine.config.publicUrl?.startsWith('https:')
const nameOf = (c: RouteContext, kind: 'session' | 'device') => `${isSecure(c) ? '__Secure-' : ''}stanchion_${kind}`

/** The secret that renews a browser's session; only the addresses of sign-in get it. */
export const heldSession = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c, 'session')]

/** The secret by which a browser is known that somebody has signed in with. */
export const heldDevice = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c, 'device')]

export const sessionCookie = (c: RouteContext, value: string): string =>
  cookie(c, 'session', value, c.engine.config.sessionHours * 3600)

export const deviceCookie = (c: RouteContext, value: string): string => cookie(c, 'device', value, DEVICE_DAYS * 86_400)

/** Takes the session's secret from the browser; the portal goes on to know the browser. */
export const noSessionCookie = (c: RouteContext): string => cookie(c, 'session', '', 0)

const cookie = (c: RouteContext, kind: 'session' | 'device', value: string, seconds: number) =>
  `${nameOf(c, kind)}=${value}; Path=/api/security; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure(c) ? '; Secure' : ''}`

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
