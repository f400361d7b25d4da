import { PROVIDER } from '#kernel/roles.ts'
import { takeRecipientAllowance } from '#modules/portal/mail/allowance.server.ts'
import type { EmailRequest } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import type { Supplier } from './paper.ts'

/** Sender of an e-mail to a customer: the portal for the provider; for clients their own name and reply address. */
export const customerMailFrom = (clientId: number, supplier: Supplier | null): Pick<EmailRequest, 'from'> =>
  clientId === PROVIDER || !supplier?.name ? {} : { from: { name: supplier.name, replyTo: supplier.email } }

/** Counts an e-mail against the client's daily limit; the provider and the portal have none. Throws 429. */
export async function countCustomerMail(c: Context, to: string | null | undefined): Promise<void> {
  if (to && c.clientId !== PROVIDER && !c.actor.kind) await takeRecipientAllowance(c, 1)
}
