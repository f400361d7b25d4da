import { iriOf, type RowOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { coupon } from '../catalogue/coupon.ts'
import { customer } from './customer.ts'

/** Result code for a sent quote. Leads without a quote have another result. */
const QUOTE_SENT = 6
const MAX_DEMO_CUSTOMERS = 24
/** Clients that are also customers of the provider. */
const CLIENTS = [1, 2]
/** Pence owed by every fifth customer. */
const OWED = 8280

const STREETS = ['Mill Lane', 'Station Road', 'Foundry Street', 'Orchard Way', 'Quay Road']

/** Turns some leads that have been sent a quote, and some clients, into customers. */
const customersPart: DemoDataPart = {
  name: 'customers',
  needs: ['leads', 'catalogue'],
  tell: async (engine) => {
    const { leads, sellers, welcome } = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, async (c) => ({
      leads: (await c.find(contact, { lastResult: QUOTE_SENT }))
        .filter((lead) => lead.email)
        .slice(0, MAX_DEMO_CUSTOMERS),
      sellers: new Map((await c.find(staff, { tray: false })).map((one) => [one.id, one.username])),
      welcome: (await c.find(coupon, { name: 'Welcome' }))[0]?.id ?? null,
    }))
    for (const [i, lead] of leads.entries()) {
      const more = { coupon: (i + 1) % 4 === 0 ? welcome : null, owes: (i + 1) % 5 === 0 ? OWED : 0 }
      await sellTo(engine, lead, sellers.get(lead.owner ?? 0) ?? 'staff', more)
    }
    for (const clientId of CLIENTS) await takeOver(engine, clientId)
  },
}

async function sellTo(
  engine: Engine,
  lead: RowOf<typeof contact>,
  seller: string,
  { coupon, owes }: { readonly coupon: number | null; readonly owes: number },
): Promise<void> {
  const at = engine.clock.now().subtract({ hours: 24 * (lead.id % 40) })
  const id = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: seller, at }, async (c) => {
    const metadata = {
      ...(lead.owner === null ? {} : { owner: seller }),
      contact_uri: iriOf(contact, lead.id),
      contact_id: lead.id,
      telephone: lead.phone ?? '',
      company_name: lead.companyName ?? '',
      contact_name: lead.name ?? '',
    }
    const address = {
      address1: `${(lead.id % 90) + 1} ${STREETS[lead.id % STREETS.length]}`,
      city: lead.city ?? '',
      county: lead.county ?? '',
      // Not an existing postcode, because the company is fictitious.
      postcode: `ZZ${(lead.id % 20) + 1} 1AA`,
    }
    const values = { email: lead.email ?? '', contact: lead.id, coupon, metadata, ...address, createdAt: at.toString() }
    return (await (await c.create(customer, values)).saved()).id
  })
  const booked = {
    change: owes,
    reason: 'Balance from before the portal was introduced',
    keepBoth: false,
    askApproval: false,
  }
  if (owes)
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager', at }, (c) =>
      c.act(customer, 'balance', id, booked),
    )
}

async function takeOver(engine: Engine, clientId: number): Promise<void> {
  const account = await seedAsUser(engine, { clientId }, (c) => c.get(client, clientId))
  if (!account) throw new Error(`Client ${clientId} does not exist`)
  const metadata = {
    client_id: clientId,
    telephone: account.contacttel,
    company_name: account.company,
    contact_name: account.contactname,
  }
  await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, (c) =>
    c.create(customer, { email: account.contactemail, client: clientId, metadata }),
  )
}

export const seeds = [customersPart]
