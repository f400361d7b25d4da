import { ApiError } from '#web/api/client.ts'
import type { LeadWithNotes } from '../contacts/data.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'

/** The request that records an outcome. Sent again under its key, it takes effect once. */
export interface OutcomeAttempt {
  readonly outcome: OutcomeRecord
  readonly url: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

/** How far the outcome of a lead's call has got. */
export type OutcomeState =
  | { readonly kind: 'idle' }
  /** `ahead` is the lead that was opened before the server has answered. */
  | { readonly kind: 'saving'; readonly attempt: OutcomeAttempt; readonly ahead: number | undefined }
  | { readonly kind: 'failed'; readonly attempt: OutcomeAttempt; readonly error: unknown }

export type OutcomeEvent =
  | { readonly type: 'chosen'; readonly attempt: OutcomeAttempt; readonly ahead: number | undefined }
  /** The server has leased the next lead to this person, where there was one. */
  | { readonly type: 'saved'; readonly next: LeadWithNotes | null }
  | { readonly type: 'queued' }
  | { readonly type: 'refused'; readonly error: unknown }
  | { readonly type: 'dismissed' }

/** What the screen does, in this order. */
export type OutcomeEffect =
  | { readonly type: 'send'; readonly attempt: OutcomeAttempt }
  /** Keys typed from now on belong to the note of this lead. */
  | { readonly type: 'begin late note' }
  /** Keys act on the screen again. */
  | { readonly type: 'end late note' }
  /** Turns what was typed after sending into a late note. */
  | { readonly type: 'keep typed rest'; readonly attempt: OutcomeAttempt }
  /** The list passes the lead by, or shows it again. */
  | { readonly type: 'mark dealt with'; readonly dealtWith: boolean }
  | { readonly type: 'offer undo'; readonly attempt: OutcomeAttempt }
  | { readonly type: 'withdraw undo' }
  /** Keeps the undo of a queued outcome until that is refused. */
  | { readonly type: 'track queued undo'; readonly attempt: OutcomeAttempt }
  /** Ends the lease and empties the draft. */
  | { readonly type: 'end call' }
  | { readonly type: 'empty screen' }
  | { readonly type: 'announce queued' }
  | { readonly type: 'store next'; readonly next: LeadWithNotes }
  | { readonly type: 'release'; readonly lead: number }
  | { readonly type: 'refresh lead' }
  | { readonly type: 'remove from lists' }
  | { readonly type: 'open'; readonly lead: number }
  /** There is no other lead: back to the list. */
  | { readonly type: 'finish list' }
  | { readonly type: 'reload outcomes' }
  | { readonly type: 'renew lease' }
  | { readonly type: 'report failure'; readonly attempt: OutcomeAttempt; readonly error: unknown }

export interface OutcomeContext {
  readonly lead: number
  /** Leads come from the queue, not from the rows of the list. */
  readonly calling: boolean
  /** The row after this lead. */
  readonly following: number | undefined
  /** The lead's screen is open. */
  readonly isOpen: boolean
  /** Is a lead on the screen, with no outcome of its own on its way? */
  readonly isShowing: (lead: number) => boolean
}

interface Transition {
  readonly state: OutcomeState
  readonly effects: readonly OutcomeEffect[]
}

/** Was the outcome refused because it does something else by now than its key showed? */
export const isOutcomeRuleChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rule_changed'

/** The next state of a lead's outcome, and what the screen does. */
export function transition(state: OutcomeState, event: OutcomeEvent, context: OutcomeContext): Transition {
  if (event.type === 'dismissed') return { state: { kind: 'idle' }, effects: [] }
  if (event.type === 'chosen') return state.kind === 'saving' ? { state, effects: [] } : choose(event)
  if (state.kind !== 'saving') return { state, effects: [] }
  switch (event.type) {
    case 'saved':
      return { state: { kind: 'idle' }, effects: afterSaving(state, event.next, context) }
    case 'queued':
      return { state: { kind: 'idle' }, effects: afterQueueing(state) }
    case 'refused':
      return {
        state: { kind: 'failed', attempt: state.attempt, error: event.error },
        effects: afterRefusal(state, event.error, context),
      }
  }
}

type Saving = Extract<OutcomeState, { kind: 'saving' }>

/** The lead that was taken ahead is opened at once. */
const choose = ({ attempt, ahead }: Extract<OutcomeEvent, { type: 'chosen' }>): Transition => ({
  state: { kind: 'saving', attempt, ahead },
  effects: [
    { type: 'begin late note' },
    { type: 'mark dealt with', dealtWith: true },
    { type: 'send', attempt },
    ...(ahead === undefined ? [] : [{ type: 'offer undo', attempt } as const, { type: 'open', lead: ahead } as const]),
  ],
})

function afterSaving(
  { attempt, ahead }: Saving,
  next: LeadWithNotes | null,
  { calling, following, isOpen }: OutcomeContext,
): OutcomeEffect[] {
  const isNew = next !== null && next.id !== ahead
  const stays = ahead === undefined && isOpen
  const to = calling ? next?.id : following
  const unwanted = isNew && !(stays && next.id === to)
  return [
    ...(ahead === undefined ? [{ type: 'offer undo', attempt } as const] : []),
    { type: 'keep typed rest', attempt },
    { type: 'end call' },
    ...(isNew ? [{ type: 'store next', next } as const] : []),
    { type: 'refresh lead' },
    ...(unwanted ? [{ type: 'release', lead: next.id } as const] : []),
    ...(stays ? [to === undefined ? ({ type: 'finish list' } as const) : ({ type: 'open', lead: to } as const)] : []),
    { type: 'remove from lists' },
    { type: 'end late note' },
  ]
}

/** Nobody else can have had the lead meanwhile: its screen stays until there is a connection. */
const afterQueueing = ({ attempt, ahead }: Saving): OutcomeEffect[] => [
  ...(ahead === undefined ? [{ type: 'offer undo', attempt } as const] : []),
  { type: 'track queued undo', attempt },
  { type: 'keep typed rest', attempt },
  { type: 'end call' },
  { type: 'empty screen' },
  ...(ahead === undefined ? [] : [{ type: 'announce queued' } as const]),
  { type: 'end late note' },
]

/** The lead comes back with what was typed, unless somebody is busy with another by now. */
function afterRefusal({ attempt, ahead }: Saving, error: unknown, context: OutcomeContext): OutcomeEffect[] {
  const isConflict = error instanceof ApiError && error.status === 409
  return [
    { type: 'mark dealt with', dealtWith: false },
    { type: 'withdraw undo' },
    ...(isOutcomeRuleChanged(error) ? [{ type: 'reload outcomes' } as const] : []),
    ...(ahead === undefined ? [{ type: 'end late note' } as const] : []),
    ...(isConflict ? [{ type: 'renew lease' } as const] : []),
    ...(ahead === undefined
      ? []
      : context.isShowing(ahead)
        ? [{ type: 'open', lead: context.lead } as const]
        : [{ type: 'release', lead: context.lead } as const, { type: 'report failure', attempt, error } as const]),
  ]
}
