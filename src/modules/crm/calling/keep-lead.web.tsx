import { useLeadLease } from './use-lease.web.ts'

/** Renews the lease of a lead on other pages, such as a sale, so that nobody else calls it meanwhile. */
export function LeadLeaseRenewer({ id }: { readonly id: number }) {
  useLeadLease(id)
  return null
}
