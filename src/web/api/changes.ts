import { makeQuestion } from './question.ts'
import { type Me, session } from './session.ts'

/** Asks a person who works read-only as somebody else why they want to make changes. */
export const reason = makeQuestion()

/**
 * May things be changed now? While working as somebody else, not until a reason is given: buttons stay, and the question comes
 * between the click and its effect. Permissions are separate (`kernel/can.ts`).
 */
export const mayChange = (me: Me | undefined): 'yes' | 'not until you say why' =>
  me?.impersonation && !me.impersonation.writes ? 'not until you say why' : 'yes'

/** The same for the person at work, asking for the reason where needed. False where they decline. */
export const mayChangeNow = async (): Promise<boolean> => mayChange(session.me()) === 'yes' || reason.ask()

/** The message where a reason was declined. */
export const STILL_LOOKING = 'Nothing was changed: you are looking only.'
