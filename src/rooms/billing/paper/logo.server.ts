import { readLogo, readPictures } from '#rooms/portal/offers.server.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Picture } from '#server/pdf/furniture.ts'

/** Where the logo of whoever sells is kept; `undefined` without one. */
export const findLogo = (engine: Engine, clientId: number) =>
  engine.readIn(clientId, 'a letterhead', (c) => readLogo(c, ''))

/** The seller's logo, as papers carry it. */
export async function logoOf(engine: Engine, clientId: number): Promise<Picture | undefined> {
  const kept = await findLogo(engine, clientId)
  const [logo] = await readPictures(engine, kept ? [kept] : [])
  return logo && { base64: logo.base64, alt: logo.caption }
}
