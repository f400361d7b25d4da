import { ApiError } from '#web/api/client.ts'
import type { LeadWithNotes } from '../contacts/data.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'

/** The request that records an outcome. Retries with the same key take effect once. */
export interface OutcomeAttempt {
  readonly outcome: OutcomeRecord
  readonly url: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

/** State of the request that saves a lead's outcome. */
export type OutcomeState =
  | { readonly kind: 'idle' }
  /** `ahead` is the prefetched lead that was opened before the server responded. */
  | { readonly kind: 'saving'; readonly attempt: OutcomeAttempt; readonly ahead: number | undefined }
  | { readonly kind: 'failed'; readonly attempt: OutcomeAttempt; readonly error: unknown }

export type OutcomeEvent =
  | { readonly type: 'chosen'; readonly attempt: OutcomeAttempt; readonly ahead: number | undefined }
  /** `next` is the lead that the server has leased to this user, or null if there was none. */
  | { readonly type: 'saved'; readonly next: LeadWithNotes | null }
  | { readonly type: 'queued' }
  | { readonly type: 'refused'; readonly error: unknown }
  | { readonly type: 'dismissed' }

/** Effects on the screen, in the order in which they are performed. */
export type OutcomeEffect =
  | { readonly type: 'send'; readonly attempt: OutcomeAttempt }
  /** From now on, typed text is added to the note on the lead whose call has just ended. */
  | { readonly type: 'begin late note' }
  /** From now on, keyboard shortcuts act on the lead on the screen again. */
  | { readonly type: 'end late note' }
  /** Saves any text typed after the outcome was sent. The text becomes a separate note. */
  | { readonly type: 'keep typed rest'; readonly attempt: OutcomeAttempt }
  /** Makes the list skip the lead, or show it again. */
  | { readonly type: 'mark dealt with'; readonly dealtWith: boolean }
  | { readonly type: 'offer undo'; readonly attempt: OutcomeAttempt }
  | { readonly type: 'withdraw undo' }
  /** Makes undo available for a queued outcome until the server rejects it. */
  | { readonly type: 'track queued undo'; readonly attempt: OutcomeAttempt }
  /** Ends the lease and empties the call draft. */
  | { readonly type: 'end call' }
  | { readonly type: 'empty screen' }
  | { readonly type: 'announce queued' }
  | { readonly type: 'store next'; readonly next: LeadWithNotes }
  | { readonly type: 'release'; readonly lead: number }
  | { readonly type: 'refresh lead' }
  | { readonly type: 'remove from lists' }
  | { readonly type: 'open'; readonly lead: number }
  /** Returns to the list, because there are no more leads. */
  | { readonly type: 'finish list' }
  | { readonly type: 'reload outcomes' }
  | { readonly type: 'renew lease' }
  | { readonly type: 'report failure'; readonly attempt: OutcomeAttempt; readonly error: unknown }

export interface OutcomeContext {
  readonly lead: number
  /** Whether leads come from the call queue instead of the rows of the list. */
  readonly calling: boolean
  /** ID of the lead in the next row of the list. */
  readonly following: number | undefined
  /** Whether the lead's screen is open. */
  readonly isOpen: boolean
  /** Whether a lead is on the screen and none of its outcomes is being saved. */
  readonly isShowing: (lead: number) => boolean
}

interface Transition {
  readonly state: OutcomeState
  readonly effects: readonly OutcomeEffect[]
}

/** True if the server rejected the outcome because the outcome's rule has changed since the key was shown. */
export const isOutcomeRuleChangedError = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rule_changed'

/** Returns the next state of saving a lead's outcome, and the effects on the screen. */
export function transitionOutcome(state: OutcomeState, event: OutcomeEvent, context: OutcomeContext): Transition {
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

/** Opens the prefetched lead immediately. */
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

/**
 * Returns the effects after an outcome has been queued. Unless a prefetched lead has been opened, the lead's screen
 * stays open until there is a connection.
 */
const afterQueueing = ({ attempt, ahead }: Saving): OutcomeEffect[] => [
  ...(ahead === undefined ? [{ type: 'offer undo', attempt } as const] : []),
  { type: 'track queued undo', attempt },
  { type: 'keep typed rest', attempt },
  { type: 'end call' },
  { type: 'empty screen' },
  ...(ahead === undefined ? [] : [{ type: 'announce queued' } as const]),
  { type: 'end late note' },
]

/** Reopens the lead with the typed text, unless the user is already working another lead. */
function afterRefusal({ attempt, ahead }: Saving, error: unknown, context: OutcomeContext): OutcomeEffect[] {
  const isConflict = error instanceof ApiError && error.status === 409
  return [
    { type: 'mark dealt with', dealtWith: false },
    { type: 'withdraw undo' },
    ...(isOutcomeRuleChangedError(error) ? [{ type: 'reload outcomes' } as const] : []),
    ...(ahead === undefined ? [{ type: 'end late note' } as const] : []),
    ...(isConflict ? [{ type: 'renew lease' } as const] : []),
    ...(ahead === undefined
      ? []
      : context.isShowing(ahead)
        ? [{ type: 'open', lead: context.lead } as const]
        : [{ type: 'release', lead: context.lead } as const, { type: 'report failure', attempt, error } as const]),
  ]
}
