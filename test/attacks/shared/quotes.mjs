// Quotes, plans and subscriptions that the attacks on discounts and commission share.
import { dayOf, F, finance, manager, run, staff, wait } from './money.mjs'

export const SALES = '/api/sales'
const MERGE = { 'content-type': 'application/merge-patch+json' }
export const TODAY = dayOf(Date.now())
let count = 0

/** Returns a number that no other call returns in this run. */
export const newNumber = () => ++count

/** Returns the body of a response. Throws if the status differs, because the attack would not reach its defence. */
export function need(answer, status = 200) {
  if (answer.status !== status) throw new Error(`set-up answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  return answer.body
}

export const read = async (path, who = manager) => need(await who.get(path))
export const list = async (path, who = manager) => (await read(path, who))['hydra:member']
export const patch = (who, path, body, headers = {}) => who.patch(path, body, { headers: { ...MERGE, ...headers } })

export async function newCustomer(who = finance) {
  const name = `money ${run} ${newNumber()}`
  const body = {
    email: `${name.replaceAll(' ', '-')}@example.com`,
    billingName: name,
    address1: '1 Road',
    city: 'Leeds',
    postcode: 'LS1 1AA',
  }
  return need(await who.post(`${F}/customers`, body), 201)['@id']
}

export const line = (unitAmount, description = 'money work') => ({
  kind: 'additional',
  description,
  quantity: 1,
  unitAmount,
  taxPercent: 20,
})

export async function newDraft(customer, unitAmount = 10_000) {
  return need(await finance.post(`${F}/invoices`, { customer, lines: [line(unitAmount)] }), 201)['@id']
}

export async function newInvoice(customer, unitAmount) {
  const invoice = await newDraft(customer, unitAmount)
  need(await finance.post(`${invoice}/issue`, {}))
  return invoice
}

export const plans = await list(`${F}/plans?retired=false&itemsPerPage=50`)
export const monthly = plans.find(({ name }) => name === 'Contractors, monthly')
export const yearly = plans.find(({ name }) => name === 'Contractors, yearly')
export const dearer = plans.find(({ name }) => name === 'Health & Safety, monthly')
export const sku = (await list(`${F}/skus?retired=false&itemsPerPage=50`)).find(
  ({ name }) => name === 'Fire risk assessment',
)
export const [{ discountLimitPercent, discountLimitAmount }] = await list(`${F}/quote_settings`)
export const seats = (quantity, plan = monthly) => [{ plan: plan['@id'], quantity }]

export async function newQuote(more = {}, customer = '', who = staff) {
  const body = { customer: customer || (await newCustomer()), plans: seats(1), ...more }
  return need(await who.post(`${F}/quotes`, body), 201)['@id']
}

/** Requests approval of a quote’s discount, and approves it as the manager. */
export async function approve(quote) {
  need(await staff.post(`${quote}/ask-approval`, { reason: 'money' }))
  const requests = await list(`${F}/discount_approvals?itemsPerPage=50&order[id]=desc`)
  const { '@id': request } = requests.find((item) => item.quote['@id'] === quote)
  need(await manager.post(`${request}/approve`, {}))
}

export async function accept(quote) {
  need(await staff.post(`${quote}/send`, {}))
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
}

/** Returns the subscription of an accepted quote. */
export async function subscriptionOf(customer) {
  for (let attempt = 0; attempt < 25; attempt++) {
    const [subscription] = await list(`${customer}/subscriptions`, finance)
    if (subscription) return `${F}/subscriptions/${subscription.id}`
    await wait(200)
  }
  throw new Error('no subscription was created')
}

export async function change(who, subscription, body) {
  const { token } = need(await who.post(`${subscription}/preview`, body))
  return who.post(`${subscription}/change`, { ...body, token })
}

/**
 * Lets staff change the quantity of a subscription’s only item, and returns the response and the last invoice’s net
 * amount.
 */
export async function grow(customer, quantity) {
  const subscription = await subscriptionOf(customer)
  const [item] = (await read(subscription, finance)).items
  const answer = await change(staff, subscription, { way: 'quantity', item: item['@id'], quantity, when: 'now' })
  const [last] = await list(`${customer}/invoices`, finance)
  return { subscription, answer, net: last?.net ?? 0 }
}

export const end = (subscription) => staff.delete(subscription)
