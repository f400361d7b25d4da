import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { now } from '#kernel/time.ts'
import { ukNationForPostcode } from '#kernel/working-days.ts'
import { ApiError, callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import {
  getQueuedRequests,
  loadOfflineQueue,
  onQueueChanged,
  onRequestDelivered,
  QUEUED_MESSAGE,
  QUEUED_RESULT,
  type QueuedResult,
  sendOrQueue,
  useQueuedRequestsForUrl,
} from '#web/offline/outbox/outbox.ts'
import { isAwaitingDelivery } from '#web/offline/requests.ts'
import type { Countdown } from '#web/ui/countdown.ts'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { contact } from '../contacts/contact.ts'
import {
  cacheLead,
  formatLeadName,
  type LeadRecord,
  type LeadWithNotes,
  leadNotesQueryOptions,
  leadQueryOptions,
  refreshLeadLists,
  removeLeadFromCachedLists,
  type TimelineNote,
} from '../contacts/data.web.ts'
import { leadListPath } from '../contacts/list-state.web.ts'
import { leadsDealtWith } from '../contacts/use-list.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'
import { decideOutcome } from '../outcomes/decide.ts'
import { callOutcome, lastResult } from '../outcomes/outcome.ts'
import {
  type CallDraft,
  type CallDraftUpdater,
  callDrafts,
  EMPTY_CALL_DRAFT,
  minutesToRecord,
  stopCallTimer,
} from './draft.web.ts'
import { previousLeadNote } from './late-note-state.web.ts'
import { type OutcomeAttempt, type OutcomeEffect, type OutcomeEvent, transitionOutcome } from './outcome-machine.web.ts'
import { outcomeStates, useOutcomeState } from './outcome-states.web.ts'
import { leadPathFromList, leadViewPath, SKIP_UNSAVED_WARNING_STATE } from './start-calling.web.ts'
import { leadLeases } from './use-lease.web.ts'

interface OutcomeResponse {
  readonly contact: LeadRecord | null
  readonly note: TimelineNote
  readonly next: LeadWithNotes | null
}

const isOutcomeRequest = ({ path }: { readonly path: string }) =>
  path.startsWith(`${contact.url}/`) && path.includes('/outcomes')

let offered: Countdown[] = []

/** Offers to undo an outcome. Only the latest two offers remain, because more notifications would cover the screen. */
function offerOutcomeUndo(message: string, undo: () => unknown): Countdown {
  for (const countdown of offered.slice(0, -1)) countdown.finish()
  const countdown = showUndoToast({ message, undo })
  offered = [...offered.slice(-1), countdown]
  return countdown
}

/** Undo offers for queued outcomes, by request key. An offer ends when the server rejects its outcome. */
const undoByKey = new Map<string, Countdown>()
/** Server responses to queued outcomes, by request key. */
const answerByKey = new Map<string, OutcomeResponse>()

const trackQueuedOutcomeUndo = (key: string, undo: Countdown): void => void undoByKey.set(key, undo)

const getQueuedOutcomeResponse = (key: string): OutcomeResponse | undefined => answerByKey.get(key)

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

interface Settings {
  readonly lead: LeadRecord
  readonly from: string
  readonly calling: boolean
  readonly params: QueryParams
  readonly draft: CallDraft
  readonly change: CallDraftUpdater
  /** ID of the lead in the next row of the loaded list. */
  readonly following: number | undefined
  /** Returns the lead to open next: the one prefetched from the queue or else the one in the next row. */
  readonly nextLead: () => Pick<LeadWithNotes, 'id'> | undefined
  readonly renew: () => Promise<void>
}

const ALREADY_SENT = 'This outcome has already been sent. Please open the lead and record the correct outcome.'
const LIST_FINISHED = 'That was the last lead. No other lead in this list is due for a call at the moment.'

/**
 * Records how a call ended and opens the next lead. `transitionOutcome` decides on the effects, and this hook performs
 * them. A prefetched lead is shown before the server responds. If the server rejects the outcome, the previous lead
 * reopens with the typed text.
 */
export function useRecordOutcome({ lead, from, calling, params, draft, change, following, nextLead, renew }: Settings) {
  const sending = useOutcomeState(lead.id)
  const requests = useQueuedRequestsForUrl(`${contact.url}/${lead.id}`).filter(isOutcomeRequest)
  const waiting = requests.find(isAwaitingDelivery)
  const refused = requests.find((request) => request.refused)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const here = useIsMounted()

  const open = (id: number) =>
    navigate(leadPathFromList(id, from, calling), { state: SKIP_UNSAVED_WARNING_STATE, flushSync: true })

  const send = (attempt: OutcomeAttempt) => {
    let answer: Promise<OutcomeResponse | QueuedResult> | undefined
    let undo: Countdown | undefined

    const dispatch = async (event: OutcomeEvent) => {
      const { state, effects } = transitionOutcome(outcomeStates.of(lead.id), event, {
        lead: lead.id,
        calling,
        following,
        isOpen: here.current,
        isShowing: (id) => location.pathname === leadViewPath(id) && outcomeStates.of(id).kind === 'idle',
      })
      outcomeStates.set(lead.id, state)
      for (const effect of effects) {
        // Waits only for asynchronous effects, so that the next lead appears immediately after the key is pressed.
        const done = perform(effect)
        if (done instanceof Promise) await done
      }
    }

    const perform = (effect: OutcomeEffect): unknown => {
      switch (effect.type) {
        case 'send':
          answer = outcomeStates.inTurn(() =>
            sendOrQueue<OutcomeResponse>('POST', attempt.url, attempt.body, {
              idempotencyKey: attempt.key,
              description: descriptionOf(lead, attempt),
            }),
          )
          void answer.then(
            (found) => dispatch(found === QUEUED_RESULT ? { type: 'queued' } : { type: 'saved', next: found.next }),
            (error: unknown) => dispatch({ type: 'refused', error }),
          )
          return
        case 'begin late note':
          return previousLeadNote.begin(lead)
        case 'end late note':
          return previousLeadNote.arrived()
        case 'keep typed rest':
          return keepTypedRest(lead, attempt)
        case 'mark dealt with':
          return effect.dealtWith ? leadsDealtWith.add(lead.id) : leadsDealtWith.undo(lead.id)
        case 'offer undo':
          undo = offerOutcomeUndo(`${attempt.outcome.text}: ${formatLeadName(lead)}`, async () => {
            previousLeadNote.begin(lead)
            try {
              if (answer) await takeBack(attempt, await answer)
            } catch (e) {
              // A rejected outcome needs no undo.
              if (outcomeStates.of(lead.id).kind !== 'failed') throw e
            } finally {
              previousLeadNote.arrived()
            }
          })
          return
        case 'withdraw undo':
          return undo?.finish()
        case 'track queued undo':
          return undo && trackQueuedOutcomeUndo(attempt.key, undo)
        case 'end call':
          leadLeases.ended(lead.id)
          return callDrafts.set(lead.id, EMPTY_CALL_DRAFT)
        case 'empty screen':
          return change(EMPTY_CALL_DRAFT)
        case 'announce queued':
          return toast.info(`${formatLeadName(lead)}: ${QUEUED_MESSAGE}`, 'attention')
        case 'store next':
          cacheLead(queries, effect.next)
          return leadLeases.taken(effect.next.id)
        case 'release':
          return leadLeases.giveBack(effect.lead)
        case 'refresh lead':
          void queries.invalidateQueries({ queryKey: leadQueryOptions(lead.id).queryKey })
          void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(lead.id).queryKey })
          return
        case 'remove from lists':
          void removeLeadFromCachedLists(queries, lead.id)
          return
        case 'open':
          return Promise.resolve(open(effect.lead))
        case 'finish list':
          return Promise.resolve(
            navigate(leadListPath(from), { state: { ...SKIP_UNSAVED_WARNING_STATE, finished: LIST_FINISHED } }),
          )
        case 'reload outcomes':
          void queries.invalidateQueries({ queryKey: listQueryOptions(callOutcome).queryKey.slice(0, 2) })
          return
        case 'renew lease':
          void renew()
          return
        case 'report failure':
          return toast.failed(effect.error, () => send(attempt))
      }
    }
    void dispatch({ type: 'chosen', attempt, ahead: nextLead()?.id })
  }

  /** Undoes an outcome by removing it from the queue or by requesting the undo from the server. */
  const takeBack = async ({ key }: OutcomeAttempt, answered: OutcomeResponse | QueuedResult) => {
    const wasQueued = answered === QUEUED_RESULT && ((await (await loadOfflineQueue())?.remove(key)) ?? false)
    if (!wasQueued) {
      const saved = answered === QUEUED_RESULT ? getQueuedOutcomeResponse(key) : answered
      if (!saved) throw new ApiError(409, ALREADY_SENT)
      const former = await callApi<LeadRecord>('POST', `${contact.url}/${lead.id}/undo`, { note: saved.note.id })
      queries.setQueryData(leadQueryOptions(lead.id).queryKey, former)
    }
    leadsDealtWith.undo(lead.id)
    leadLeases.taken(lead.id)
    callDrafts.set(lead.id, { ...draft, ...stopCallTimer(draft) })
    change({ ...draft, ...stopCallTimer(draft) })
    void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(lead.id).queryKey })
    void refreshLeadLists(queries)
    await navigate(leadPathFromList(lead.id, from, calling), { state: SKIP_UNSAVED_WARNING_STATE })
  }

  const commit = (outcome: OutcomeRecord, chosenDate?: number) => {
    // The date shown on the key is sent with the outcome, so that this date applies even if the request arrives later.
    const date = chosenDate ?? decideOutcome(outcome, now(), undefined, ukNationForPostcode(lead.postcode)).expiry
    const body = {
      result: `${lastResult.url}/${outcome.id}`,
      outcomes: lead.outcomes ?? 0,
      version: outcome.version ?? 1,
      ...(typeof date === 'number' ? { date } : {}),
      ...(draft.notes.trim() ? { notes: draft.notes.trim() } : {}),
      ...(minutesToRecord(draft) === undefined ? {} : { minutes: minutesToRecord(draft) }),
    }
    const failed = sending.kind === 'failed' ? sending.attempt : undefined
    send(
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

  /** Removes an outcome from the queue. Its note still belongs to the call and is restored to the draft. */
  const discard = async ({ key, text }: { readonly key: string; readonly text?: string | undefined }) => {
    const removed = (await (await loadOfflineQueue())?.remove(key)) ?? false
    if (removed) change({ notes: [callDrafts.get(lead.id).notes, text].filter(Boolean).join('\n') })
    return removed
  }
  return {
    sending,
    /** The outcome that is queued on this device. */
    waiting,
    /** The queued outcome that the server has rejected. */
    refused,
    sendAgain: async () => {
      if (refused) await (await loadOfflineQueue())?.send(refused.key)
    },
    throwAway: async () => {
      if (refused) await discard(refused)
    },
    takeBack: async () => {
      if (waiting && !(await discard(waiting))) toast.info(ALREADY_SENT, 'attention')
    },
    commit,
    retry: () => {
      if (sending.kind === 'failed') send(sending.attempt)
    },
    dismiss: () => outcomeStates.set(lead.id, { kind: 'idle' }),
  }
}

const descriptionOf = (lead: LeadRecord, { outcome, body }: OutcomeAttempt) => ({
  what: `Outcome: ${outcome.text}`,
  of: formatLeadName(lead),
  text: typeof body.notes === 'string' ? body.notes : undefined,
  at: leadViewPath(lead.id),
  about: [`${contact.url}/${lead.id}`],
})

/** Saves any text typed after the outcome was sent. The text becomes a separate note. */
function keepTypedRest(lead: LeadRecord, { body }: OutcomeAttempt): void {
  const sent = typeof body.notes === 'string' ? body.notes : ''
  const notes = callDrafts.get(lead.id).notes.trim()
  const rest = (notes.startsWith(sent) ? notes.slice(sent.length) : notes).trim()
  if (rest) previousLeadNote.add(lead, rest)
}
