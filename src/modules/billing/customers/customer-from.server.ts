import { problem, violation } from '#kernel/errors.ts'
import { idAtEnd, idByIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { iriOf, type RecordOf, type RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { customer } from './customer.ts'
import type { CustomerMetadata } from './metadata.ts'

/** Reads an ID from an IRI in a body; throws 422 if it is missing, 400 if it is no such IRI. */
function idFromBody(body: Readonly<Record<string, unknown>>, name: string, r: Resource): number {
  const given = body[name]
  if (given === undefined || given === null || given === '')
    throw problem.invalid([violation(name, 'Field required, select an option')])
  const iri = typeof given === 'object' && '@id' in given ? given['@id'] : given
  const id = idByIri(r, iri)
  if (id === undefined) throw problem.invalidIri(iri)
  return id
}

/** Fields that a customer takes from a lead. */
type Lead = Pick<
  RecordOf<typeof contact>,
  '@id' | 'id' | 'email' | 'client' | 'phone' | 'mobile' | 'companyName' | 'name'
> & { readonly owner: { readonly username: string } | null }
type Account = RecordOf<typeof client>

/**
 * Completes the body of a new customer from its contact or client; fields in the body take precedence. A client brings
 * the contact it was won from, unless that is already a customer.
 */
export async function completeCustomerBody(engine: Engine, actor: Actor, body: ApiRecord): Promise<ApiRecord> {
  const { contact: ofContact, client: ofClient, ...given } = body
  if (!ofContact && !ofClient)
    throw problem.invalid([violation('contact', 'Please choose the contact or the client to make a customer')])
  const account = ofClient ? await engine.one(client, actor, idFromBody(body, 'client', client)) : undefined
  const lead = ofContact
    ? await engine.one(contact, actor, idFromBody(body, 'contact', contact))
    : account && (await availableLeadOf(engine, actor, account.id))
  const from = customerFieldsFrom(lead, account)
  const more = given.metadata && typeof given.metadata === 'object' ? given.metadata : {}
  return { ...from, ...withoutEmpty(given), metadata: { ...from.metadata, ...more } }
}

/** Merges customer fields from a client and the contact it was won from; either may be missing. */
export function customerFieldsFrom(lead: Lead | undefined, account: Account | undefined) {
  const email = [account?.contactemail, lead?.email].find((address) => address?.includes('@'))
  const id = account?.id ?? idAtEnd(lead?.client)
  return {
    email,
    ...(lead ? { contact: lead['@id'] } : {}),
    ...(id === undefined ? {} : { client: iriOf(client, id) }),
    metadata: withoutEmpty({
      owner: lead?.owner?.username,
      contact_uri: lead?.['@id'],
      contact_id: lead?.id,
      client_id: id,
      telephone: account?.contacttel || lead?.phone || lead?.mobile,
      company_name: account?.company || lead?.companyName,
      contact_name: account?.contactname || lead?.name,
    }),
  }
}

/** Returns the contact that a client was won from, unless it already has a customer. */
export async function availableLeadOf(engine: Engine, actor: Actor, clientId: number): Promise<Lead | undefined> {
  const query = { client: String(clientId), retired: 'false', 'exists[customer]': 'false' }
  const { members } = await engine.list(contact, actor, query, { limit: 1, offset: 0 }, { count: false })
  return members[0]
}

/**
 * Returns or creates the customer of a lead in the caller's transaction, so a refusal rolls it back. Quotes go to
 * `email`, or to the lead's own address.
 */
export async function ensureCustomerOfLead(c: Context, id: number, email: string): Promise<RowOf<typeof customer>> {
  const lead = await c.lock(contact, id)
  const [known] = await c.find(customer, { contact: id, retired: false })
  if (known) return known
  const owner = lead.owner === null ? undefined : await c.get(staff, lead.owner)
  const from = customerFieldsFrom(
    {
      ...lead,
      '@id': iriOf(contact, id),
      client: lead.client === null ? null : iriOf(client, lead.client),
      owner: owner ?? null,
    },
    undefined,
  )
  const made = await c.create(customer, {
    contact: id,
    client: lead.client,
    email: email || from.email || '',
    metadata: from.metadata as CustomerMetadata,
  })
  return made.saved()
}

const withoutEmpty = (o: ApiRecord): ApiRecord =>
  Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined && v !== ''))
