import { useLease } from './use-lease.web.ts'

/** Keeps the lease of a lead on pages other than its own: nobody else calls it during a sale. */
export function KeepLead({ id }: { readonly id: number }) {
  useLease(id)
  return null
}
