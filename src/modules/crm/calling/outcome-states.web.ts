import { useSyncExternalStore } from 'react'
import type { OutcomeState } from './outcome-machine.web.ts'

const IDLE: OutcomeState = { kind: 'idle' }

const states = new Map<number, OutcomeState>()

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Promise that settles when the server has responded to the last request. */
let lastAnswer: Promise<unknown> = Promise.resolve()

/**
 * Outcomes being saved, by lead. They are kept outside the lead's screen, because the next lead is shown before the
 * server responds.
 */
export const outcomeStates = {
  of: (lead: number): OutcomeState => states.get(lead) ?? IDLE,
  set: (lead: number, state: OutcomeState) => {
    if (state.kind === 'idle') states.delete(lead)
    else states.set(lead, state)
    for (const l of listeners) l()
  },
  /** Sends requests one after another. If two were sent at once, the server could lease the same lead again. */
  inTurn: <T>(send: () => Promise<T>): Promise<T> => {
    const answer = lastAnswer.then(send)
    lastAnswer = answer.catch(() => undefined)
    return answer
  },
  /** Returns a promise that resolves when the server has responded to all requests. */
  answered: () => lastAnswer,
}

export const useOutcomeState = (lead: number): OutcomeState =>
  useSyncExternalStore(subscribe, () => outcomeStates.of(lead))
