import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { useProviderName } from '#web/shell/pages/facts.ts'
import { type BillingUrls, billingUrls } from './billing-urls.ts'
import { STAFF_ROLE } from './rights.ts'

export const useBillingUrls = (): BillingUrls => billingUrls(useActor().clientId)

/** Returns the seller's name, for documents that are not saved yet. */
export function useSellerName(): string {
  const provider = useProviderName()
  const { client } = useMe()
  return client.id === PROVIDER_CLIENT_ID ? provider : client.company
}

/**
 * Returns true for the provider's staff. Only the provider's own sales have leads, cards and staff; client invoicing
 * has none of them.
 */
export const useIsProviderStaff = (): boolean => hasRole(useActor(), STAFF_ROLE)
