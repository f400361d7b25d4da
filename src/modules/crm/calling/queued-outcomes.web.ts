import { getQueuedRequests, onQueueChanged, onRequestDelivered } from '#web/offline/outbox/outbox.ts'
import type { Countdown } from '#web/ui/countdown.ts'
import { showUndoToast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import type { LeadRecord, LeadWithNotes, TimelineNote } from '../contacts/data.web.ts'
import { leadLeases } from './use-lease.web.ts'

export interface OutcomeResponse {
  readonly contact: LeadRecord | null
  readonly note: TimelineNote
  readonly next: LeadWithNotes | null
}

export const isOutcomeRequest = ({ path }: { readonly path: string }) =>
  path.startsWith(`${contact.url}/`) && path.includes('/outcomes')

let offered: Countdown[] = []

/** Offers to undo an outcome. Only the latest two offers remain, because more notifications would cover the screen. */
export function offerOutcomeUndo(message: string, undo: () => unknown): Countdown {
  for (const countdown of offered.slice(0, -1)) countdown.finish()
  const countdown = showUndoToast({ message, undo })
  offered = [...offered.slice(-1), countdown]
  return countdown
}

/** Undo offers for queued outcomes, by request key. An offer ends when the server rejects its outcome. */
const undoByKey = new Map<string, Countdown>()
/** Server responses to queued outcomes, by request key. */
const answerByKey = new Map<string, OutcomeResponse>()

export const trackQueuedOutcomeUndo = (key: string, undo: Countdown): void => void undoByKey.set(key, undo)

export const getQueuedOutcomeResponse = (key: string): OutcomeResponse | undefined => answerByKey.get(key)

onQueueChanged(() => {
  for (const request of getQueuedRequests()) {
    if (!request.refused) continue
    undoByKey.get(request.key)?.finish()
    undoByKey.delete(request.key)
  }
})

onRequestDelivered((request, delivered) => {
  if (!isOutcomeRequest(request)) return
  const answer = delivered as OutcomeResponse
  answerByKey.set(request.key, answer)
  // Releases the next lead that the server has leased, because no screen is waiting for that lead.
  if (!answer.next || leadLeases.isYoung(answer.next.id)) return
  leadLeases.taken(answer.next.id)
  leadLeases.giveBack(answer.next.id)
})
