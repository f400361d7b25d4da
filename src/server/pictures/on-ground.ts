import type { Ground } from './ink.ts'
import { pictures } from './make-shown.ts'
import type { LogoShown } from './worker.ts'

/**
 * Renders a logo on the background that it is printed on, and measures how much of it is visible, in another process
 * like all decoding.
 */
export async function onGround(logo: Uint8Array, ground: Ground, clientId?: number): Promise<LogoShown> {
  const answer = await pictures().ask({ logo, ground }, String(clientId ?? ''))
  if ('logo' in answer) return answer.logo
  throw new Error('A logo that was opened before can’t be opened any more')
}
