import { useLeadLease } from './use-lease.web.ts'

/** Keeps the lease of a lead on pages other than its own: nobody else calls it during a sale. */
export function KeepLeadLease({ id }: { readonly id: number }) {
  useLeadLease(id)
  return null
}
