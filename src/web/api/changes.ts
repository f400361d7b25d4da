import { createPrompt } from './question.ts'
import { type Me, session } from './session.ts'

/** Prompt for a reason to make changes, shown to a person who is impersonating another in read-only mode. */
export const changeReasonPrompt = createPrompt()

/**
 * Returns true if the person may make changes now. While impersonating, they may do so only after giving a reason:
 * buttons stay enabled, and the person is asked after the click, before it takes effect. Permissions are separate
 * (`kernel/can.ts`).
 */
export const checkChangePermission = (me: Me | undefined): 'yes' | 'not until you say why' =>
  me?.impersonation && !me.impersonation.writes ? 'not until you say why' : 'yes'

/**
 * Checks whether the signed-in person may make changes, and asks for a reason if one is needed. Resolves to false if
 * they decline.
 */
export const ensureChangesAllowed = async (): Promise<boolean> =>
  checkChangePermission(session.me()) === 'yes' || changeReasonPrompt.ask()

/** Error message shown if the person declined to give a reason. */
export const READ_ONLY_MESSAGE = 'You have read-only access, so nothing was changed. Choose “Allow changes” first.'
