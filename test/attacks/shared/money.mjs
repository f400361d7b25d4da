// Users, records and checks that the attacks on money share.
import { call, signIn } from '../portal.mjs'

export const finance = await signIn('finance')
export const manager = await signIn('manager')
export const staff = await signIn('staff')
export const bookkeeper = await signIn('office.brick')
export const clientAdmin = await signIn('admin.brick')

export const F = '/api/financial'
export const DAY_MS = 86_400_000
/** Part of all names in this run, so that a script can be repeated. */
export const run = Date.now().toString(36)
export const MERGE = { headers: { 'content-type': 'application/merge-patch+json' } }
let count = 0

/** Returns a name that no other record has. */
export const newName = () => `money ${run} ${count++}`
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10)
export const atOnce = (number, send) => Promise.all(Array.from({ length: number }, (_, index) => send(index)))
export const having = (responses, status) => responses.filter((response) => response.status === status)
export const statuses = (responses) => responses.map(({ status }) => status).join(' ')
export const refused = ({ status }) => status === 403 || status === 404

/** Returns the body of a response. Throws if the status differs, because the attack would not reach its defence. */
export function expected(response, status) {
  if (response.status !== status) throw new Error(`set-up answered ${response.status}: ${response.text.slice(0, 200)}`)
  return response.body
}

export const read = async (path, user = finance) => expected(await user.get(path), 200)
export const list = async (path, user) => (await read(path, user))['hydra:member']

export async function newCustomer(user = finance, more = {}) {
  const name = newName()
  const body = {
    email: `${name.replaceAll(' ', '-')}@example.com`,
    billingName: name,
    address1: '1 Road',
    city: 'Leeds',
    postcode: 'LS1 1AA',
  }
  return `${F}/customers/${expected(await user.post(`${F}/customers`, { ...body, ...more }), 201).id}`
}

export const line = (unitAmount, quantity = 1, description = 'money work') => ({
  kind: 'additional',
  description,
  quantity,
  unitAmount,
  taxPercent: 20,
})

export async function newDraft(customer, lines = [line(10_000)], user = finance) {
  return `${F}/invoices/${expected(await user.post(`${F}/invoices`, { customer, lines }), 201).id}`
}

async function issue(invoice, user = finance) {
  const { fingerprint } = await read(`${invoice}/preview`, user)
  return user.post(`${invoice}/issue`, { fingerprint })
}

export async function newInvoice(customer, lines, user = finance) {
  const invoice = await newDraft(customer, lines, user)
  expected(await issue(invoice, user), 200)
  return invoice
}

/** Voids an invoice, with the manager’s approval if it is above the limit. */
export async function voidInvoice(invoice, reason = 'money') {
  if ((await finance.post(`${invoice}/void`, { reason })).status === 200) return
  expected(await finance.post(`${invoice}/void`, { reason, askApproval: true }), 200)
  const requests = await list(`${F}/finance_requests?state=waiting&itemsPerPage=100`, finance)
  const { '@id': request } = requests.find((one) => one.invoice?.['@id'] === invoice)
  expected(await manager.post(`${request}/approve`, {}), 200)
}

export async function linkOf(invoice) {
  return expected(await finance.post(`${invoice}/pay-link`, {}), 200)
    .url.split('/')
    .pop()
}

/** Enters a test card at a payment link and returns its reference. */
export async function enterCard(link, number = '4242424242424242') {
  const { url } = expected(await call('POST', `${F}/payments/${link}/card`, { body: {} }), 200)
  const form = new FormData()
  for (const [name, value] of Object.entries({ number, expiry: '12/31', cvc: '123' })) form.set(name, value)
  const { text } = await call('POST', url, { raw: form })
  const [card] = text.match(/pm_test_\w+/) ?? []
  if (!card) throw new Error(`the card was not entered: ${text.slice(-200)}`)
  return card
}

export const pay = (link, card, amountDue, more = {}) =>
  call('POST', `${F}/payments/${link}/pay`, { body: { card, amountDue, ...more } })

export const recordTransfer = (user, customer, amount, more = {}) =>
  user.post(`${F}/charges`, {
    customer,
    amount,
    method: 'bank',
    receivedAt: new Date(Date.now() - DAY_MS).toISOString(),
    ...more,
  })

/** Issues an invoice and pays it by card through its link. */
export async function paidInvoice(net) {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer, [line(net)])
  const link = await linkOf(invoice)
  const { total, lines } = await read(invoice)
  expected(await pay(link, await enterCard(link), total), 200)
  const [charge] = await list(`${invoice}/charges`)
  return {
    customer,
    invoice,
    link,
    total,
    charge: `${F}/charges/${charge.id}`,
    line: `${F}/invoice_lines/${lines[0].id}`,
  }
}

export const creditNote = (user, invoice, lines, to = 'balance') =>
  user.post(`${F}/credit_notes`, { invoice, reason: 'money', to, lines })

export const firstLine = async (invoice, user = finance) =>
  `${F}/invoice_lines/${(await read(invoice, user)).lines[0].id}`
