import { DEVICE_RETENTION_DAYS } from '#server/auth/devices.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { typedText } from './sign-in.server.ts'

/** With https the name prefix stops a browser from accepting an insecure cookie of the same name. */
const isSecure = (c: RouteContext) => !!c.engine.config.publicUrl?.startsWith('https:')
const nameOf = (c: RouteContext, kind: 'session' | 'device') => `${isSecure(c) ? '__Secure-' : ''}stanchion_${kind}`

/** Session secret of a browser; sent only to the sign-in addresses. */
export const sessionSecretOf = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c, 'session')]

/** Secret that identifies a known browser. */
export const deviceSecretOf = (c: RouteContext): string | undefined => c.request.cookies[nameOf(c, 'device')]

export const sessionCookie = (c: RouteContext, value: string): string =>
  cookie(c, 'session', value, c.engine.config.sessionHours * 3600)

export const deviceCookie = (c: RouteContext, value: string): string =>
  cookie(c, 'device', value, DEVICE_RETENTION_DAYS * 86_400)

/** Deletes the session cookie; the browser stays known. */
export const expiredSessionCookie = (c: RouteContext): string => cookie(c, 'session', '', 0)

const cookie = (c: RouteContext, kind: 'session' | 'device', value: string, seconds: number) =>
  `${nameOf(c, kind)}=${value}; Path=/api/security; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure(c) ? '; Secure' : ''}`

/** True if the portal's own page sent the request: only it can set this header, not a form or image of another site. */
export function isOwnPage(c: RouteContext): boolean {
  const { headers, host } = c.request
  const origin = headers.origin === undefined ? undefined : URL.parse(typedText(headers.origin))
  const { publicUrl } = c.engine.config
  return (
    headers['x-requested-with'] === 'portal' &&
    (origin === undefined || origin?.host === host || (!!publicUrl && origin?.origin === URL.parse(publicUrl)?.origin))
  )
}
