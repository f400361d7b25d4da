import type { Engine } from '#server/engine/engine.ts'
import { client } from '../clients/client.ts'
import type { StoredPicture } from './pictures.server.ts'

/** Whose paper something is written on. */
export interface Letterhead {
  readonly client: { readonly name: string; readonly address?: string; readonly logo?: StoredPicture }
  /** The reseller's, for a client that one carries, or else the provider's. */
  readonly brand: { readonly name: string; readonly logo?: StoredPicture }
}

/** The letterhead of a client. */
export async function letterheadOf(engine: Engine, clientId: number): Promise<Letterhead> {
  const read = (id: number) => engine.readIn(id, 'a letterhead', (c) => c.get(client, id))
  const own = await read(clientId)
  const reseller = typeof own?.reseller === 'number' ? await read(own.reseller) : undefined
  const address = [own?.address1, own?.address2, own?.city, own?.county, own?.postcode].filter(Boolean).join(', ')
  return {
    client: { name: own?.company ?? '', ...(address ? { address } : {}) },
    brand: { name: reseller?.company ?? engine.config.provider },
  }
}
