import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { now } from '#kernel/time.ts'
import { nationOf } from '#kernel/working-days.ts'
import { ApiError, call, type Params, queryString } from '#web/api/client.ts'
import {
  allQueuedRequests,
  findOfflineQueue,
  KEPT,
  onArrived,
  onQueuedRequests,
  QUEUED,
  type QueuedOffline,
  sendOrQueue,
  useQueuedRequestsOf,
} from '#web/api/deliver.ts'
import { isQueued } from '#web/api/parcel.ts'
import { listOptions } from '#web/api/resources.ts'
import type { Countdown } from '#web/ui/countdown.ts'
import { toast, undoable } from '#web/ui/toast.ts'
import { useHere } from '#web/ui/use-here.ts'
import { contact } from '../contacts/contact.ts'
import {
  type Fetched,
  keepLead,
  type Lead,
  leadName,
  leadOptions,
  type Note,
  notesOptions,
  refreshLists,
  removeFromLists,
} from '../contacts/data.web.ts'
import { dealtWith } from '../contacts/list-place.web.ts'
import { listPath } from '../contacts/list-state.web.ts'
import type { Outcome } from '../outcomes/data.web.ts'
import { decide } from '../outcomes/decide.ts'
import { lastResult } from '../outcomes/last-result.ts'
import { callOutcome } from '../outcomes/outcome.ts'
import { type ChangeDraft, type Draft, drafts, EMPTY, minutesOf, stopTimer } from './draft.web.ts'
import { lateNote } from './late-note-state.web.ts'
import { type Attempt, sendings, useSending } from './sendings.web.ts'
import { leadPath, pathOf, SETTLED } from './start-calling.web.ts'
import { leases } from './use-lease.web.ts'

interface Setting {
  readonly lead: Lead
  readonly from: string
  readonly calling: boolean
  readonly params: Params
  readonly draft: Draft
  readonly change: ChangeDraft
  /** The lead after this one in the loaded list. */
  readonly following: number | undefined
  /** The one that comes next: taken from the queue, or the row after this one where a row was opened. */
  readonly nextLead: () => Pick<Fetched, 'id'> | undefined
  readonly renew: () => Promise<void>
}

let offered: Countdown[] = []
/** The last two outcomes can be taken back: more notices would hide the screen. */
function offerUndo(message: string, undo: () => unknown): Countdown {
  for (const c of offered.slice(0, -1)) c.finish()
  const countdown = undoable({ message, undo })
  offered = [...offered.slice(-1), countdown]
  return countdown
}

/** What was typed into the note after it had been sent. */
function keepRest(lead: Lead, { body }: Attempt) {
  const sent = typeof body.notes === 'string' ? body.notes : ''
  const notes = drafts.get(lead.id).notes.trim()
  const rest = (notes.startsWith(sent) ? notes.slice(sent.length) : notes).trim()
  if (rest) lateNote.add(lead, rest)
}

interface Answer {
  readonly contact: Lead | null
  readonly note: Note
  readonly next: Fetched | null
}

const SENT = 'This has been sent meanwhile. Please open the lead and record the right outcome.'

/** What can still be taken back of outcomes that wait for a connection, by their keys: of one that is refused, nothing. */
const offers = new Map<string, Countdown>()
onQueuedRequests(() => {
  for (const p of allQueuedRequests()) {
    if (!p.refused) continue
    offers.get(p.key)?.finish()
    offers.delete(p.key)
  }
})

/** What came of outcomes that had waited for a connection, by their keys. */
const late = new Map<string, Answer>()
onArrived(({ key, path }, made) => {
  if (!isOutcome({ path })) return
  const answer = made as Answer
  late.set(key, answer)
  // A lead was taken to come next, and nobody is waiting for it.
  if (!answer.next || leases.isYoung(answer.next.id)) return
  leases.taken(answer.next.id)
  leases.giveBack(answer.next.id)
})

/** What was chosen does something else by now than its key showed. */
export const isRuleChanged = (error: unknown): boolean => error instanceof ApiError && error.code === 'rule_changed'

const isOutcome = ({ path }: { readonly path: string }) =>
  path.startsWith(`${contact.url}/`) && path.includes('/outcomes')

const wordsOf = (lead: Lead, { outcome, body }: Attempt) => ({
  what: `Outcome: ${outcome.text}`,
  of: leadName(lead),
  text: typeof body.notes === 'string' ? body.notes : undefined,
  at: pathOf(lead.id),
  about: [`${contact.url}/${lead.id}`],
})

/**
 * Records how the call ended and opens the next lead. One that has been taken already is on the screen before the server has
 * answered; where it refuses, the lead comes back with what was typed, and why.
 */
export function useOutcome({ lead, from, calling, params, draft, change, following, nextLead, renew }: Setting) {
  const sending = useSending(lead.id)
  const parcels = useQueuedRequestsOf(`${contact.url}/${lead.id}`).filter(isOutcome)
  const waiting = parcels.find(isQueued)
  const refused = parcels.find((p) => p.refused)
  const queries = useQueryClient()
  const navigate = useNavigate()
  // Whoever leaves while it is being saved is not called back.
  const here = useHere()

  const open = (id: number) => navigate(leadPath(id, from, calling), { state: SETTLED, flushSync: true })

  const send = async (attempt: Attempt) => {
    if (sendings.of(lead.id).kind === 'saving') return
    sendings.set(lead.id, { kind: 'saving', attempt })
    lateNote.begin(lead)
    dealtWith.add(lead.id)
    const answer = sendings.inTurn(() =>
      sendOrQueue<Answer>('POST', attempt.url, attempt.body, {
        idempotencyKey: attempt.key,
        words: wordsOf(lead, attempt),
      }),
    )
    const ahead = nextLead()
    const offer = (): Countdown => {
      const told = `${attempt.outcome.text}: ${leadName(lead)}`
      // What was not saved need not be taken back.
      return offerUndo(told, async () => {
        lateNote.begin(lead)
        try {
          await takeBack(attempt, await answer)
        } catch (e) {
          if (sendings.of(lead.id).kind !== 'failed') throw e
        } finally {
          lateNote.arrived()
        }
      })
    }
    const offered = ahead && offer()
    if (ahead) void open(ahead.id)
    try {
      const answered = await answer
      const given = offered ?? offer()
      if (answered === QUEUED) offers.set(attempt.key, given)
      keepRest(lead, attempt)
      if (answered === QUEUED) rest(ahead !== undefined)
      else await goOn(ahead, answered.next)
      lateNote.arrived()
    } catch (error) {
      dealtWith.undo(lead.id)
      offered?.finish()
      sendings.set(lead.id, { kind: 'failed', attempt, error })
      if (isRuleChanged(error))
        void queries.invalidateQueries({ queryKey: listOptions(callOutcome).queryKey.slice(0, 2) })
      if (!ahead) lateNote.arrived()
      if (error instanceof ApiError && error.status === 409) void renew()
      if (!ahead) return
      if (location.pathname === pathOf(ahead.id) && sendings.of(ahead.id).kind === 'idle') void open(lead.id)
      else {
        leases.giveBack(lead.id)
        toast.failed(error, () => void send(attempt))
      }
    }
  }

  /** It is kept here until there is a connection, and so is the lead, which nobody else can have had meanwhile. */
  const rest = (isLeft: boolean) => {
    sendings.set(lead.id, { kind: 'idle' })
    leases.ended(lead.id)
    drafts.set(lead.id, EMPTY)
    change(EMPTY)
    if (isLeft) toast.info(`${leadName(lead)}: ${KEPT}`, 'attention')
  }

  const goOn = async (ahead: Pick<Fetched, 'id'> | undefined, next: Fetched | null) => {
    sendings.set(lead.id, { kind: 'idle' })
    leases.ended(lead.id)
    drafts.set(lead.id, EMPTY)
    if (next && next.id !== ahead?.id) {
      keepLead(queries, next)
      leases.taken(next.id)
    }
    void queries.invalidateQueries({ queryKey: leadOptions(lead.id).queryKey })
    void queries.invalidateQueries({ queryKey: notesOptions(lead.id).queryKey })
    if (ahead || !here.current) {
      if (next && next.id !== ahead?.id) leases.giveBack(next.id)
      return removeFromLists(queries, lead.id)
    }
    const to = calling ? next?.id : following
    if (next && next.id !== to) leases.giveBack(next.id)
    await (to === undefined
      ? navigate(listPath(from), {
          state: {
            ...SETTLED,
            finished: 'That was the last one. No other lead of this list is waiting for a call now.',
          },
        })
      : open(to))
    void removeFromLists(queries, lead.id)
  }

  const takeBack = async ({ key }: Attempt, answered: Answer | QueuedOffline) => {
    const isHere = answered === QUEUED && ((await (await findOfflineQueue())?.remove(key)) ?? false)
    if (!isHere) {
      const made = answered === QUEUED ? late.get(key) : answered
      if (!made) throw new ApiError(409, SENT)
      const back = await call<Lead>('POST', `${contact.url}/${lead.id}/undo`, { note: made.note.id })
      queries.setQueryData(leadOptions(lead.id).queryKey, back)
    }
    dealtWith.undo(lead.id)
    leases.taken(lead.id)
    drafts.set(lead.id, { ...draft, ...stopTimer(draft) })
    change({ ...draft, ...stopTimer(draft) })
    void queries.invalidateQueries({ queryKey: notesOptions(lead.id).queryKey })
    void refreshLists(queries)
    await navigate(leadPath(lead.id, from, calling), { state: SETTLED })
  }

  const commit = (outcome: Outcome, given?: number) => {
    // The date that its key shows, whenever it arrives.
    const date = given ?? decide(outcome, now(), undefined, nationOf(lead.postcode)).expiry
    const body = {
      result: `${lastResult.url}/${outcome.id}`,
      outcomes: lead.outcomes ?? 0,
      version: outcome.version ?? 1,
      ...(typeof date === 'number' ? { date } : {}),
      ...(draft.notes.trim() ? { notes: draft.notes.trim() } : {}),
      ...(minutesOf(draft) === undefined ? {} : { minutes: minutesOf(draft) }),
    }
    const failed = sending.kind === 'failed' ? sending.attempt : undefined
    void send(
      failed && JSON.stringify(failed.body) === JSON.stringify(body)
        ? failed
        : {
            outcome,
            body,
            key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
            url: `${contact.url}/${lead.id}/outcomes${queryString(params)}`,
          },
    )
  }
  return {
    sending,
    /** One that is kept on this device until there is a connection. */
    waiting,
    /** One that was not taken once there was a connection: sent again, or left for another. */
    refused,
    sendAgain: async () => {
      if (refused) await (await findOfflineQueue())?.send(refused.key)
    },
    throwAway: async () => {
      if (!refused || !(await (await findOfflineQueue())?.remove(refused.key))) return
      // What was typed with it is about the call all the same.
      change({ notes: [drafts.get(lead.id).notes, refused.text].filter(Boolean).join('\n') })
    },
    takeBack: async () => {
      if (!waiting) return
      if (!(await (await findOfflineQueue())?.remove(waiting.key))) return toast.info(SENT, 'attention')
      // What was typed with it is about the call all the same.
      change({ notes: [drafts.get(lead.id).notes, waiting.text].filter(Boolean).join('\n') })
    },
    commit,
    retry: () => sending.kind === 'failed' && void send(sending.attempt),
    dismiss: () => sendings.set(lead.id, { kind: 'idle' }),
  }
}
