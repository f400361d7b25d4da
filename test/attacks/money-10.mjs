// Attacks on money: companies and leads, links to other companies’ records, overdue invoices, parameters, and
// simultaneous requests for one customer.
import { attack, finish } from './portal.mjs'
import {
  bankPayment,
  employee,
  idOf,
  line,
  list,
  mark,
  monthly,
  need,
  newCustomer,
  newInvoice,
  newNumber,
  patch,
  read,
  reseller,
  SALES,
  TODAY,
} from './shared/bank.mjs'
import {
  atOnce,
  bookkeeper,
  clientAdmin,
  DAY_MS,
  dayOf,
  F,
  finance,
  having,
  manager,
  run,
  staff,
  statuses,
} from './shared/money.mjs'

async function newClient() {
  return need(await manager.post('/api/portal/clients', { company: `Money ${run} ${newNumber()}` }), 201)['@id']
}

await attack('A customer with issued invoices can’t be moved to another company in two steps or by PUT', async () => {
  const [owner, other] = [await newClient(), await newClient()]
  const customer = await newCustomer({ client: owner })
  await newInvoice(customer)
  const { email } = await read(customer)
  const answers = [
    await patch(staff, customer, { client: null }),
    await patch(staff, customer, { client: other }),
    await staff.put(customer, { email, client: other }),
  ]
  const { client } = await read(customer)
  if (having(answers, 409).length !== 3 || client !== owner) return `${statuses(answers)}, now of ${client}`
})

const newLead = async () =>
  need(
    await staff.post('/api/crm/contacts', {
      companyName: `Money ${run} ${newNumber()}`,
      name: 'A Lead',
      phone: `01632 9${String(Math.floor(Math.random() * 1e5)).padStart(5, '0')}`,
    }),
    201,
  )

async function mergeOf(survivor, merged) {
  const { fingerprint } = await read(`${survivor['@id']}/merge-preview?other=${merged.id}`, manager)
  return () =>
    manager.post('/api/crm/merges', { survivor: survivor['@id'], merged: merged['@id'], take: [], fingerprint })
}

await attack('Two billing customers can’t be merged, even if the second is created during the merge', async () => {
  for (let round = 0; round < 3; round++) {
    const [survivor, merged] = [await newLead(), await newLead()]
    await newCustomer({ contact: survivor['@id'] })
    const merge = await mergeOf(survivor, merged)
    const create = () =>
      finance.post(`${F}/customers`, {
        email: `${newNumber()}@example.com`,
        billingName: `money-8 ${run}`,
        contact: merged['@id'],
      })
    const answers = await atOnce(8, (index) => (index % 4 === round ? merge() : create()))
    const left = await list(`${F}/customers?contact=${merged.id}`)
    const { retired } = await read(merged['@id'], manager)
    if (retired && left.length) return `${statuses(answers)}: the merged lead has ${left.length} customers`
  }
})

await attack('Quotes and insurance sales entered during a merge move to the surviving lead', async () => {
  const customer = await newCustomer()
  const sends = [
    (contact) => staff.post(`${F}/quotes`, { customer, contact, plans: [{ plan: monthly['@id'], quantity: 1 }] }),
    (contact) => staff.post(`${F}/insurance_sales`, { contact, policyType: 'PL', price: 10 }),
  ]
  for (let round = 0; round < 4; round++) {
    const [survivor, merged] = [await newLead(), await newLead()]
    const merge = await mergeOf(survivor, merged)
    const answers = await atOnce(8, (index) => (index === 3 ? merge() : sends[round % 2](merged['@id'])))
    if (!(await read(merged['@id'], manager)).retired) continue
    for (const { '@id': record } of [...having(answers, 201)]
      .map(({ body }) => body)
      .filter((body) => !body['@id'].includes('merges'))) {
      const { contact } = await read(record, manager)
      if ((contact?.['@id'] ?? contact) === merged['@id']) return `${record} stays with the merged lead`
    }
  }
})

await attack('A client’s bookkeeper can’t link a record of the provider to a new record', async () => {
  const [customer, foreign] = [await newCustomer({}, bookkeeper), await newCustomer()]
  const [own, invoice] = [await newInvoice(customer, 100, bookkeeper), await newInvoice(foreign, 100)]
  const [product, sku, coupon, vatReturn] = await Promise.all(
    ['products', 'skus', 'coupons', 'vat_returns'].map(
      async (name) => (await list(`${F}/${name}?itemsPerPage=1`))[0]['@id'],
    ),
  )
  const [{ '@id': foreignLine }] = (await read(invoice)).lines
  const extra = { additionalItems: [line(100)] }
  const bodies = /** @type {[string, object][]} */ ([
    ['customers', { email: 'a@example.com', billingName: 'x', coupon }],
    ['quotes', { customer, coupon, ...extra }],
    ['quotes', { customer, contact: '/api/crm/contacts/1', ...extra }],
    ['quotes', { customer: foreign, ...extra }],
    ['quotes', { customer, ownedBy: 'manager', ...extra }],
    ['invoices', { customer, lines: [{ kind: 'sku', sku, quantity: 1 }] }],
    ['plans', { name: mark(), product, amount: 1, interval: 'month', intervalCount: 1 }],
    ['coupons', { name: mark(), percentOff: 1, duration: 'once', plans: [monthly['@id']] }],
    ['skus', { name: mark(), amount: 1, product }],
    ['stock_movements', { sku, quantity: 1, kind: 'received', reason: 'x' }],
    ['credit_notes', { invoice, reason: 'x', lines: [] }],
    ['credit_notes', { invoice: own, reason: 'x', to: 'balance', lines: [{ line: foreignLine }] }],
    ['vat_adjustments', { vatReturn, box: 1, amount: 1, reason: 'x' }],
    ['charges', { customer, invoice, method: 'bank', amount: 100, amountDue: 120, receivedAt: `${TODAY}T00:00:00Z` }],
    ['charges', { customer: foreign, method: 'bank', amount: 100, receivedAt: `${TODAY}T00:00:00Z` }],
  ])
  const linked = []
  for (const [name, body] of bodies)
    if ((await bookkeeper.post(`${F}/${name}`, body)).status < 400)
      linked.push(`${name} ${Object.keys(body).join(' ')}`)
  const ignored = need(
    await bookkeeper.post(`${F}/customers`, {
      email: 'b@example.com',
      billingName: 'x',
      client: '/api/portal/clients/2',
      contact: '/api/crm/contacts/1',
    }),
    201,
  )
  if (linked.length || ignored.client || ignored.contact)
    return linked.join('; ') || `linked to ${ignored.client} ${ignored.contact?.['@id']}`
  for (const [name, id] of [
    ['customers', foreign],
    ['invoices', invoice],
  ]) {
    const { done, refused } = need(
      await bookkeeper.post(`${F}/${name}/bulk`, {
        action: name === 'invoices' ? 'send' : 'sendStatement',
        ids: [idOf(id)],
      }),
    )
    if (done.length || refused.length !== 1) return `${name}/bulk: ${done}`
  }
})

await attack('Another company’s bills can’t be read, downloaded or paid by link', async () => {
  const { length } = await list(`${F}/bills`, clientAdmin)
  const id = idOf(await newInvoice(await newCustomer({ client: await newClient() })))
  const answers = await Promise.all(['', '/pdf'].map((part) => clientAdmin.get(`${F}/bills/${id}${part}`)))
  answers.push(await clientAdmin.post(`${F}/bills/${id}/pay-link`, {}))
  if (having(answers, 404).length !== 3 || (await list(`${F}/bills`, clientAdmin)).length !== length)
    return statuses(answers)
})

await attack(
  'Clients and resellers can’t give themselves a product, and only a manager can move the clock',
  async () => {
    const product = (await list('/api/portal/pack_products?itemsPerPage=50', manager)).at(-1)['@id']
    const answers = []
    for (const who of [clientAdmin, bookkeeper, reseller, employee]) {
      answers.push(
        await who.post('/api/portal/app_statuses', { client: '/api/portal/clients/1', product, status: 1 }),
        await who.post('/api/employees/setup_ffe', { client: '/api/portal/clients/1' }),
      )
      answers.push(await who.get('/api/crm/setup_pack_user/1'), await who.post(`${F}/test_clock`, { days: 1 }))
    }
    for (const who of [staff, finance])
      answers.push(await who.post(`${F}/test_clock`, { days: 1 }), await who.post('/api/portal/clock', { days: 1 }))
    if (having(answers, 403).length !== answers.length) return statuses(answers)
  },
)

await attack('Only finance can record promises to pay an overdue invoice, up to the amount due', async () => {
  const [overdue] = await list(`${F}/overdue?itemsPerPage=1`)
  const address = `${F}/overdue/${overdue.id}`
  if ((await staff.post(`${address}/promise`, { on: dayOf(Date.now() + DAY_MS), amount: 1 })).status !== 403)
    return 'staff record a promise'
  for (const body of [{ amount: overdue.amountDue + 1 }, { amount: 0 }, { on: '2099-01-01' }, { on: '2020-01-01' }])
    if ((await finance.post(`${address}/promise`, { on: dayOf(Date.now() + DAY_MS), ...body })).status !== 422)
      return `a promise of ${JSON.stringify(body)}`
})

await attack('An Idempotency-Key is valid for only one request, even at other URLs', async () => {
  const key = { headers: { 'idempotency-key': `money-${run}` } }
  const customer = await newCustomer()
  const invoice = need(await finance.post(`${F}/invoices`, { customer, lines: [line(100)] }, key), 201)['@id']
  const answers = [
    await finance.post(`${F}/quotes`, { customer, additionalItems: [line(100)] }, key),
    await finance.post(`${invoice}/issue`, {}, key),
  ]
  if (having(answers, 422).length !== 2) return statuses(answers)
})

await attack('Unusual dates, pages and filters in money lists and reports fail quickly with a reason', async () => {
  const periods = ['from=0001-01-01&to=9999-12-31', 'from=2026-12-01&to=2026-01-01', 'from=x&to=y']
  const filters = [
    'page=99999999999',
    'itemsPerPage=99999999',
    'id=99999999999999999999',
    'createdAt[after]=99999-01-01',
    'amount[gt]=1e400',
    'q=%00',
    'customer.id=abc',
  ]
  const paths = [
    ...['ledger/vat', 'ledger/recurring', 'ledger/sales.csv', 'ledger/payments.csv', 'customers/1/statement'].flatMap(
      (path) => periods.map((period) => `${F}/${path}?currency=GBP&${period}`),
    ),
    ...['customers', 'invoices', 'quotes', 'charges', 'refunds', 'subscriptions'].flatMap((path) =>
      filters.map((filter) => `${F}/${path}?${filter}`),
    ),
    ...['top_users/year?year=', 'users/month?year=', 'company/month?year='].flatMap((path) =>
      ['-1', '99999999', '1e9', 'x'].map((year) => `${SALES}/${path}${year}`),
    ),
  ]
  for (const path of paths) {
    const start = Date.now()
    const { status } = await manager.get(path)
    if (status >= 500 || Date.now() - start > 1_500) return `${path} answered ${status} after ${Date.now() - start} ms`
  }
})

await attack(
  'Simultaneous payments, credits, write-offs, refusals and changes leave a balance that adds up',
  async () => {
    const customer = await newCustomer()
    const [first, second] = [await newInvoice(customer, 1_000), await newInvoice(customer, 2_000)]
    const [{ '@id': creditLine }] = (await read(first)).lines
    const sends = [
      () => finance.post(`${first}/void`, { reason: 'x' }),
      () => finance.post(`${second}/write-off`, { reason: 'x' }),
      () => finance.post(`${second}/reopen`, {}),
      () => finance.post(`${first}/use-credit`, {}),
      () => bankPayment(customer, 100),
      () => bankPayment(customer, 100, { invoice: second, amountDue: 2_400 }),
      () =>
        finance.post(`${F}/credit_notes`, {
          invoice: first,
          reason: 'x',
          to: 'balance',
          lines: [{ line: creditLine, net: 100 }],
        }),
      () => patch(staff, customer, { retired: true }),
    ]
    const answers = await atOnce(32, (index) => sends[(index * 5) % 8]())
    const invoices = [await read(first), await read(second)]
    const { accountBalance } = await read(customer)
    const { closing } = await read(`${customer}/statement?currency=GBP`)
    if (answers.some(({ status }) => status >= 500)) return statuses(answers)
    for (const { total, amountPaid, amountCredited, amountWrittenOff, amountDue, state } of invoices)
      if (state !== 'void' && amountPaid + amountCredited + amountWrittenOff + amountDue !== total)
        return `${state}: ${amountPaid} + ${amountCredited} + ${amountWrittenOff} + ${amountDue}, total ${total}`
    if (accountBalance !== closing) return `balance ${accountBalance}, statement ${closing}`
  },
)

finish()
