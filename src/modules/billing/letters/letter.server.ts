import { PROVIDER, systemActor } from '#kernel/roles.ts'
import { breakLinksInText } from '#kernel/text/letter-words.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { LINK_PLACEHOLDER, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { describePayments, type QuotePayments } from '../lines/sum.ts'
import { INVOICING_PACK } from '../rights.ts'
import { createQuoteLink } from './link.server.ts'
import type { QuoteMailFacts } from './mail.ts'
import { quoteLink } from './quote-link.ts'
import { quoteSettings } from './settings.ts'

/** Quote of an e-mail: its row, or the values about to be saved. */
interface Subject extends Pick<QuoteMailFacts, 'reference' | 'company' | 'message' | 'supplier'>, QuotePayments {
  readonly id: number
  readonly customer: number
  readonly owner: number | null
  readonly expiresAt: string | null
}

/** Collects the facts for e-mails about a quote. The link is created on sending. */
export async function quoteMailFactsOf(c: Context, q: Subject): Promise<QuoteMailFacts> {
  const { reference, company, message, supplier } = q
  const expiresAt = q.expiresAt === null ? undefined : Temporal.Instant.from(q.expiresAt)
  const owner = q.owner === null ? undefined : await c.get(staff, q.owner)
  const buyer = await c.get(customer, q.customer)
  return {
    reference,
    company,
    contactName: buyer?.contactName ?? '',
    payments: describePayments(q),
    // A client's own text is sent by the provider's mail server, so links in it are disabled.
    message: c.clientId === PROVIDER ? message : breakLinksInText(message),
    expiresAt,
    provider: PORTAL_NAME_PLACEHOLDER,
    supplier,
    owner: owner ?? { name: '', telephone: '', email: '' },
    link: LINK_PLACEHOLDER,
  }
}

/** Link for a customer to read and decide a quote. */
export const quoteSecretLink: SecretLink = {
  kind: 'quote',
  make: (engine, clientId, { quote, expiresAt }) => {
    const change = { actor: systemActor(clientId, 'send a quote link to a customer'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const link = await createQuoteLink(c, Number(quote), Temporal.Instant.from(String(expiresAt)))
      return () => link
    })
  },
}

export const quoteLetters = feature({
  pack: INVOICING_PACK,
  resources: [quoteLink, quoteSettings],
  links: [quoteSecretLink],
})
