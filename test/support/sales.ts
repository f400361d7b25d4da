import type { TestApi } from './portal.ts'
import { makeQuoteWorld, type QuoteWorld } from './quotes.ts'

/** A VAT-registered seller and a user with the finance role. */
export interface SalesWorld extends QuoteWorld {
  readonly finance: TestApi
  /** Signs a sent quote through its link. */
  accept(token: string): Promise<void>
  /** Sends and signs a quote, and returns it with the resulting subscriptions and invoices. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  sold(values?: Record<string, unknown>): Promise<{ quote: any; subscriptions: any[]; invoices: any[] }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  all(path: string): Promise<any[]>
  plan2(values: Record<string, unknown>): Promise<string>
  /** Creates a customer with an address, as invoices require. */
  buyer(values?: Record<string, unknown>): Promise<string>
}

let count = 0

export async function makeSalesWorld(): Promise<SalesWorld> {
  const w = await makeQuoteWorld()
  const boss = w.sellers.as(await w.sellers.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const said = { address1: '14 Wharf Street', city: 'Leeds', postcode: 'LS1 1AA', vatNumber: 'GB 123 4567 82' }
  const told = await boss.put(`/api/portal/clients/${w.person.clientId}`, said)
  if (told.status !== 200) throw new Error(told.text)
  const finance = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE', 'ROLE_BILLING_ADMIN'] }))
  const all: SalesWorld['all'] = async (path) => (await w.api.get(path)).body['hydra:member']
  const product = (await w.api.get(w.plan)).body.product['@id']
  const accept = async (token: string) => {
    const signature = { name: 'Ann Carter', method: 'typed' }
    const answer = await w.portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })
    if (answer.status !== 200) throw new Error(answer.text)
  }
  return {
    ...w,
    finance,
    all,
    accept,
    plan2: (values) => w.make('/api/financial/plans', { product, interval: 'month', ...values }),
    buyer: (values = {}) =>
      w.make('/api/financial/customers', {
        email: `buyer.${process.pid}.${++count}@acme.example`,
        metadata: { company_name: `Buyer ${count} Ltd` },
        billingName: `Buyer ${count} Ltd`,
        address1: '1 High Street',
        city: 'York',
        postcode: 'YO1 1AA',
        ...values,
      }),
    sold: async (values = { plans: [{ plan: w.plan }] }) => {
      const { quote, token } = await w.sent(values)
      await accept(token)
      return {
        quote: (await w.api.get(quote['@id'])).body,
        subscriptions: await Promise.all(
          (await all(`/api/financial/subscriptions?quote=${quote.id}&order[id]=asc`)).map(
            async (one) => (await w.api.get(one['@id'])).body,
          ),
        ),
        invoices: await all(`/api/financial/invoices?quote=${quote.id}`),
      }
    },
  }
}

/** Returns steps that begin, preview, change, read and recalculate subscriptions of a world. */
export function createSubscriptionSteps(world: () => SalesWorld) {
  const begun = async (values: Record<string, unknown> = {}) => {
    const w = world()
    const { subscriptions } = await w.sold({
      customer: await w.buyer(),
      plans: [{ plan: w.plan, quantity: 2 }],
      ...values,
    })
    return subscriptions[0]
  }
  const preview = (of: { '@id': string }, body: Record<string, unknown>, as: TestApi = world().finance) =>
    as.post(`${of['@id']}/preview`, body)
  const change = async (of: { '@id': string }, body: Record<string, unknown>, as: TestApi = world().finance) => {
    const seen = await preview(of, body, as)
    if (seen.status !== 200) return seen
    return as.post(`${of['@id']}/change`, { reason: 'notUsed', ...body, token: seen.body.token })
  }
  const read = async (of: { '@id': string }) => (await world().api.get(of['@id'])).body
  /** Returns a customer's charges less credits, in pence, excluding VAT. */
  const charged = async (of: { customer: { '@id': string } }) => {
    const id = of.customer['@id'].split('/').at(-1)
    const invoices = await world().all(`/api/financial/invoices?customer=${id}&pagination=false`)
    const notes = await world().all(`/api/financial/credit_notes?customer=${id}`)
    const sum = (rows: { net: number }[]) => rows.reduce((all, one) => all + one.net, 0)
    return sum(invoices) - sum(notes)
  }
  return { begun, preview, change, read, charged }
}
