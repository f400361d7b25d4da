import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Picture } from '#server/pdf/furniture.ts'
import { brandOfClient } from '../clients/brand.server.ts'
import { client } from '../clients/client.ts'
import { letterhead } from './letterhead.ts'
import { readPictures, type StoredPicture } from './pictures.server.ts'
import { uploadedDocument } from './uploaded-document.ts'

/** Whose paper something is written on. */
export interface Letterhead {
  readonly client: { readonly name: string; readonly address?: string; readonly logo?: StoredPicture }
  /** The reseller's, for one and for a client that one carries, or else the provider's. Only its name is printed: the logo is the client's. */
  readonly brand: { readonly name: string }
}

/** The letterhead of a client. */
export async function letterheadOf(engine: Engine, clientId: number): Promise<Letterhead> {
  const { own, logo } = await engine.readIn(clientId, 'a letterhead', async (c) => {
    const own = await c.get(client, clientId)
    return { own, logo: await findLogo(c, own?.company ?? '') }
  })
  const address = own ? addressOf(own) : ''
  return {
    client: { name: own?.company ?? '', ...(address ? { address } : {}), ...(logo ? { logo } : {}) },
    brand: { name: await brandOfClient(engine, own) },
  }
}

/** A company's address on one line. */
export const addressOf = (own: RowOf<typeof client>): string =>
  [own.address1, own.address2, own.city, own.county, own.postcode].filter(Boolean).join(', ')

/** The small version: it is printed at most 5 cm wide, on every paper. */
async function findLogo(c: Pick<Context, 'find' | 'get'>, company: string): Promise<StoredPicture | undefined> {
  const [head] = await c.find(letterhead, {})
  const file = head?.logo ? await c.get(uploadedDocument, head.logo) : undefined
  return file?.thumbnailKey ? { key: file.thumbnailKey, caption: head?.logoText || company || 'Logo' } : undefined
}

/** The logo of a letterhead as papers carry it; none where there is none. Throws for one whose bytes are gone, where all are needed. */
export async function readLogo(
  engine: Engine,
  { client: { logo } }: Letterhead,
  all = false,
): Promise<Picture | undefined> {
  const [shown] = await readPictures(engine, logo ? [logo] : [], all)
  return shown && { base64: shown.base64, alt: shown.caption }
}

/** Pixels of its shorter side: with fewer nobody recognises it on paper. */
const SMALLEST = 40
const SLIMMEST = 8

/** Throws 422 for what can't be a logo. */
async function assertLogo(c: Context, id: number): Promise<void> {
  const file = await c.get(uploadedDocument, id)
  const refuse = (message: string) => problem.invalid([violation('logo', message)])
  if (!file || file.client !== c.clientId || file.retired) throw refuse('Please choose a picture among your own files')
  const { width, height, thumbnailKey } = file
  if (!width || !height || !thumbnailKey) throw refuse('Please choose a picture: a PNG or JPEG file, for example')
  if (Math.min(width, height) < SMALLEST)
    throw refuse(`This picture is too small to print: ${width} × ${height} pixels. It needs ${SMALLEST} each way`)
  if (Math.max(width, height) > SLIMMEST * Math.min(width, height))
    throw refuse(
      `This picture is too long and thin for a paper’s head: more than ${SLIMMEST} times as long as it is wide`,
    )
}

export const letterheadBehaviour = behaviour(letterhead, {
  prepare: async (c) => {
    if (!c.before && (await c.exists(letterhead, {})))
      throw problem.conflict('Your company has a letterhead already. Please change that one.')
    if (typeof c.changes.logo === 'number') await assertLogo(c, c.changes.logo)
    return undefined
  },
})
