import { createQuestion } from './question.ts'
import { type Me, session } from './session.ts'

/** Asks a person who impersonates another in read-only mode for a reason to make changes. */
export const changeReasonQuestion = createQuestion()

/**
 * May things be changed now? While impersonating, not until a reason is given: buttons stay, and the question comes
 * between the click and its effect. Permissions are separate (`kernel/can.ts`).
 */
export const mayChange = (me: Me | undefined): 'yes' | 'not until you say why' =>
  me?.impersonation && !me.impersonation.writes ? 'not until you say why' : 'yes'

/** The same for the signed-in person, asking for the reason where needed. False where they decline. */
export const ensureMayChange = async (): Promise<boolean> =>
  mayChange(session.me()) === 'yes' || changeReasonQuestion.ask()

/** Shown after a reason was declined. */
export const READ_ONLY_MESSAGE = 'Nothing was changed: you have read-only access.'
