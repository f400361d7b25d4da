import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { QueryParams } from '#web/api/client.ts'
import { storeListPosition } from '#web/lists/pager/list-position.ts'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { toast } from '#web/ui/toast.ts'
import { LEAD_LIST_PATH, leadListQueryString } from '../contacts/list-state.web.ts'
import { leaseNextLead } from './next-lead.web.ts'

export const leadViewPath = (id: number): string => `/crm/contact/view/${id}`

/** Path of the sale screen of a lead. Its notes are retained, and calling continues from there with the same query. */
export const leadSalePath = (id: number, search: string): string => `/crm/contact/sale/${id}${search}`

/** Navigation state that makes the unsaved-changes guard allow leaving. */
export const LEAVE_ALLOWED_STATE = { settled: true }

/** Path of a lead's screen, with the list it was opened from. */
export const leadPathFromList = (id: number, from: string, calling = false) =>
  `${leadViewPath(id)}?from=${encodeURIComponent(from)}${calling ? '&calling=1' : ''}`

/**
 * Leases the next lead of the call queue, with the list's filters and order, and opens it. Excludes `besides`, the lead
 * just dealt with.
 */
export function useStartCalling(from: string, params: QueryParams, besides?: number) {
  const [busy, setBusy] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const start = async () => {
    if (busy) return
    setBusy(true)
    try {
      const next = await leaseNextLead(queries, params, besides)
      if (next) {
        storeListPosition(LEAD_LIST_PATH, {
          search: leadListQueryString(from),
          row: String(next.id),
          scroll: window.scrollY,
        })
        await navigate(leadPathFromList(next.id, from, true))
      } else toast.info('No lead of this list is due for a call at the moment.', 'safe')
    } catch (e) {
      toast.failed(e, () => void start())
    }
    setBusy(false)
  }
  useShortcuts([{ keys: 'c', label: 'Start calling', run: () => void start() }])
  return { busy, start: () => void start() }
}
