import { staff } from '#rooms/crm/staff/staff.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import type { Context } from '#server/engine/context.ts'
import { customer } from '../customers/customer.ts'
import { makeLink } from './link.server.ts'
import type { MailFacts } from './mail.ts'

/** The quote that a letter is about: its row, or what it is about to be. */
interface Subject extends Pick<MailFacts, 'reference' | 'company' | 'total' | 'currency' | 'message'> {
  readonly id: number
  readonly customer: number
  readonly owner: number | null
  readonly expiresAt: string | null
}

/** What letters about a quote say, with a link of their own. */
export async function factsOf(c: Context, q: Subject): Promise<MailFacts> {
  const { reference, company, total, currency, message } = q
  const expiresAt = q.expiresAt === null ? undefined : Temporal.Instant.from(q.expiresAt)
  const owner = q.owner === null ? undefined : await c.get(staff, q.owner)
  const buyer = await c.get(customer, q.customer)
  return {
    reference,
    company,
    contactName: buyer?.contactName ?? '',
    total,
    currency,
    message,
    expiresAt,
    provider: c.engine.config.provider,
    owner: owner ?? { name: '', telephone: '', email: '' },
    link: await makeLink(c, q.id, expiresAt ?? c.now),
  }
}

/** Puts a letter into the outbox. It carries the customer's link, so the portal keeps it without its body. */
export const post = (
  c: Pick<Context, 'after'>,
  to: string,
  mail: { subject: string; body: string },
  template: string,
): Promise<void> => c.after(letter, { to, ...mail, confidential: true, template })
