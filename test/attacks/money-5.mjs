// Attacks on credit and approval limits, invoices of another company, merged leads, interest, stock, subscriptions and
// repeated requests; and on the ledger after all of them.
import { attack, call, finish } from './portal.mjs'
import {
  atOnce,
  bookkeeper,
  expected,
  F,
  finance,
  having,
  line,
  list,
  MERGE,
  manager,
  newCustomer,
  read,
  run,
  staff,
  statuses,
  wait,
} from './shared/money.mjs'

const TODAY = new Date().toISOString().slice(0, 10)
let count = 0

/** Returns the body of a response to set-up, which has the status 200 unless stated. */
const need = (answer, status = 200) => expected(answer, status)
const idOf = (iri) => Number(iri.split('/').pop())
const as = (token) => ({ get: (path) => call('GET', path, { token }) })

const patch = (who, path, body) => who.patch(path, body, MERGE)

async function newDraft(customer, unitAmount = 1_000) {
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

async function newQuote(more = {}, customer) {
  const body = { customer: customer ?? (await newCustomer()), plans: [{ plan: monthly['@id'], quantity: 1 }], ...more }
  return need(await staff.post(`${F}/quotes`, body), 201)['@id']
}

async function newSubscription(customer) {
  const quote = await newQuote({ plans: [{ plan: monthly['@id'], quantity: 5 }] }, customer)
  need(await staff.post(`${quote}/send`, {}))
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
  for (let attempt = 0; attempt < 20; attempt++) {
    const [subscription] = await list(`${customer}/subscriptions`)
    if (subscription) return `${F}/subscriptions/${subscription.id}`
    await wait(200)
  }
  throw new Error('no subscription was created')
}

async function newLead(companyName = `Money 5 ${run} ${count++}`) {
  const phone = `01632 9${String(Math.floor(Math.random() * 1e5)).padStart(5, '0')}`
  return need(await staff.post('/api/crm/contacts', { companyName, name: 'A Lead', phone }), 201)
}

async function mergeOf(survivor, merged) {
  const { fingerprint } = await read(`${survivor['@id']}/merge-preview?other=${merged.id}`, manager)
  return () =>
    manager.post('/api/crm/merges', { survivor: survivor['@id'], merged: merged['@id'], take: [], fingerprint })
}

await attack(
  'A credit above the approval limit needs a second person, even as a credit note to the balance',
  async () => {
    const customer = await newCustomer()
    const invoice = await newInvoice(customer, 500_000)
    need(await bankPayment(customer, invoice, 600_000), 201)
    const balance = await finance.post(`${customer}/balance`, { change: -600_000, reason: 'Goodwill' })
    if (balance.body.code !== 'approval_needed') throw new Error(`the limit is not reached: ${balance.status}`)
    const { lines } = await read(invoice)
    const note = await finance.post(`${F}/credit_notes`, {
      invoice,
      reason: 'Goodwill',
      to: 'balance',
      lines: [{ line: lines[0]['@id'] }],
    })
    const { accountBalance } = await read(customer)
    if (note.status === 201 && accountBalance < 0)
      return `one person gave a credit of £${-accountBalance / 100} by ${note.body.number}; as a balance change it needs approval`
  },
)

await attack('An approval given while the discount is being raised doesn’t cover the higher discount', async () => {
  const quote = await newQuote({ discountPercent: 30, discountDuration: 'forever' })
  need(await staff.post(`${quote}/ask-approval`, { reason: 'money-5' }))
  const waiting = await list(`${F}/discount_approvals?itemsPerPage=50&order[id]=desc`, manager)
  const approval = waiting.find((item) => item.quote['@id'] === quote)['@id']
  const sends = [
    () => manager.post(`${approval}/approve`, {}),
    () => patch(staff, quote, { discountPercent: 90 }),
    () => staff.post(`${quote}/send`, {}),
  ]
  await atOnce(21, (index) => sends[index % 3]())
  await patch(staff, quote, { discountPercent: 90 })
  const sent = await staff.post(`${quote}/send`, {})
  const { state, discountPercent } = await read(quote)
  if (discountPercent === 90 && (state === 'open' || sent.status === 200)) return 'sent with 90%'
})

await attack(
  'A request for approval made 20 times simultaneously is stored once, and decided once by another person',
  async () => {
    const customer = await newCustomer()
    const asked = await atOnce(20, () =>
      finance.post(`${customer}/balance`, { change: -600_000, reason: 'money-5', askApproval: true }),
    )
    const requests = (await list(`${F}/finance_requests?itemsPerPage=100&order[id]=desc`)).filter(
      (item) => item.customer['@id'] === customer,
    )
    if (having(asked, 200).length !== 1 || requests.length !== 1)
      return `${requests.length} requests: ${statuses(asked)}`
    const request = requests[0]['@id']
    const own = await finance.post(`${request}/approve`, {})
    const sends = [
      () => manager.post(`${request}/approve`, {}),
      () => finance.post(`${request}/withdraw`, {}),
      () => manager.post(`${request}/reject`, { reason: 'No' }),
    ]
    const decisions = await atOnce(21, (index) => sends[index % 3]())
    const { state } = await read(request)
    const { accountBalance } = await read(customer)
    if (own.status !== 403 || having(decisions, 200).length !== 1) return `own ${own.status}, ${statuses(decisions)}`
    if (accountBalance !== (state === 'approved' ? -600_000 : 0)) return `${state}, balance ${accountBalance}`
  },
)

await attack('A higher limit for refunds doesn’t apply on the day of the change', async () => {
  const [settings] = await list(`${F}/payment_settings`, manager)
  const raised = need(await patch(manager, settings['@id'], { refundLimit: settings.refundLimit + 1_000_000 }))
  const now = (await list(`${F}/payment_settings`, manager))[0]
  const byFinance = await patch(finance, settings['@id'], { refundLimit: 1_000_000 })
  const customer = await newCustomer()
  const { '@id': payment } = need(await bankPayment(customer, undefined, settings.refundLimit + 100), 201)
  const refund = await finance.post(`${payment}/refund`, { reason: 'money-5', amount: settings.refundLimit + 100 })
  need(await patch(manager, settings['@id'], { refundLimit: settings.refundLimit }))
  if (raised.refundLimit !== settings.refundLimit || now.refundLimit !== settings.refundLimit)
    return `the limit is now ${now.refundLimit}`
  if (byFinance.status !== 403 || refund.body.state !== 'waiting')
    return `${byFinance.status}, refund ${refund.status} ${refund.body.state}`
})

await attack(
  'A customer with issued invoices can’t be moved to another company, which could then read them',
  async () => {
    const owner = need(await manager.post('/api/portal/clients', { company: `Money 5 ${run}` }), 201)
    const known = await list('/api/portal/clients?itemsPerPage=200&order[id]=desc', manager)
    const other =
      known.find(({ company }) => company === 'Money 5 B') ??
      need(await manager.post('/api/portal/clients', { company: 'Money 5 B' }), 201)
    const setup = `/api/crm/setup_admin_user/${other.id}`
    const { administrator } = need(
      await manager.post(setup, { name: 'Money 5', username: 'money-5-b', email: 'money-5-b@example.com' }),
    )
    const customer = await newCustomer(finance, { client: owner['@id'] })
    const invoice = await newInvoice(customer)
    const moved = await patch(staff, customer, { client: other['@id'] })
    const query = new URLSearchParams({ username: administrator.username, client: other.id, reason: 'money-5' })
    const reader = as(need(await staff.get(`/api/security/user/switch?${query}`)).token)
    const seen = (await list(`${F}/bills`, reader)).filter(({ id }) => id === idOf(invoice))
    const pdf = await reader.get(`${F}/bills/${idOf(invoice)}/pdf`)
    await reader.get('/api/security/user/unswitch')
    await patch(staff, customer, { client: null })
    if (seen.length || pdf.status === 200)
      return `PATCH ${moved.status}: ${other.company} reads ${seen[0]?.number} of ${owner.company}, PDF ${pdf.status}`
  },
)

await attack('Records added to a lead while it is being merged move to the surviving lead', async () => {
  const left = []
  const records = {
    'crm/sales': { notes: 'money-5' },
    'crm/people': { name: 'Somebody' },
    'sales/sales_stats': { day: TODAY, amount: 100, what: 'money-5' },
    'crm/actions': { notes: 'money-5' },
  }
  for (const [resource, body] of Object.entries(records)) {
    for (let round = 0; round < 3; round++) {
      const [survivor, merged] = [await newLead(), await newLead()]
      const merge = await mergeOf(survivor, merged)
      const answers = await atOnce(12, (index) =>
        index % 4 === 3 ? merge() : staff.post(`/api/${resource}`, { contact: merged['@id'], ...body }),
      )
      if (!(await read(merged['@id'], manager)).retired) throw new Error(`not merged: ${statuses(answers)}`)
      for (const answer of answers) {
        if (answer.status !== 201 || !answer.body['@id'].includes(resource)) continue
        const { contact } = await read(answer.body['@id'], manager)
        if ((contact?.['@id'] ?? contact) === merged['@id']) left.push(resource)
      }
    }
  }
  if (left.length) return `${left.length} records stay with the merged lead: ${[...new Set(left)].join(', ')}`
})

await attack('Only one of two simultaneous merges in opposite directions takes effect, and only one undo', async () => {
  const [first, second] = [await newLead(), await newLead()]
  const [there, back] = [await mergeOf(first, second), await mergeOf(second, first)]
  const answers = await atOnce(20, (index) => (index % 2 ? there() : back()))
  const retired = async (...leads) =>
    (await Promise.all(leads.map((lead) => read(lead['@id'], manager)))).filter((lead) => lead.retired).length
  const won = having(answers, 201)
  if (won.length !== 1 || (await retired(first, second)) !== 1) return statuses(answers)
  const undos = await atOnce(20, (index) => (index % 2 ? manager.post(`${won[0].body['@id']}/undo`, {}) : there()))
  if (having(undos, 200).length !== 1 || (await retired(first, second)) !== having(undos, 201).length)
    return `undo ${statuses(undos)}`
})

await attack('Simultaneous write-offs, reopenings and payments leave a consistent state and balance', async () => {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer, 100)
  const sends = [
    () => finance.post(`${invoice}/write-off`, { reason: 'x' }),
    () => finance.post(`${invoice}/reopen`, {}),
    () => bankPayment(customer, invoice, 120),
  ]
  await atOnce(21, (index) => sends[index % 3]())
  const { amountDue, amountPaid, amountWrittenOff, total } = await read(invoice)
  const { accountBalance } = await read(customer)
  if (amountDue + amountPaid + amountWrittenOff !== total || accountBalance !== amountDue)
    return `due ${amountDue}, paid ${amountPaid}, written off ${amountWrittenOff}, balance ${accountBalance}`
})

await attack(
  'An invoice deleted, changed and issued simultaneously is either deleted or issued as stored',
  async () => {
    for (let round = 0; round < 3; round++) {
      const customer = await newCustomer()
      const draft = await newDraft(customer)
      const sends = [
        () => finance.post(`${draft}/issue`, {}),
        () => patch(finance, draft, { lines: [line(5)] }),
        () => (round ? finance.delete(draft) : finance.get(draft)),
      ]
      await atOnce(21, (index) => sends[index % 3]())
      const { status, body } = await finance.get(draft)
      const { accountBalance } = await read(customer)
      if (status === 404 ? accountBalance !== 0 : body.state === 'open' && accountBalance !== body.total)
        return `${status} ${body.total}, balance ${accountBalance}`
    }
  },
)

await attack('Late interest can be added or waived only once, and only by finance staff', async () => {
  const overdue = await list(`${F}/overdue?itemsPerPage=50`)
  const invoice = `${F}/invoices/${overdue.at(-1).id}`
  const { interest, fixedSum } = await read(`${invoice}/late_interest`)
  const add = (who, amount = interest + fixedSum) =>
    who.post(`${invoice}/late_interest/add`, { interest: true, fixedSum: true, amount })
  const waive = (who) =>
    who.post(`${invoice}/late_interest/waive`, { interest: true, fixedSum: true, reason: 'money-5' })
  if ((await add(staff)).status !== 403 || (await waive(staff)).status !== 403) return 'staff add or waive interest'
  if ((await add(finance, interest + fixedSum + 1)).status < 400) return 'an amount that differs is added'
  const answers = await atOnce(20, (index) => (index % 2 ? add(finance) : waive(finance)))
  const done = having(answers, 200).length
  if (done > 1 || (interest + fixedSum > 0 && done !== 1)) return statuses(answers)
})

await attack(
  'Simultaneous stock counts and movements add up, and nobody can record the movements of invoices',
  async () => {
    const sku = need(await manager.post(`${F}/skus`, { name: `money-5 ${run}`, amount: 1_000, stocked: true }), 201)[
      '@id'
    ]
    const move = (kind, quantity) => finance.post(`${F}/stock_movements`, { sku, quantity, kind, reason: 'money-5' })
    for (const kind of ['issued', 'voided', 'credited'])
      if ((await move(kind, 1)).status !== 422) return `recorded as ${kind}`
    if ((await move('received', -1)).status !== 422 || (await move('lost', 1)).status !== 422)
      return 'a movement of the wrong sign'
    const answers = await atOnce(20, (index) =>
      index % 2 ? manager.post(`${sku}/count`, { onHand: index, reason: 'money-5' }) : move('received', 3),
    )
    const movements = (await list(`${F}/stock_movements?itemsPerPage=100&order[id]=desc`)).filter(
      (item) => item.sku['@id'] === sku,
    )
    const sum = movements.reduce((total, { quantity }) => total + quantity, 0)
    const { onHand } = await read(sku)
    await patch(manager, sku, { retired: true })
    if (sum !== onHand || having(answers, 201).length !== 10)
      return `${sum} moved, ${onHand} on hand: ${statuses(answers)}`
  },
)

await attack(
  'Only one of several simultaneous previewed subscription changes is applied, as in its preview',
  async () => {
    const customer = await newCustomer()
    const subscription = await newSubscription(customer)
    const { items } = await read(subscription)
    const change = { way: 'quantity', item: items[0]['@id'], quantity: 1, when: 'now' }
    const cancel = { way: 'cancelNow' }
    const preview = async (body) => need(await finance.post(`${subscription}/preview`, body)).token
    const [changeToken, cancelToken] = [await preview(change), await preview(cancel)]
    const other = await finance.post(`${subscription}/change`, { ...change, quantity: 2, token: changeToken })
    const byStaff = await staff.post(`${subscription}/change`, { ...change, credit: true, token: changeToken })
    if (other.status !== 409 || byStaff.status !== 403) return `other ${other.status}, staff ${byStaff.status}`
    const answers = await atOnce(20, (index) =>
      finance.post(
        `${subscription}/change`,
        index % 2 ? { ...change, token: changeToken } : { ...cancel, reason: 'closed', token: cancelToken },
      ),
    )
    if (having(answers, 200).length !== 1) return statuses(answers)
  },
)

await attack(
  '20 requests with one key store one invoice, and the key is not shared between users or bodies',
  async () => {
    const body = { customer: await newCustomer(), lines: [line(100)] }
    const key = { headers: { 'idempotency-key': `money-5-${run}` } }
    const answers = await atOnce(20, () => finance.post(`${F}/invoices`, body, key))
    const ids = new Set(having(answers, 201).map((answer) => answer.body.id))
    const changed = await finance.post(`${F}/invoices`, { ...body, notes: 'x' }, key)
    const stranger = await bookkeeper.post(`${F}/invoices`, body, key)
    if (ids.size !== 1 || changed.status !== 422 || stranger.status < 400)
      return `${ids.size} invoices, changed ${changed.status}, stranger ${stranger.status}`
  },
)

await attack('A statement requested 20 times simultaneously, singly and in bulk, is e-mailed once', async () => {
  const customer = await newCustomer()
  await newInvoice(customer)
  const bulk = { action: 'sendStatement', ids: [idOf(customer)] }
  await atOnce(20, (index) =>
    index % 2 ? finance.post(`${F}/customers/bulk`, bulk) : finance.post(`${customer}/send-statement`, {}),
  )
  const sent = (await list(`${F}/statement_emails?itemsPerPage=100&order[id]=desc`)).filter((item) =>
    JSON.stringify(item.customer).includes(customer),
  )
  if (sent.length !== 1) return `${sent.length} statements`
})

await attack('20 simultaneous revisions of a sent quote create one revision', async () => {
  const customer = await newCustomer()
  const quote = await newQuote({}, customer)
  need(await staff.post(`${quote}/send`, {}))
  const answers = await atOnce(20, () => staff.post(`${quote}/revise`, {}))
  if (having(answers, 200).length !== 1 || (await list(`${customer}/quotes`)).length !== 2) return statuses(answers)
})

await attack('The balances of customers equal the trade debtors of the ledger, and debits equal credits', async () => {
  const { accounts } = await read(`${F}/ledger/balances`)
  const sums = {}
  for (let page = 1; ; page++) {
    const customers = await list(`${F}/customers?itemsPerPage=100&page=${page}&order[id]=asc`)
    for (const { currency, accountBalance } of customers) sums[currency] = (sums[currency] ?? 0) + accountBalance
    if (customers.length < 100) break
  }
  for (const currency of new Set(accounts.map((account) => account.currency))) {
    const own = accounts.filter((account) => account.currency === currency)
    const difference = own.reduce((sum, { debit, credit }) => sum + debit - credit, 0)
    const debtors = own.find(({ account }) => account === 'receivable')
    const debt = debtors ? debtors.debit - debtors.credit : 0
    if (difference !== 0 || debt !== (sums[currency] ?? 0))
      return `${currency}: difference ${difference}, debtors ${debt}, customers ${sums[currency]}`
  }
})

finish()
