import { takeAccountEmailAllowance } from '#modules/portal/mail/allowance.server.ts'
import { emailRequested, nameInEmail, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'

/** Recipient of an e-mail. */
interface Addressed {
  readonly name: string
  readonly username: string
}

const ASK = `If you did not expect this, please contact your administrator, or ${PORTAL_NAME_PLACEHOLDER}.`

/** E-mail about a password set by somebody else. */
export const passwordChangedEmail = (to: Addressed & { email: string }, by: string) => ({
  to: to.email,
  subject: 'Your password was changed',
  body: `Hello ${nameInEmail(to.name)},\n\n${nameInEmail(by)} has set a new password for ${to.username}. ${ASK}`,
  template: 'password-changed',
})

/**
 * Notifies the old and new address of a changed e-mail address, even if the user changed it: it may not have been them.
 */
export async function notifyEmailChange(c: Context, to: Addressed, before: string, after: string): Promise<void> {
  const { name: by } = c.actor.original ?? c.actor
  const body = `Hello ${nameInEmail(to.name)},\n\n${nameInEmail(by)} has changed the e-mail address of ${to.username} from ${before || 'none'} to ${after || 'none'}. ${ASK}`
  const addresses = [before, after].filter(Boolean)
  await takeAccountEmailAllowance(c.work.tx, c.actor, c.clientId, c.now, addresses.length)
  for (const address of addresses)
    await c.emit(emailRequested, {
      to: address,
      subject: 'Your e-mail address was changed',
      body,
      template: 'email-changed',
    })
}
