import type { Engine } from '#server/engine/engine.ts'

/** Whose paper something is written on. */
export interface Letterhead {
  readonly client: { readonly name: string; readonly address?: string }
  /** The reseller's, for a client that one carries, or else the provider's. */
  readonly brand: { readonly name: string }
}

type Address = Readonly<Record<'address1' | 'address2' | 'city' | 'county' | 'postcode', string>>

/** The letterhead of a client. */
export async function letterheadOf(engine: Engine, clientId: number): Promise<Letterhead> {
  const [row] = await engine.db.tx('system', (tx) =>
    tx.rows<Address & { readonly company: string; readonly reseller: string | null }>(
      'SELECT c.company, c.address1, c.address2, c.city, c.county, c.postcode, r.company AS reseller FROM client c LEFT JOIN client r ON r.id = c.reseller_id WHERE c.id = $1',
      [clientId],
    ),
  )
  const address = [row?.address1, row?.address2, row?.city, row?.county, row?.postcode].filter(Boolean).join(', ')
  return {
    client: { name: row?.company ?? '', ...(address ? { address } : {}) },
    brand: { name: row?.reseller ?? engine.config.provider },
  }
}
