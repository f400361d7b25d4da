import type { RowOf } from '#kernel/resource.ts'
import type { Engine } from '#server/engine/types.ts'
import { client } from './client.ts'

/**
 * Finds the brand under which a client's users see the portal: the reseller's for resellers and their clients,
 * otherwise the provider's.
 */
export async function findBrand(engine: Engine, clientId: number): Promise<string> {
  return findBrandOfClient(engine, await companyOf(engine, clientId))
}

/** Finds the brand of a client that has already been read. */
export async function findBrandOfClient(engine: Engine, own: RowOf<typeof client> | undefined): Promise<string> {
  const reseller = own?.isReseller ? own : own?.reseller ? await companyOf(engine, own.reseller) : undefined
  return reseller?.company || engine.config.provider
}

const companyOf = (engine: Engine, id: number) => engine.readIn(id, 'read a brand', (c) => c.get(client, id))
