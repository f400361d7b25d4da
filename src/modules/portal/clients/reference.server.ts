import { PROVIDER } from '#kernel/roles.ts'
import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { client } from './client.ts'

/** The provider itself: client 0, without which nobody can be anything. */
export const providerReference: Reference = {
  name: 'provider',
  edition: 1,
  load: async (c) => void (await addMissing(c, client, 'id', [{ id: PROVIDER, company: 'Provider' }])),
}
