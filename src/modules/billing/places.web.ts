import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { useProvider } from '#web/shell/pages/facts.ts'
import { type Places, placesOf } from './places.ts'
import { STAFF } from './rights.ts'

export const usePlaces = (): Places => placesOf(useActor().clientId)

/** Name of the seller, for documents not saved yet. */
export function useSeller(): string {
  const provider = useProvider()
  const { client } = useMe()
  return client.id === PROVIDER ? provider : client.company
}

/** True for the provider's sales with leads, cards and staff; false in client invoicing. */
export const useIsStaff = (): boolean => hasRole(useActor(), STAFF)
