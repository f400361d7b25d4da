import { useSyncExternalStore } from 'react'
import type { OutcomeState } from './outcome-machine.web.ts'

const IDLE: OutcomeState = { kind: 'idle' }

const states = new Map<number, OutcomeState>()

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Settles when the last request has its response. */
let lastAnswer: Promise<unknown> = Promise.resolve()

/** Outcomes being saved, by lead: the next lead is on the screen before the server responds. */
export const outcomeStates = {
  of: (lead: number): OutcomeState => states.get(lead) ?? IDLE,
  set: (lead: number, state: OutcomeState) => {
    if (state.kind === 'idle') states.delete(lead)
    else states.set(lead, state)
    for (const l of listeners) l()
  },
  /** Sends requests one after another: until the server has responded to one, it could lease the same lead again. */
  inTurn: <T>(send: () => Promise<T>): Promise<T> => {
    const answer = lastAnswer.then(send)
    lastAnswer = answer.catch(() => undefined)
    return answer
  },
  /** Resolves when all requests have their responses. */
  answered: () => lastAnswer,
}

export const useOutcomeState = (lead: number): OutcomeState =>
  useSyncExternalStore(subscribe, () => outcomeStates.of(lead))
