// Attacks on commission, price notices and customers, with simultaneous requests.
import { attack, finish } from './portal.mjs'
import {
  atOnce,
  expected,
  F,
  finance,
  having,
  line,
  MERGE,
  manager,
  newCustomer,
  run,
  staff,
  statuses,
  wait,
} from './shared/money.mjs'

const SALES = '/api/sales'
const TODAY = new Date().toISOString().slice(0, 10)
let count = 0

/** Returns the body of a response to set-up, which has the status 200 unless stated. */
const need = (answer, status = 200) => expected(answer, status)
const _idOf = (iri) => Number(iri.split('/').pop())
const read = async (path, who = manager) => need(await who.get(path))
const list = async (path, who = manager) => (await read(path, who))['hydra:member']
const patch = (who, path, body) => who.patch(path, body, MERGE)

async function newDraft(customer, unitAmount = 10_000) {
  return need(await finance.post(`${F}/invoices`, { customer, lines: [line(unitAmount)] }), 201)['@id']
}

async function newInvoice(customer, unitAmount) {
  const invoice = await newDraft(customer, unitAmount)
  need(await finance.post(`${invoice}/issue`, {}))
  return invoice
}

const bankPayment = (customer, invoice, amount) =>
  finance.post(`${F}/charges`, {
    customer,
    invoice,
    method: 'bank',
    amount,
    amountDue: amount,
    receivedAt: `${TODAY}T00:00:00Z`,
  })

const [monthly] = await list(`${F}/plans?interval=month&retired=false&itemsPerPage=1`)

async function newQuote(more = {}, customer, who = staff) {
  const body = { customer: customer ?? (await newCustomer()), plans: [{ plan: monthly['@id'], quantity: 1 }], ...more }
  return need(await who.post(`${F}/quotes`, body), 201)['@id']
}

async function newSubscription(customer, plan = monthly['@id'], quantity = 5) {
  const quote = await newQuote({ plans: [{ plan, quantity }] }, customer)
  need(await staff.post(`${quote}/send`, {}))
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
  for (let attempt = 0; attempt < 20; attempt++) {
    const [subscription] = await list(`${customer}/subscriptions`, finance)
    if (subscription) return `${F}/subscriptions/${subscription.id}`
    await wait(200)
  }
  throw new Error('no subscription was created')
}

const sellers = await list('/api/crm/staff?itemsPerPage=100')
const sellerOf = (username) => sellers.find((seller) => seller.username === username)['@id']

const postSale = (who, more = {}) =>
  who.post(`${SALES}/sales_stats`, { day: TODAY, amount: 100_000, what: `money-4 ${run} ${count++}`, ...more })
const newSale = async (who, more) => need(await postSale(who, more), 201)

/** Returns the first day of a month without commission so far: a locked month can’t be used twice. */
async function unusedMonth() {
  const used = new Set((await list(`${SALES}/commission_months?itemsPerPage=1000`)).map(({ month }) => month))
  for (;;) {
    const day = new Date(Date.UTC(1950 + Math.random() * 65, Math.random() * 12, 1)).toISOString().slice(0, 10)
    if (!used.has(day)) return day
  }
}

/** Returns an approved month with one checked sale by `staff`, and the rate that applies in that month. */
async function approvedMonth() {
  const from = await unusedMonth()
  const rate = need(
    await manager.post(`${SALES}/commission_rates`, { seller: sellerOf('staff'), percent: 10, from }),
    201,
  )
  const sale = await newSale(staff, { day: from })
  need(await manager.post(`${sale['@id']}/check`, { version: sale.version }))
  const { '@id': month } = (await list(`${SALES}/commission_months?itemsPerPage=1000`)).find(
    ({ month }) => month === from,
  )
  need(await manager.post(`${month}/approve`, {}))
  return { from, month, sale: sale['@id'], rate: rate['@id'] }
}

const retireRate = (rate) => patch(manager, rate, { retired: true })

const commissionOf = async (sale) =>
  (await list(`${SALES}/commission_lines?itemsPerPage=200&order[id]=desc`))
    .filter((item) => item.sale?.['@id'] === sale)
    .reduce((sum, { amount }) => sum + amount, 0)

await attack(
  'A sales manager can’t adjust her own commission, nor separate her user from her staff record first',
  async () => {
    const adjust = () =>
      manager.post(`${SALES}/commission_lines`, { seller: sellerOf('manager'), amount: 100, reason: 'money-4' })
    need(
      await manager.post(`${SALES}/commission_lines`, { seller: sellerOf('staff'), amount: 1, reason: 'money-4' }),
      201,
    )
    const own = sellers.find(({ username }) => username === 'manager')
    const unlinked = await patch(manager, own['@id'], { user: null })
    const answer = await adjust()
    if (unlinked.status === 200) await patch(manager, own['@id'], { user: own.user })
    const second = await manager.post('/api/crm/staff', {
      username: `money-4-${run}`,
      name: 'Second record',
      user: own.user,
    })
    if (answer.status !== 403 || second.status === 201)
      return `adjusted ${answer.status}, second record ${second.status}`
  },
)

await attack('A month locked while sales are entered and changed contains only checked sales', async () => {
  for (let round = 0; round < 4; round++) {
    const { from, month, sale, rate } = await approvedMonth()
    const sends = [
      () => manager.post(`${month}/lock`, {}),
      () => postSale(staff, { day: from }),
      (index) => patch(manager, sale, { amount: 5_000 + index }),
      () => manager.post(`${month}/reckon`, {}),
    ]
    const answers = await atOnce(20, (index) => sends[index % 4](index))
    const { state, lockedBy } = await read(month)
    await retireRate(rate)
    const all = await list(
      `${SALES}/sales_stats?itemsPerPage=200&order[id]=desc&day[after]=${from}&day[before]=${from}`,
    )
    const waiting = all.filter((item) => item.day === from && item.state === 'waiting' && !item.retired)
    if (!having(answers, 200).length) throw new Error(statuses(answers))
    if (state === 'locked' && waiting.length)
      return `round ${round}: locked by ${lockedBy} with ${waiting.length} unchecked sales`
  }
})

await attack('A locked month accepts no sale, adjustment, recalculation or new state', async () => {
  const { from, month, sale, rate } = await approvedMonth()
  need(await manager.post(`${month}/lock`, {}))
  const before = (await list(`${SALES}/commission_lines?itemsPerPage=200`)).filter(
    (item) => item.month?.['@id'] === month,
  ).length
  const answers = [
    await postSale(staff, { day: from }),
    await patch(manager, sale, { amount: 1 }),
    await manager.post(`${SALES}/commission_lines`, {
      month,
      seller: sellerOf('staff'),
      amount: 500,
      reason: 'money-4',
    }),
    await manager.post(`${month}/reckon`, {}),
    await manager.post(`${month}/reopen`, {}),
  ]
  await manager.post(`${sale}/retire`, { reason: 'money-4' })
  await retireRate(rate)
  const after = (await list(`${SALES}/commission_lines?itemsPerPage=200`)).filter(
    (item) => item.month?.['@id'] === month,
  ).length
  if (having(answers, 409).length !== answers.length || after !== before)
    return `${statuses(answers)}, ${before} lines became ${after}`
})

await attack(
  '20 simultaneous checks check a sale once, and its commission remains correct after 20 removals and returns',
  async () => {
    const { '@id': sale, version } = await newSale(staff)
    const own = await staff.post(`${sale}/check`, { version })
    const checks = await atOnce(20, () => manager.post(`${sale}/check`, { version }))
    if (own.status !== 403 || having(checks, 200).length !== 1) return `own ${own.status}, ${statuses(checks)}`
    const earned = await commissionOf(sale)
    await atOnce(20, (index) =>
      manager.post(`${sale}/${index % 2 ? 'retire' : 'restore'}`, index % 2 ? { reason: 'money-4' } : {}),
    )
    const { retired } = await read(sale)
    const commission = await commissionOf(sale)
    if (!earned || commission !== (retired ? 0 : earned))
      return `earned ${earned}, now ${commission}, removed ${retired}`
  },
)

await attack('A deal entered 20 times simultaneously at both URLs is counted once, with one amount', async () => {
  const contact = need(await staff.post('/api/crm/contacts', { companyName: `money-4 ${run}`, name: 'A Lead' }), 201)
  const sale = need(await staff.post('/api/crm/sales', { contact: contact['@id'], notes: `money-4 ${run}` }), 201)[
    '@id'
  ]
  const body = (index) => ({ day: TODAY, amount: 100 + index, what: `money-4 ${run}`, sale })
  const answers = await atOnce(20, (index) =>
    staff.post(`${SALES}/${index % 2 ? 'sales/create' : 'sales_stats'}`, body(index)),
  )
  const counted = new Set(
    answers.filter(({ status }) => status < 300).map(({ body }) => `${body['@id']} ${body.amount}`),
  )
  if (counted.size !== 1 || having(answers, 201).length !== 1) return [...counted].join(', ') || statuses(answers)
})

await attack('Staff can’t record a sale or an acceptance by telephone in a colleague’s name', async () => {
  const quote = await newQuote()
  need(await staff.post(`${quote}/send`, {}))
  const answers = [
    await postSale(staff, { seller: sellerOf('manager') }),
    await patch(staff, (await newSale(staff))['@id'], { seller: sellerOf('manager') }),
    await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer', takenBy: sellerOf('manager') }),
  ]
  if (having(answers, 403).length !== 3) return statuses(answers)
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
  if ((await read(quote)).takenBy !== 'staff') return `taken by ${(await read(quote)).takenBy}`
})

async function pricedPlan() {
  const { product } = monthly
  const body = {
    name: `money-4 ${run} ${count++}`,
    product: product['@id'] ?? product,
    amount: 1_000,
    interval: 'month',
    intervalCount: 1,
  }
  const plan = need(await manager.post(`${F}/plans`, body), 201)['@id']
  const customer = await newCustomer()
  const subscription = await newSubscription(customer, plan, 2)
  need(await patch(manager, plan, { amount: 1_500 }))
  return { plan, customer, subscription }
}

const noticesOf = async (customer) =>
  (await list(`${F}/price_notices?itemsPerPage=100&order[id]=desc`)).filter(
    (notice) => notice.customer['@id'] === customer,
  )

await attack('A notice of the same price requested 20 times simultaneously is e-mailed once', async () => {
  const { plan, customer } = await pricedPlan()
  const answers = await atOnce(20, () => manager.post(`${plan}/price-notice`, {}))
  if (!having(answers, 200).length) throw new Error(statuses(answers))
  const notices = await noticesOf(customer)
  await patch(manager, plan, { retired: true })
  if (notices.length !== 1) return `${notices.length} notices of one price were e-mailed to one customer`
})

await attack('Only one of several notices of a price is in force, and none after it is withdrawn', async () => {
  const { plan, customer } = await pricedPlan()
  await atOnce(20, () => manager.post(`${plan}/price-notice`, {}))
  const open = async () => (await noticesOf(customer)).filter(({ state }) => state === 'open')
  const [notice, second] = await open()
  if (second) return `${(await open()).length} notices in force`
  need(await manager.post(`${notice['@id']}/withdraw`, {}))
  const left = await open()
  await patch(manager, plan, { retired: true })
  if (left.length) return `${left.length} notices of the same price stay in force after the withdrawal`
})

await attack('A quote is accepted at its own price, even if the plan has become more expensive', async () => {
  const customer = await newCustomer()
  const { product } = monthly
  const plan = need(
    await manager.post(`${F}/plans`, {
      name: `money-4 ${run} ${count++}`,
      product: product['@id'] ?? product,
      amount: 1_000,
      interval: 'month',
      intervalCount: 1,
    }),
    201,
  )['@id']
  const quote = await newQuote({ plans: [{ plan, quantity: 2, unitAmount: 1, amount: 1 }] }, customer)
  need(await staff.post(`${quote}/send`, {}))
  need(await patch(manager, plan, { amount: 99_000 }))
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
  await wait(1_000)
  const [invoice] = await list(`${customer}/invoices`, finance)
  await patch(manager, plan, { retired: true })
  if (invoice?.total !== 2_400) return `invoiced ${invoice?.total}, quoted 2400`
})

await attack('A customer retired while an invoice is issued owes nothing', async () => {
  for (let round = 0; round < 4; round++) {
    const customer = await newCustomer()
    const draft = await newDraft(customer)
    await atOnce(20, (index) =>
      index % 2 ? patch(staff, customer, { retired: true }) : finance.post(`${draft}/issue`, {}),
    )
    const { retired } = await read(customer, finance)
    const { state, amountDue } = await read(draft, finance)
    if (retired && state === 'open') return `round ${round}: a retired customer owes £${amountDue / 100}`
  }
  const owing = await newCustomer()
  await newInvoice(owing)
  if ((await patch(staff, owing, { retired: true })).status !== 409) return 'a customer who owes is retired'
})

await attack(
  'A customer whose currency changes while a quote is sent still gets an invoice when the quote is accepted',
  async () => {
    for (let round = 0; round < 3; round++) {
      const customer = await newCustomer()
      const quote = await newQuote({}, customer)
      await atOnce(20, (index) =>
        index % 2 ? patch(staff, customer, { currency: 'EUR' }) : staff.post(`${quote}/send`, {}),
      )
      const { currency } = await read(customer, finance)
      if ((await read(quote)).state !== 'open') continue
      const { status } = await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' })
      await wait(1_500)
      const accepted = await read(quote)
      const invoices = await list(`${customer}/invoices`, finance)
      if (accepted.currency !== currency && status === 200 && !invoices.length)
        return `${accepted.reference} in ${accepted.currency} is accepted by a customer billed in ${currency}: no invoice and no subscription, billedAt ${accepted.billedAt}`
    }
  },
)

await attack(
  'A customer’s currency can’t be changed while a quote, draft, invoice, subscription or balance is open',
  async () => {
    const quoted = await newCustomer()
    need(await staff.post(`${await newQuote({}, quoted)}/send`, {}))
    const drafted = await newCustomer()
    await newDraft(drafted)
    const even = await newCustomer()
    await newInvoice(even, 1_000)
    need(await bankPayment(even, undefined, 1_200), 201)
    const answers = []
    for (const customer of [quoted, drafted, even]) answers.push(await patch(staff, customer, { currency: 'EUR' }))
    if (having(answers, 409).length !== 3) return statuses(answers)
    need(await patch(staff, await newCustomer(), { currency: 'EUR' }))
  },
)

finish()
