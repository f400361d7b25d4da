import { allQueuedRequests, onDelivered, onQueuedRequests } from '#web/offline/outbox/outbox.ts'
import type { Countdown } from '#web/ui/countdown.ts'
import { undoable } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import type { Fetched, Lead, Note } from '../contacts/data.web.ts'
import { leases } from './use-lease.web.ts'

/** The server's answer to an outcome. */
export interface Answer {
  readonly contact: Lead | null
  readonly note: Note
  readonly next: Fetched | null
}

export const isOutcome = ({ path }: { readonly path: string }) =>
  path.startsWith(`${contact.url}/`) && path.includes('/outcomes')

let offered: Countdown[] = []

/** Offers to undo an outcome. Only the last two offers stay: more notices would hide the screen. */
export function offerUndo(message: string, undo: () => unknown): Countdown {
  for (const countdown of offered.slice(0, -1)) countdown.finish()
  const countdown = undoable({ message, undo })
  offered = [...offered.slice(-1), countdown]
  return countdown
}

/** By the keys of queued outcomes: the offer to undo them, until they are refused. */
const undoByKey = new Map<string, Countdown>()
/** By the same keys: the server's answers since. */
const answerByKey = new Map<string, Answer>()

export const trackQueuedUndo = (key: string, undo: Countdown): void => void undoByKey.set(key, undo)

export const answerOfQueued = (key: string): Answer | undefined => answerByKey.get(key)

onQueuedRequests(() => {
  for (const request of allQueuedRequests()) {
    if (!request.refused) continue
    undoByKey.get(request.key)?.finish()
    undoByKey.delete(request.key)
  }
})

onDelivered((request, delivered) => {
  if (!isOutcome(request)) return
  const answer = delivered as Answer
  answerByKey.set(request.key, answer)
  // The server has leased the next lead, which nobody is waiting for.
  if (!answer.next || leases.isYoung(answer.next.id)) return
  leases.taken(answer.next.id)
  leases.giveBack(answer.next.id)
})
