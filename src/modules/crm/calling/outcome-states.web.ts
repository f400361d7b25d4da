import { useSyncExternalStore } from 'react'
import type { OutcomeState } from './outcome-machine.web.ts'

const IDLE: OutcomeState = { kind: 'idle' }

const states = new Map<number, OutcomeState>()

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Settles when the last request has been answered. */
let lastAnswer: Promise<unknown> = Promise.resolve()

/** The outcomes that are being saved, by lead: the next lead is on the screen before the server has answered. */
export const outcomeStates = {
  of: (lead: number): OutcomeState => states.get(lead) ?? IDLE,
  set: (lead: number, state: OutcomeState) => {
    if (state.kind === 'idle') states.delete(lead)
    else states.set(lead, state)
    for (const l of listeners) l()
  },
  /** Sends requests one after the other: until one is answered, its lead could be taken as the next. */
  inTurn: <T>(send: () => Promise<T>): Promise<T> => {
    const answer = lastAnswer.then(send)
    lastAnswer = answer.catch(() => undefined)
    return answer
  },
  /** Resolves when all requests are answered. */
  answered: () => lastAnswer,
}

export const useOutcomeState = (lead: number): OutcomeState =>
  useSyncExternalStore(subscribe, () => outcomeStates.of(lead))
