import type { LogoBackground } from './ink.ts'
import { picturePool } from './make-shown.ts'
import type { RenderedLogo } from './worker.ts'

/**
 * Renders a logo on the background that it is printed on, and measures how much of it is visible, in another process
 * like all decoding.
 */
export async function renderLogoOnBackground(
  logo: Uint8Array,
  ground: LogoBackground,
  clientId?: number,
): Promise<RenderedLogo> {
  const answer = await picturePool().ask({ logo, ground }, String(clientId ?? ''))
  if ('logo' in answer) return answer.logo
  throw new Error('A logo that was opened before can’t be opened any more')
}
