import { PROVIDER, systemActor } from '#kernel/roles.ts'
import { wordsInLetter } from '#kernel/text/letter-words.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { LINK, PORTAL } from '#modules/portal/mail/letter.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { type Paid, paymentsWords } from '../lines/sum.ts'
import { BOOKS } from '../rights.ts'
import { makeLink } from './link.server.ts'
import type { MailFacts } from './mail.ts'
import { quoteLink } from './quote-link.ts'
import { quoteSettings } from './settings.ts'

/** Quote of an e-mail: its row, or the values about to be saved. */
interface Subject extends Pick<MailFacts, 'reference' | 'company' | 'message' | 'supplier'>, Paid {
  readonly id: number
  readonly customer: number
  readonly owner: number | null
  readonly expiresAt: string | null
}

/** Collects the facts for e-mails about a quote. The link is created on sending. */
export async function factsOf(c: Context, q: Subject): Promise<MailFacts> {
  const { reference, company, message, supplier } = q
  const expiresAt = q.expiresAt === null ? undefined : Temporal.Instant.from(q.expiresAt)
  const owner = q.owner === null ? undefined : await c.get(staff, q.owner)
  const buyer = await c.get(customer, q.customer)
  return {
    reference,
    company,
    contactName: buyer?.contactName ?? '',
    payments: paymentsWords(q),
    // A client's own text is sent by the provider's mail server, so links in it are disabled.
    message: c.clientId === PROVIDER ? message : wordsInLetter(message),
    expiresAt,
    provider: PORTAL,
    supplier,
    owner: owner ?? { name: '', telephone: '', email: '' },
    link: LINK,
  }
}

/** Link for a customer to read and decide a quote. */
export const customersLink: SecretLink = {
  kind: 'quote',
  make: (engine, clientId, { quote, expiresAt }) => {
    const change = { actor: systemActor(clientId, 'send a quote link to a customer'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const link = await makeLink(c, Number(quote), Temporal.Instant.from(String(expiresAt)))
      return () => link
    })
  },
}

export const quoteLetters = feature({
  pack: BOOKS,
  resources: [quoteLink, quoteSettings],
  links: [customersLink],
})
