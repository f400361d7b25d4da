import { holds } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { type Places, placesOf } from './places.ts'
import { STAFF } from './rights.ts'

/** Where the books on this screen have their others. */
export const usePlaces = (): Places => placesOf(useActor().clientId)

/** Is it the provider's own sales, with leads, cards and staff, and not a client's own books? */
export const useIsStaff = (): boolean => holds(useActor(), STAFF)
