import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { call } from '#web/api/client.ts'
import { contact } from '../contacts/contact.ts'
import { type Fetched, keepLead } from '../contacts/data.web.ts'
import { outcomeStates } from './outcome-states.web.ts'

/** Whose the lead is just now. `unknown`: the server could not be asked. */
export type Lease = { readonly kind: 'asking' | 'mine' | 'unknown' } | { readonly kind: 'held'; readonly by: string }

const RENEW_MS = 4 * 60_000
const LOOK_MS = 30_000
/** Since when this browser holds a lead. */
const since = new Map<number, number>()
/** How many screens show a lead: one that is opened again at once is not given back in between. */
const screens = new Map<number, number>()

export const leases = {
  /** The server has just leased it to this person. */
  taken: (id: number) => void since.set(id, Date.now()),
  /** The server has ended it. */
  ended: (id: number) => void since.delete(id),
  giveBack: (id: number) => giveBack(id),
  /** It is this person's for some time to come. */
  isYoung: (id: number) => Date.now() - (since.get(id) ?? 0) < RENEW_MS,
}

const address = (id: number) => `${contact.url}/${id}/lease`
const { isYoung } = leases

async function ask(queries: QueryClient, id: number): Promise<Lease> {
  const { contact: lead, heldBy } = await call<{ contact: Fetched | null; heldBy: string | null }>(
    'POST',
    address(id),
    {},
    { byItself: true },
  )
  if (!lead) {
    leases.ended(id)
    return { kind: 'held', by: heldBy ?? 'Somebody else' }
  }
  leases.taken(id)
  keepLead(queries, lead)
  return { kind: 'mine' }
}

function giveBack(id: number): void {
  setTimeout(() => {
    // An outcome that is on its way ends it by itself.
    if (!screens.get(id) && outcomeStates.of(id).kind !== 'saving' && since.delete(id))
      call('POST', address(id), { release: true }, { byItself: true }).catch(() => undefined)
  }, 400)
}

// A page that is closed gives back what it holds, so that the next caller need not wait ten minutes.
addEventListener('pagehide', () => {
  for (const id of since.keys())
    call('POST', address(id), { release: true }, { lasting: true, byItself: true }).catch(() => undefined)
  since.clear()
})

/** Keeps the lead to this person while its screen is open, and gives it back afterwards. */
export function useLease(id: number) {
  const queries = useQueryClient()
  const [lease, setLease] = useState<Lease>(() => ({ kind: isYoung(id) ? 'mine' : 'asking' }))
  const renew = useCallback(
    () => ask(queries, id).then(setLease, () => setLease((was) => (was.kind === 'asking' ? { kind: 'unknown' } : was))),
    [queries, id],
  )
  useEffect(() => {
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
  }, [id, renew])
  return { lease, renew }
}
