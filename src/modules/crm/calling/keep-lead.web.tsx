import { useLeadLease } from './use-lease.web.ts'

/**
 * Renews the lease of a lead while another page, such as a sale, is open, so that nobody else calls the lead meanwhile.
 */
export function LeadLeaseRenewer({ id }: { readonly id: number }) {
  useLeadLease(id)
  return null
}
