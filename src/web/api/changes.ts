import { createPrompt } from './question.ts'
import { type Me, session } from './session.ts'

/** Asks a person who impersonates another in read-only mode for a reason to make changes. */
export const changeReasonPrompt = createPrompt()

/**
 * Whether the person may change things now. While impersonating, not until a reason is given: buttons stay enabled, and
 * the question comes after the click, before its effect. Permissions are separate (`kernel/can.ts`).
 */
export const checkChangePermission = (me: Me | undefined): 'yes' | 'not until you say why' =>
  me?.impersonation && !me.impersonation.writes ? 'not until you say why' : 'yes'

/** Checks `mayChange` for the signed-in person and asks for the reason if needed. False if they decline. */
export const ensureChangesAllowed = async (): Promise<boolean> =>
  checkChangePermission(session.me()) === 'yes' || changeReasonPrompt.ask()

/** Shown after a reason was declined. */
export const READ_ONLY_MESSAGE = 'You have read-only access, so nothing was changed. Choose “Allow changes” first.'
