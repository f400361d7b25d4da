import type { RowOf } from '#kernel/resource.ts'
import type { Engine } from '#server/engine/types.ts'
import { client } from './client.ts'

/** Under whose name a client's people meet the portal: their reseller's, a reseller its own, all others the provider's. */
export async function brandOf(engine: Engine, clientId: number): Promise<string> {
  return brandOfClient(engine, await companyOf(engine, clientId))
}

/** The same, of a client that has been read. */
export async function brandOfClient(engine: Engine, own: RowOf<typeof client> | undefined): Promise<string> {
  const reseller = own?.isReseller ? own : own?.reseller ? await companyOf(engine, own.reseller) : undefined
  return reseller?.company || engine.config.provider
}

const companyOf = (engine: Engine, id: number) => engine.readIn(id, 'a brand', (c) => c.get(client, id))
