// Customers, invoices and bank files that the attacks on payments share.
import { signIn } from '../portal.mjs'
import { DAY_MS, dayOf, F, finance, MERGE, run } from './money.mjs'

export const SALES = '/api/sales'
export const TODAY = dayOf(Date.now())
export const PAID_ON = dayOf(Date.now() - 2 * DAY_MS)
let count = 0

/** Returns a number that no other call returns in this run. */
export const newNumber = () => ++count

export const employee = await signIn('worker.brick')
export const reseller = await signIn('reseller.north')

export const idOf = (iri) => Number(iri.split('/').pop())

/** Returns the body of a response. Throws if the status differs, because the attack would not reach its defence. */
export function need(answer, status = 200) {
  if (answer.status !== status) throw new Error(`set-up answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  return answer.body
}

export const read = async (path, who = finance) => need(await who.get(path))
export const list = async (path, who = finance) => (await read(path, who))['hydra:member']
export const patch = (who, path, body) => who.patch(path, body, MERGE)

export async function newCustomer(more = {}, who = finance) {
  const name = `money-8 ${run} ${newNumber()}`
  const body = {
    email: `${name.replaceAll(' ', '-')}@example.com`,
    billingName: name,
    address1: '1 Road',
    city: 'Leeds',
    postcode: 'LS1 1AA',
  }
  return need(await who.post(`${F}/customers`, { ...body, ...more }), 201)['@id']
}

export const line = (unitAmount) => ({
  kind: 'additional',
  description: 'money work',
  quantity: 1,
  unitAmount,
  taxPercent: 20,
})

export async function newInvoice(customer, unitAmount = 10_000, who = finance) {
  const invoice = need(await who.post(`${F}/invoices`, { customer, lines: [line(unitAmount)] }), 201)['@id']
  need(await who.post(`${invoice}/issue`, {}))
  return invoice
}

export const bankPayment = (customer, amount, more = {}) =>
  finance.post(`${F}/charges`, {
    customer,
    method: 'bank',
    amount,
    receivedAt: `${TODAY}T00:00:00Z`,
    keepBoth: true,
    ...more,
  })

export const [monthly] = await list(`${F}/plans?interval=month&retired=false&itemsPerPage=1`)

/** Imports a bank file, and returns the response with the lines that it created. */
export async function importFile(name, text, who = finance) {
  const statement = need(await who.post(`${F}/bank_statements`, { name, text }), 201)
  const lines = await list(`${F}/bank_lines?itemsPerPage=50&order[id]=desc`, who)
  return { ...statement, created: lines.filter((item) => item.statement.id === statement.id) }
}

export const mark = () => `money ${run} ${newNumber()}`
export const csv = (rows, columns = 'Date,Description,Amount') => `${columns}\n${rows.join('\n')}\n`
export const entry = (amount, { currency = 'GBP', direction = 'CRDT', more = '' } = {}) =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${more}<BookgDt><Dt>${PAID_ON}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>${mark()}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
export const camt = (entries) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`
export const mt940 = (movement) =>
  `:20:X\n:25:1\n:28C:1/1\n:60F:C261127GBP0,00\n:61:${PAID_ON.slice(2).replaceAll('-', '')}${PAID_ON.slice(5).replace('-', '')}${movement}NTRFx\n:86:${mark()}\n:62F:C261128GBP0,00\n-`
