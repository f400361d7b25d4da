import { PROVIDER } from '#kernel/roles.ts'
import { takeRecipients } from '#modules/portal/mail/allowance.server.ts'
import type { Letter } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import type { Supplier } from './supplier.ts'

/** In whose name a letter to a customer goes: the provider's go in the portal's, a client's in its own, which gets the answers. */
export const inNameOf = (clientId: number, supplier: Supplier | null): Pick<Letter, 'from'> =>
  clientId === PROVIDER || !supplier?.name ? {} : { from: { name: supplier.name, replyTo: supplier.email } }

/** A client's own people write to so many a day; the provider's, and the portal itself, to as many as are needed. Throws 429. */
export async function countLetter(c: Context, to: string | null | undefined): Promise<void> {
  if (to && c.clientId !== PROVIDER && !c.actor.kind) await takeRecipients(c, 1)
}
