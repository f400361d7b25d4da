import { letter } from '#rooms/portal/mail/letter.ts'
import type { Context } from '#server/behaviour.ts'
import type { Row } from '#server/data/plan.ts'
import type { Work } from '#server/data/work.ts'
import type { Engine } from '#server/engine.ts'
import { makeLink } from './link.server.ts'
import type { MailFacts } from './mail.ts'

/** What letters about a quote say, with a link of their own. */
export async function factsOf(engine: Engine, work: Work, row: Row): Promise<MailFacts> {
  const expiresAt = typeof row.expiresAt === 'string' ? Temporal.Instant.from(row.expiresAt) : undefined
  const [owner] = await work.tx.rows<MailFacts['owner']>(
    'SELECT name, telephone, email FROM staff WHERE client_id = $1 AND id = $2',
    [work.clientId, row.owner],
  )
  const [customer] = await work.tx.rows<{ name: string | null }>(
    'SELECT contact_name AS name FROM customer WHERE client_id = $1 AND id = $2',
    [work.clientId, row.customer],
  )
  return {
    reference: String(row.reference),
    company: String(row.company),
    contactName: customer?.name ?? '',
    total: Number(row.total),
    currency: String(row.currency),
    message: String(row.message),
    expiresAt,
    provider: engine.config.provider,
    owner: owner ?? { name: '', telephone: '', email: '' },
    link: await makeLink(engine, work, row.id, expiresAt ?? engine.clock.now()),
  }
}

/** Puts a letter into the outbox. It carries the customer's link, so the portal keeps it without its body. */
export const post = (
  c: Pick<Context, 'after'>,
  to: string,
  mail: { subject: string; body: string },
  template: string,
): Promise<void> => c.after(letter, { to, ...mail, confidential: true, template })
