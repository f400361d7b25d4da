import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { useProvider } from '#web/shell/pages/facts.ts'
import { type Places, placesOf } from './places.ts'
import { STAFF } from './rights.ts'

/** Where the books on this screen have their others. */
export const usePlaces = (): Places => placesOf(useActor().clientId)

/** Who sells what these books tell of: a paper that is not saved yet has no other name. */
export function useSeller(): string {
  const provider = useProvider()
  const { client } = useMe()
  return client.id === PROVIDER ? provider : client.company
}

/** Is it the provider's own sales, with leads, cards and staff, and not a client's own books? */
export const useIsStaff = (): boolean => hasRole(useActor(), STAFF)
