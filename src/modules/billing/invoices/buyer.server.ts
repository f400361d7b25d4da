import { isEmail } from '#kernel/email.ts'
import type { RowOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Context } from '#server/engine/types.ts'
import type { customer } from '../customers/customer.ts'
import type { Buyer } from './buyer.ts'

interface Address {
  readonly address1?: string | null
  readonly address2?: string | null
  readonly city?: string | null
  readonly county?: string | null
  readonly postcode?: string | null
}

const HOME = 'GB'
const countries = new Intl.DisplayNames(['en-GB'], { type: 'region' })

const linesOf = (of: Address, country: string): string[] =>
  [of.address1, of.address2, of.city, of.county, of.postcode, country === HOME ? '' : countries.of(country)].flatMap(
    (line) => line?.trim() || [],
  )

/** Returns the buyer for invoices of a customer: from its own billing details, otherwise from its client or lead. */
export async function buyerOf(c: Pick<Context, 'get'>, of: RowOf<typeof customer>): Promise<Buyer> {
  const own = linesOf(of, of.country)
  const account = of.client === null ? undefined : await c.get(client, of.client)
  const lead = of.contact === null ? undefined : await c.get(contact, of.contact)
  const known = account && linesOf(account, HOME).length ? linesOf(account, HOME) : lead ? linesOf(lead, HOME) : []
  return {
    name: of.billingName || of.companyName || account?.company || of.contactName || '',
    contactName: of.contactName && of.contactName !== of.companyName ? of.contactName : '',
    // A country alone is no address.
    address: own.length > (of.country === HOME ? 0 : 1) ? own : known,
    vatNumber: of.vatNumber,
    email: [of.invoiceEmail, of.email].find((address) => isEmail(address)) ?? '',
  }
}
