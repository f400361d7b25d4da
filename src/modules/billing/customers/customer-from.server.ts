import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { idFromAnyIri, idFromResourceIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { iriOf, type RecordOf, type RowOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { adviceRequest } from '#modules/documents/advice/advice-request.ts'
import { TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { appStatus } from '#modules/portal/packs/app-status.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Route } from '#server/engine/route.ts'
import type { BatchStepResult, RejectedItem } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { card } from '../cards/card.ts'
import { product } from '../catalogue/plan.ts'
import { invoice } from '../invoices/invoice.ts'
import { quote } from '../quotes/quote.ts'
import { STAFF_ROLE } from '../rights.ts'
import { subscription } from '../subscriptions/subscription.ts'
import type { CustomerMetadata } from './customer.ts'
import { customer } from './customer.ts'

/**
 * Reads an ID from an IRI in a request body. Throws 422 if the IRI is missing and 400 if it doesn't have the expected
 * type.
 */
function idFromBody(body: Readonly<Record<string, unknown>>, name: string, r: Resource): number {
  const given = body[name]
  if (given === undefined || given === null || given === '')
    throw problem.invalid([violation(name, 'Field required, select an option')])
  const iri = typeof given === 'object' && '@id' in given ? given['@id'] : given
  const id = idFromResourceIri(r, iri)
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
 * Completes the body of a new customer from the contact or client that it names; other fields in the body take
 * precedence. If it names only a client, the contact that the client was won from is added, unless that contact is
 * already a customer. Throws 422 if the body names neither.
 */
export async function completeCustomerBody(engine: Engine, actor: Actor, body: ApiRecord): Promise<ApiRecord> {
  const { contact: ofContact, client: ofClient, ...given } = body
  if (!ofContact && !ofClient)
    throw problem.invalid([violation('contact', 'Please choose the lead or client to create the customer from')])
  const account = ofClient ? await engine.one(client, actor, idFromBody(body, 'client', client)) : undefined
  const lead = ofContact
    ? await engine.one(contact, actor, idFromBody(body, 'contact', contact))
    : account && (await availableLeadOf(engine, actor, account.id))
  const from = customerFieldsFrom(lead, account)
  const more = given.metadata && typeof given.metadata === 'object' ? given.metadata : {}
  return { ...from, ...withoutEmpty(given), metadata: { ...from.metadata, ...more } }
}

/** Merges the customer fields from a client and from the contact it was won from; either may be missing. */
function customerFieldsFrom(lead: Lead | undefined, account: Account | undefined) {
  const email = [account?.contactemail, lead?.email].find((address) => address?.includes('@'))
  const id = account?.id ?? idFromAnyIri(lead?.client)
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

/** Returns the contact that a client was won from, unless that contact is already a customer. */
async function availableLeadOf(engine: Engine, actor: Actor, clientId: number): Promise<Lead | undefined> {
  const query = { client: String(clientId), retired: 'false', 'exists[customer]': 'false' }
  const { members } = await engine.list(contact, actor, query, { limit: 1, offset: 0 }, { count: false })
  return members[0]
}

/**
 * Returns or creates the customer for a lead. Runs in the caller's transaction, so that a rejection also rolls back the
 * new customer. Quotes go to `email` or, if it is empty, to the lead's own address.
 */
export async function findOrCreateCustomerForLead(
  c: Context,
  id: number,
  email: string,
): Promise<RowOf<typeof customer>> {
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

/** Number of clients per batch step. */
const PORTION = 25

interface Client {
  readonly id: number
  readonly company: string
}

/** A client and the values of its new customer; the values are undefined if the client can't become a customer. */
interface Candidate extends Client {
  readonly values: ReturnType<typeof valuesOf> | undefined
  readonly refused: Problem | undefined
}

/**
 * Creates a customer for each client that has none, acting as the user who started the job. A dry run only reports the
 * result.
 */
export const customerBatchJob = defineBatchJob({
  kind: 'billing.customer-batch',
  title: 'Create customers from clients',
  queue: 'bulk',
  as: 'starter',
  oneAtATime: true,
  input: z.object({ dryRun: z.boolean() }),
  /** ID of the last client processed. */
  cursor: z.int(),
  steps: async function* (engine, run, from, actor) {
    for (let last = from ?? 0; ; ) {
      const clients = await clientsAfter(engine, run.clientId, last)
      const end = clients.at(-1)
      if (!end) return
      const candidates: Candidate[] = []
      for (const row of clients) candidates.push(await candidateOf(engine, actor, row))
      yield { cursor: end.id, execute: (c) => take(c, candidates, run.input.dryRun) }
      last = end.id
    }
  },
})

/** SQL condition for the provider's active clients without a customer. `$1` is the provider's client ID. */
export const CLIENT_WITHOUT_CUSTOMER_SQL =
  'c.id > 0 AND NOT c.retired AND NOT EXISTS (SELECT 1 FROM customer k WHERE k.client_id = $1 AND k.account_id = c.id AND NOT k.retired)'

const clientsAfter = (engine: Engine, clientId: number, last: number): Promise<Client[]> =>
  engine.db.tx('system', (tx) =>
    tx.rows<Client>(
      `SELECT c.id, c.company FROM client c WHERE ${CLIENT_WITHOUT_CUSTOMER_SQL} AND c.id > $2 ORDER BY c.id LIMIT ${PORTION}`,
      [clientId, last],
    ),
  )

async function candidateOf(engine: Engine, actor: Actor, row: Client): Promise<Candidate> {
  try {
    const account = await engine.one(client, actor, row.id)
    const lead = await availableLeadOf(engine, actor, row.id)
    const values = valuesOf(row.id, lead?.id ?? null, customerFieldsFrom(lead, account))
    if (values.email) return { ...row, values, refused: undefined }
    const sentence = 'This client has no e-mail address. Enter one in the client’s details.'
    return { ...row, values: undefined, refused: problem.invalid([violation('', sentence, 'required')]) }
  } catch (e) {
    if (e instanceof Problem) return { ...row, values: undefined, refused: e }
    throw e
  }
}

const valuesOf = (
  account: number,
  contact: number | null,
  { email, metadata }: ReturnType<typeof customerFieldsFrom>,
) => ({
  email: email ?? undefined,
  client: account,
  contact,
  metadata,
})

/**
 * Processes each client in its own savepoint, so that a rejected client leaves no data behind and doesn't stop the
 * others.
 */
async function take(c: Context, candidates: readonly Candidate[], dryRun: boolean): Promise<BatchStepResult> {
  const refused: RejectedItem[] = []
  for (const { id, company, values, refused: already } of candidates) {
    const why = already ?? (dryRun || !values ? undefined : await make(c, id, values))
    if (why) refused.push({ line: id, about: company, reason: why.message, code: why.code })
  }
  return { done: candidates.length - refused.length, refused }
}

async function make(c: Context, id: number, values: ReturnType<typeof valuesOf>): Promise<Problem | undefined> {
  const [other] = await c.find(customer, { client: id, retired: false })
  if (other)
    return problem.invalid([
      violation('', `Customer ${other.id} has already been created from this client.`, 'duplicate'),
    ])
  const made = await c.attempt(() => c.create(customer, values), { resource: customer })
  return 'refused' in made ? made.refused : undefined
}

/** Number of rows of each list on a lead's screen. The customer's and the client's pages show all. */
const MAX_LEAD_RECORDS = 5

/** Products for which the customer's subscriptions are charged. */
const soldProducts = (customerId: string) =>
  `EXISTS (SELECT FROM subscription_item i JOIN subscription s ON s.client_id = i.client_id AND s.id = i.subscription_id
     WHERE i.client_id = t.client_id AND i.product_id = t.id AND s.customer_id = ${customerId} AND s.status <> 'cancelled')`

/**
 * `GET contacts/{id}/customer_records`: everything sold to a lead and used by its client, latest first. A list that the
 * reader may not see is null.
 */
export const leadCustomerRecordsRoute: Route = {
  method: 'GET',
  path: `${contact.url}/{id}/customer_records`,
  title: 'Get a lead’s applications, cards, web documents, invoices, quotes, subscriptions and products',
  allow: STAFF_ROLE,
  handle: async ({ engine, me, params }) => {
    const lead = await engine.one(contact, me, await engine.idOf(contact, me, params.id))
    const [customerId, accountId] = [idFromAnyIri(lead.customer), idFromAnyIri(lead.client)]
    const advises = hasRole(me, TEMPLATE_MANAGER_ROLES)
    const read = async (r: Resource, owner: number | undefined, where: (id: string) => string, order: string) => {
      if (!can(me, 'read', r)) return null
      if (owner === undefined) return { total: 0, rows: [] }
      const extra = [{ sql: (next: (v: unknown) => string) => where(`${next(owner)}::bigint`) }]
      const page = { limit: MAX_LEAD_RECORDS, offset: 0 }
      const { members, total } = await engine.list(r, me, { [`order[${order}]`]: 'desc' }, page, { extra })
      return { total: total ?? members.length, rows: members }
    }
    const ofCustomer = (id: string) => `t.customer_id = ${id}`
    const [applications, cards, webDocuments, invoices, quotes, subscriptions, products] = await Promise.all([
      read(appStatus, accountId, (id) => `t.client_id = ${id}`, 'product'),
      read(card, customerId, (id) => `t.customer_id = ${id} AND NOT t.retired`, 'default'),
      advises ? read(adviceRequest, accountId, (id) => `t.client_id = ${id}`, 'createdAt') : null,
      read(invoice, customerId, ofCustomer, 'id'),
      read(quote, customerId, ofCustomer, 'id'),
      read(subscription, customerId, ofCustomer, 'id'),
      read(product, customerId, soldProducts, 'created'),
    ])
    return {
      '@id': `${contact.url}/${lead.id}/customer_records`,
      '@type': 'LeadCustomerRecords',
      applications,
      cards,
      webDocuments,
      invoices,
      quotes,
      subscriptions,
      products,
    }
  },
}
