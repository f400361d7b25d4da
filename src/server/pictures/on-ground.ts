import type { Ground } from './ink.ts'
import { pictures } from './make-shown.ts'
import type { LogoShown } from './worker.ts'

/** A logo on the ground that it is printed on, and how much of it is seen there: outside this process, as all pictures are opened. */
export async function onGround(logo: Uint8Array, ground: Ground, clientId?: number): Promise<LogoShown> {
  const answer = await pictures().ask({ logo, ground }, String(clientId ?? ''))
  if ('logo' in answer) return answer.logo
  throw new Error('A logo that could be opened once can’t be opened any more')
}
