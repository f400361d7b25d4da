import { useLease } from './use-lease.web.ts'

/** Keeps a lead to this person on another page than its own: while they sell to it, nobody else rings it. */
export function KeepLead({ id }: { readonly id: number }) {
  useLease(id)
  return null
}
