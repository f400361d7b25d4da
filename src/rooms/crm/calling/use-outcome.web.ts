import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, call, type Params, queryString } from '#web/api/client.ts'
import type { Countdown } from '#web/ui/countdown.ts'
import { undoable } from '#web/ui/say.ts'
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
import { lastResult } from '../contacts/lookups.ts'
import type { Outcome } from '../contacts/outcomes.ts'
import { type Draft, drafts, EMPTY, minutesOf, stopTimer } from './draft.web.ts'
import { leadPath } from './start-calling.web.ts'
import { leases } from './use-lease.web.ts'

/** Exactly what was sent, so that sending it again does it once. */
interface Attempt {
  readonly outcome: Outcome
  readonly url: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

export type Sending =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly outcome: Outcome; readonly error: unknown }

interface Setting {
  readonly lead: Lead
  readonly from: string
  readonly calling: boolean
  readonly params: Params
  readonly draft: Draft
  /** The lead after this one in the loaded list. */
  readonly following: number | undefined
  readonly renew: () => Promise<void>
}

/** What a screen that is left on purpose says to the guard of unsaved notes. */
export const SETTLED = { settled: true }

let offered: Countdown[] = []
/** The last two outcomes can be taken back: more notices would hide the screen. */
function offerUndo(message: string, undo: () => unknown): void {
  for (const c of offered.slice(0, -1)) c.finish()
  offered = [...offered.slice(-1), undoable({ message, undo })]
}

/** Records how the call ended and opens the next lead, which the answer brings along. */
export function useOutcome({ lead, from, calling, params, draft, following, renew }: Setting) {
  const [sending, setSending] = useState<Sending>({ kind: 'idle' })
  const last = useRef<Attempt>(undefined)
  const busy = useRef(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  // Whoever leaves while it is being saved is not called back.
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const send = async (attempt: Attempt) => {
    if (busy.current) return
    busy.current = true
    last.current = attempt
    setSending({ kind: 'saving', outcome: attempt.outcome })
    try {
      const answer = await call<{ contact: Lead | null; note: Note; next: Fetched | null }>(
        'POST',
        attempt.url,
        attempt.body,
        { idempotencyKey: attempt.key },
      )
      await goOn(attempt.outcome, answer.note, answer.next)
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) void renew()
      setSending({ kind: 'failed', outcome: attempt.outcome, error })
    }
    busy.current = false
  }

  const goOn = async (outcome: Outcome, note: Note, next: Fetched | null) => {
    dealtWith.add(lead.id)
    leases.ended(lead.id)
    drafts.set(lead.id, EMPTY)
    offerUndo(`${outcome.label}: ${leadName(lead)}`, () => takeBack(note))
    if (next) {
      keepLead(queries, next)
      leases.taken(next.id)
    }
    void queries.invalidateQueries({ queryKey: leadOptions(lead.id).queryKey })
    void queries.invalidateQueries({ queryKey: notesOptions(lead.id).queryKey })
    if (!here.current) {
      if (next) leases.giveBack(next.id)
      return removeFromLists(queries, lead.id)
    }
    const to = next?.id ?? (calling ? undefined : following)
    await (to === undefined
      ? navigate(listPath(from), {
          state: {
            ...SETTLED,
            finished: 'That was the last one. No other lead of this list is waiting for a call now.',
          },
        })
      : navigate(leadPath(to, from, calling), { state: SETTLED, flushSync: true }))
    void removeFromLists(queries, lead.id)
  }

  const takeBack = async (note: Note) => {
    const back = await call<Lead>('POST', `${contact.url}/${lead.id}/undo`, { note: note.id })
    dealtWith.undo(lead.id)
    leases.taken(lead.id)
    drafts.set(lead.id, { ...draft, ...stopTimer(draft) })
    queries.setQueryData(leadOptions(lead.id).queryKey, back)
    void queries.invalidateQueries({ queryKey: notesOptions(lead.id).queryKey })
    void refreshLists(queries)
    await navigate(leadPath(lead.id, from, calling), { state: SETTLED })
  }

  const commit = (outcome: Outcome, date?: number) => {
    const body = {
      result: `${lastResult.url}/${outcome.result}`,
      ...(date === undefined ? {} : { date }),
      ...(draft.notes.trim() ? { notes: draft.notes.trim() } : {}),
      ...(minutesOf(draft) === undefined ? {} : { minutes: minutesOf(draft) }),
    }
    const again = last.current && JSON.stringify(last.current.body) === JSON.stringify(body) ? last.current : undefined
    void send(
      again ?? {
        outcome,
        body,
        key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
        url: `${contact.url}/${lead.id}/outcomes${queryString(params)}`,
      },
    )
  }
  return {
    sending,
    commit,
    retry: () => last.current && void send(last.current),
    dismiss: () => setSending({ kind: 'idle' }),
  }
}
