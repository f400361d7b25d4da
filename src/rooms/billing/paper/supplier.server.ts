import { PROVIDER } from '#kernel/roles.ts'
import { client } from '#rooms/portal/clients/client.ts'
import { addressOf } from '#rooms/portal/offers.server.ts'
import type { Context, Reader } from '#server/engine/context.ts'
import type { Supplier } from './supplier.ts'

type Whose = Pick<Context, 'engine' | 'clientId'>

/** Whoever sells here, as their own record of their company says. */
export async function supplierOf(c: Pick<Reader, 'get'>, { engine, clientId }: Whose): Promise<Supplier> {
  const own = await c.get(client, clientId)
  return {
    name: clientId === PROVIDER ? engine.config.provider : (own?.company ?? ''),
    address: own ? addressOf(own) : '',
    companyNumber: own?.regcompno ?? '',
    vatNumber: own?.vatNumber ?? '',
    telephone: own?.contacttel ?? '',
    email: own?.contactemail ?? '',
  }
}
