import { makeQuestion } from './question.ts'
import { type Me, session } from './session.ts'

/** Why is something to be changed? Asked of whoever works as a client's person and has only looked so far. */
export const reason = makeQuestion()

/**
 * May things be changed here and now? While working as somebody else, not until one says why: buttons stay where they are, and the
 * question comes between the click and what it does. What the person's rights allow is another matter (`kernel/can.ts`).
 */
export const mayChange = (me: Me | undefined): 'yes' | 'not until you say why' =>
  me?.impersonation && !me.impersonation.writes ? 'not until you say why' : 'yes'

/** The same of whoever is at work, with the question where it takes it. False when they would rather not. */
export const mayChangeNow = async (): Promise<boolean> => mayChange(session.me()) === 'yes' || reason.ask()

/** Said where somebody would rather not. */
export const STILL_LOOKING = 'Nothing was changed: you are looking only.'
