import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { contact } from '../contacts/contact.ts'
import { cacheLead, type LeadWithNotes } from '../contacts/data.web.ts'
import { useColleagueLease } from '../contacts/use-held-leads.web.ts'
import { outcomeStates } from './outcome-states.web.ts'

/**
 * State of a lead's lease: not requested (`free`), requested (`asking`), leased by this user (`mine`), leased by a
 * colleague (`held`), or `unknown` if the server could not be reached.
 */
export type LeadLease =
  | { readonly kind: 'free' | 'asking' | 'mine' | 'unknown' }
  | { readonly kind: 'held'; readonly by: string }

const RENEW_MS = 4 * 60_000
const LOOK_MS = 30_000
/** Time at which this browser leased each lead. */
const since = new Map<number, number>()
/**
 * Number of open screens for each lead, so that closing and immediately reopening a lead does not release its lease.
 */
const screens = new Map<number, number>()

export const leadLeases = {
  /** Called when the server has just leased the lead to this user. */
  taken: (id: number) => void since.set(id, Date.now()),
  /** Called when the server has ended the lease. */
  ended: (id: number) => void since.delete(id),
  giveBack: (id: number) => giveBack(id),
  /** Returns whether the lease is too recent to need renewal. */
  isYoung: (id: number) => Date.now() - (since.get(id) ?? 0) < RENEW_MS,
}

const address = (id: number) => `${contact.url}/${id}/lease`
const { isYoung } = leadLeases

async function ask(queries: QueryClient, id: number): Promise<LeadLease> {
  const { contact: lead, heldBy } = await callApi<{ contact: LeadWithNotes | null; heldBy: string | null }>(
    'POST',
    address(id),
    {},
    { byItself: true },
  )
  if (!lead) {
    leadLeases.ended(id)
    return { kind: 'held', by: heldBy ?? 'Another user' }
  }
  leadLeases.taken(id)
  cacheLead(queries, lead)
  return { kind: 'mine' }
}

function giveBack(id: number): void {
  setTimeout(() => {
    // Releases the lease, unless the lead's screen has been reopened or an outcome is being saved. Saving an outcome
    // ends the lease on the server.
    if (!screens.get(id) && outcomeStates.of(id).kind !== 'saving' && since.delete(id))
      callApi('POST', address(id), { release: true }, { byItself: true }).catch(() => undefined)
  }, 400)
}

// Closing the page releases its leases, so that the next caller does not have to wait ten minutes.
addEventListener('pagehide', () => {
  for (const id of since.keys())
    callApi('POST', address(id), { release: true }, { lasting: true, byItself: true }).catch(() => undefined)
  since.clear()
})

/**
 * Leases the lead once it is being worked (`wanted`), until its screen is closed. A lead that is only being read is not
 * leased: the hook returns the lease of a colleague, if any.
 */
export function useLeadLease(id: number, wanted: boolean) {
  const colleague = useColleagueLease(id, !wanted)
  const queries = useQueryClient()
  const [lease, setLease] = useState<LeadLease>(() => ({ kind: isYoung(id) ? 'mine' : 'asking' }))
  const renew = useCallback(
    () => ask(queries, id).then(setLease, () => setLease((was) => (was.kind === 'asking' ? { kind: 'unknown' } : was))),
    [queries, id],
  )
  useEffect(() => {
    if (!wanted) return undefined
    screens.set(id, (screens.get(id) ?? 0) + 1)
    const look = () => {
      if (!isYoung(id)) void renew()
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      screens.set(id, (screens.get(id) ?? 1) - 1)
      giveBack(id)
    }
  }, [id, renew, wanted])
  if (wanted) return { lease, renew }
  const read: LeadLease = colleague === undefined ? { kind: 'free' } : { kind: 'held', by: colleague }
  return { lease: read, renew }
}

/**
 * Renews the lease of a lead while another page, such as a sale, is open, so that nobody else calls the lead in the
 * meantime.
 */
export function LeadLeaseRenewer({ id }: { readonly id: number }) {
  useLeadLease(id, true)
  return null
}
