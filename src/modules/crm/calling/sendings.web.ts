import { useSyncExternalStore } from 'react'
import type { Outcome } from '../outcomes/data.web.ts'

/** Exactly what was sent, so that sending it again does it once. */
export interface Attempt {
  readonly outcome: Outcome
  readonly url: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

/** How far a lead's outcome has got. */
export type Sending =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving'; readonly attempt: Attempt }
  | { readonly kind: 'failed'; readonly attempt: Attempt; readonly error: unknown }

const IDLE: Sending = { kind: 'idle' }
const all = new Map<number, Sending>()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** What was sent last is answered, one way or the other. */
let answered: Promise<unknown> = Promise.resolve()

/** Outcomes on their way, by lead: the next lead is on the screen before the server has answered. */
export const sendings = {
  of: (lead: number): Sending => all.get(lead) ?? IDLE,
  set: (lead: number, sending: Sending) => {
    if (sending.kind === 'idle') all.delete(lead)
    else all.set(lead, sending)
    for (const l of listeners) l()
  },
  /** Sends one after the other: until the one before is answered, its lead could be the next one again. */
  inTurn: <T>(send: () => Promise<T>): Promise<T> => {
    const answer = answered.then(send)
    answered = answer.catch(() => undefined)
    return answer
  },
  /** Resolves when all that was sent is answered. */
  answered: () => answered,
}

export const useSending = (lead: number): Sending => useSyncExternalStore(subscribe, () => sendings.of(lead))
