import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { requestBytes } from '#server/outgoing.ts'
import { INVOICING_PACK } from '../rights.ts'

/** Accepted image types, recognised by their first bytes. */
const TYPES: readonly (readonly [string, (b: Buffer) => boolean])[] = [
  ['image/gif', (b) => /^GIF8[79]a/.test(b.toString('latin1', 0, 6))],
  ['image/webp', (b) => b.toString('latin1', 0, 4) === 'RIFF' && b.toString('latin1', 8, 12) === 'WEBP'],
  ['image/png', (b) => b.toString('latin1', 1, 4) === 'PNG'],
]
const MAX_BYTES = 3_000_000
const WAIT_MS = 4000

/** Fetches an animation from the service. Returns undefined if the response is late, too large or not an image. */
async function fetchPicture(address: string): Promise<readonly [string, Buffer] | undefined> {
  try {
    const { bytes } = await requestBytes(address, { headers: {}, timeoutMs: WAIT_MS, most: MAX_BYTES })
    const type = bytes && TYPES.find(([, fits]) => fits(bytes))?.[0]
    return bytes && type ? [type, bytes] : undefined
  } catch {
    return undefined
  }
}

/**
 * Route that returns an animation for a sale from the service set in `APPLAUSE_URL` (specification, section 1). Returns
 * 204 if no service is configured or available, because the screen has its own animation. The browser never learns the
 * service's URL, and the service never learns who sold what.
 */
const applauseRoute: Route = {
  method: 'GET',
  path: '/api/financial/applause',
  title: 'Get an animation to celebrate a sale',
  allow: 'ROLE_STAFF',
  file: ['image/gif', 'image/webp', 'image/png'],
  handle: async (c) => {
    const { applauseUrl } = c.engine.config
    const found = applauseUrl ? await fetchPicture(applauseUrl) : undefined
    if (!found) return new RouteResponse(204, '')
    const [type, bytes] = found
    return new RouteResponse(200, bytes, {
      'content-type': type,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  },
}

export const congratulations = feature({
  pack: INVOICING_PACK,
  routes: [applauseRoute],
})
