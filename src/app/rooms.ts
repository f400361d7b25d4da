import { billing } from '#rooms/billing/room.server.ts'
import { companies } from '#rooms/companies/room.server.ts'
import { crm } from '#rooms/crm/room.server.ts'
import { documents } from '#rooms/documents/room.server.ts'
import { identity } from '#rooms/identity/room.server.ts'
import { portal } from '#rooms/portal/room.server.ts'
import { safety } from '#rooms/safety/room.server.ts'
import { sales } from '#rooms/sales/room.server.ts'
import type { Room } from '#server/engine/room.ts'

const areas: readonly Room[] = [identity, billing, companies, crm, portal, safety, sales]

/** Every room of the portal, and further ones: the kinds of document that these declare lead the one life too. */
export const roomsWith = (further: readonly Room[]): readonly Room[] => {
  const all = [...areas, ...further]
  return [...all, documents(all)]
}

/** Every room of the portal. */
export const rooms: readonly Room[] = roomsWith([])
