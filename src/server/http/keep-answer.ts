import type { WriteRequest } from '#server/engine/engine.ts'
import type { Answer, Call } from './endpoints.ts'
import type { Once } from './idempotency.ts'

/** What a change comes with; with an Idempotency-Key, its transaction keeps the answer that its value is made into. */
export const keepAnswer = <T>(c: Call, answer: (value: T) => Answer): WriteRequest =>
  c.once ? { ...c.change, keep: (tx, value) => (c.once as Once).keep(tx, answer(value as T)) } : c.change

/** For the second transaction of a request: keeps what came of it in place of that it was begun, or gives the key back. */
export const keepOutcome = <T>(c: Call, answer: (value: T) => Answer | undefined): WriteRequest =>
  c.once ? { ...c.change, keep: (tx, value) => (c.once as Once).keepOutcome(tx, answer(value as T)) } : c.change
