// Attacks on quotes, coupons, subscriptions and the records of other companies.
import { attack, call, finish, signIn } from './portal.mjs'
import {
  atOnce,
  bookkeeper,
  clientAdmin,
  DAY_MS,
  dayOf,
  expected,
  F,
  finance,
  having,
  list,
  MERGE,
  manager,
  newCustomer,
  newInvoice,
  newName,
  read,
  refused,
  staff,
  statuses,
  wait,
} from './shared/money.mjs'

const employee = await signIn('worker.brick')
const reseller = await signIn('reseller.north')

const [monthly] = (await list(`${F}/plans?interval=month&retired=false&itemsPerPage=1`)).map((plan) => ({
  plan: plan['@id'],
  quantity: 1,
}))

async function newQuote(more = {}, customer) {
  const body = { customer: customer ?? (await newCustomer()), plans: [monthly], ...more }
  return `${F}/quotes/${expected(await staff.post(`${F}/quotes`, body), 201).id}`
}

const send = (quote) => staff.post(`${quote}/send`, {})

/** Sends a new quote, and returns its URL, its customer and the secret of its link. */
async function sentQuote(more, customer) {
  const buyer = customer ?? (await newCustomer())
  const quote = await newQuote(more, buyer)
  expected(await send(quote), 200)
  const { link } = expected(await staff.post(`${quote}/link`, {}), 200)
  return { quote, customer: buyer, link: link.split('/').pop() }
}

const signature = { name: 'Ann Carter', method: 'typed', strokes: [], width: 0, height: 0 }
const answer = (link, action, body = { signature }) => call('POST', `${F}/acceptances/${link}/${action}`, { body })

/** Accepts a new quote and returns its subscription. */
async function newSubscription() {
  const { customer, link } = await sentQuote()
  expected(await answer(link, 'accept'), 200)
  for (let attempt = 0; attempt < 50; attempt++, await wait(100)) {
    const [subscription] = await list(`${customer}/subscriptions`)
    if (subscription) return { customer, path: `${F}/subscriptions/${subscription.id}` }
  }
  throw new Error('the accepted quote created no subscription')
}

async function newCoupon(more) {
  return `${F}/coupons/${expected(await manager.post(`${F}/coupons`, { name: newName(), ...more }), 201).id}`
}

await attack('20 simultaneous acceptances create one subscription and one invoice', async () => {
  const { customer, link } = await sentQuote()
  const answers = await atOnce(20, () => answer(link, 'accept'))
  await wait(1_000)
  const [invoices, subscriptions] = [await list(`${customer}/invoices`), await list(`${customer}/subscriptions`)]
  if (invoices.length !== 1 || subscriptions.length !== 1)
    return `${invoices.length} and ${subscriptions.length} after ${statuses(answers)}`
})

await attack('only one of a simultaneous acceptance, refusal, cancellation and revision decides a quote', async () => {
  const { quote, customer, link } = await sentQuote()
  const answers = await Promise.all([
    answer(link, 'accept'),
    answer(link, 'decline', { reason: 'money' }),
    staff.post(`${quote}/cancel`, { reason: 'money' }),
    staff.post(`${quote}/accept-by-phone`, { name: 'Bob Buyer' }),
  ])
  await wait(500)
  const { state, decidedBy } = await read(quote)
  const invoices = await list(`${customer}/invoices`)
  if ((state === 'accepted') !== (invoices.length === 1))
    return `${state}, ${invoices.length} invoices: ${statuses(answers)}`
  if (state === 'cancelled' && decidedBy) return `a cancelled quote was decided by ${decidedBy}`
})

await attack('the link of a replaced quote can’t accept it', async () => {
  const { quote, link } = await sentQuote()
  const revision = expected(await staff.post(`${quote}/revise`, {}), 200)
  expected(await send(`${F}/quotes/${revision.id}`), 200)
  const answers = [await answer(link, 'accept'), await answer(link, 'decline')]
  if (having(answers, 409).length !== 2) return statuses(answers)
})

await attack('a sent quote cannot be changed, even while it is being sent', async () => {
  const { quote } = await sentQuote()
  const changes = [
    await staff.patch(quote, { discountPercent: 20 }, MERGE),
    await staff.put(`${F}/quotes`, { '@id': quote, discountPercent: 20 }),
    await staff.patch(quote, { customer: await newCustomer() }, MERGE),
  ]
  if (having(changes, 409).length !== 3) return statuses(changes)
  const draft = await newQuote()
  const answers = await Promise.all([
    send(draft),
    staff.patch(draft, { discountPercent: 95 }, MERGE),
    staff.patch(draft, { plans: [{ ...monthly, discountPercent: 95 }] }, MERGE),
  ])
  const { state, totals, discountPercent } = await read(draft)
  if (state === 'open' && (discountPercent || totals.discount)) return `sent with a discount: ${statuses(answers)}`
})

await attack('a discount above the limit can’t be sent without approval, in any form', async () => {
  expected(await send(await newQuote({ plans: [{ ...monthly, discountPercent: 1 }] })), 200)
  const forms = {
    line: { plans: [{ ...monthly, discountPercent: 26 }] },
    quote: { discountPercent: 26 },
    both: { plans: [{ ...monthly, discountPercent: 20 }], discountPercent: 20 },
    amount: {
      discountAmount: 5_000,
      discountDuration: 'forever',
      additionalItems: [{ description: 'large', quantity: 1, unitAmount: 100_000 }],
    },
    coupon: { coupon: await newCoupon({ percentOff: 50, duration: 'forever' }) },
    total: {
      plans: [],
      additionalItems: [{ description: 'large', quantity: 1, unitAmount: 500_000 }],
      discountPercent: 24,
    },
  }
  for (const [name, form] of Object.entries(forms)) {
    const { status, body } = await send(await newQuote(form))
    if (status !== 409 || body.code !== 'approval_needed') return `${name} answered ${status}`
  }
})

await attack('an approval covers only the approved discount of one quote, and can’t be given by staff', async () => {
  const quote = await newQuote({ plans: [{ ...monthly, discountPercent: 40 }] })
  expected(await staff.post(`${quote}/ask-approval`, { reason: 'money' }), 200)
  const approval = (await list(`${F}/discount_approvals?state=waiting&itemsPerPage=100`)).find(
    (row) => row.quote['@id'] === quote,
  )
  const path = `${F}/discount_approvals/${approval.id}`
  const own = await staff.post(`${path}/approve`, {})
  if (own.status !== 403) return `approved by its author: ${own.status}`
  const answers = await Promise.all([finance.post(`${path}/approve`, {}), manager.post(`${path}/approve`, {})])
  if (having(answers, 200).length !== 1) return statuses(answers)
  expected(await staff.patch(quote, { plans: [{ ...monthly, discountPercent: 90 }] }, MERGE), 200)
  if ((await send(quote)).status !== 409) return 'a larger discount was sent'
  expected(await staff.patch(quote, { plans: [{ ...monthly, discountPercent: 40 }] }, MERGE), 200)
  expected(await send(quote), 200)
  const copy = expected(await staff.post(`${quote}/copy`, { customer: await newCustomer() }), 200)
  if ((await send(`${F}/quotes/${copy.id}`)).status !== 409) return 'a copy was sent'
})

await attack('a draft quote cannot be accepted, linked, extended or converted', async () => {
  const draft = await newQuote({ discountPercent: 90 })
  const until = dayOf(Date.now() + 60 * DAY_MS)
  const answers = [
    await staff.post(`${draft}/accept-by-phone`, { name: 'Bob Buyer' }),
    await staff.post(`${draft}/link`, {}),
    await staff.post(`${draft}/extend`, { until, reason: 'money' }),
    await manager.post(`${draft}/convert`, {}),
  ]
  if (having(answers, 409).length !== 4) return statuses(answers)
})

await attack(
  'a single-use coupon is used once by quotes sent simultaneously, and its terms stay the same',
  async () => {
    const coupon = await newCoupon({ percentOff: 10, maxRedemptions: 1 })
    const quotes = await Promise.all(Array.from({ length: 6 }, async () => newQuote({ coupon })))
    const answers = await Promise.all(quotes.map(send))
    if (having(answers, 200).length !== 1 || (await read(coupon)).timesRedeemed !== 1) return statuses(answers)
    const changed = await manager.patch(coupon, { percentOff: 99 }, MERGE)
    if (changed.status !== 422) return `the terms changed: ${changed.status}`
  },
)

await attack('an accepted quote’s link pays only invoices of that quote and changes no customer’s name', async () => {
  const foreign = await read(await newInvoice(await newCustomer()))
  const { customer, link } = await sentQuote()
  const before = await read(customer)
  expected(
    await answer(link, 'accept', {
      signature,
      billingAddress: {
        address1: 'Changed',
        city: 'Changed',
        postcode: 'E1 1EE',
        billingName: 'Changed',
        email: 'changed@example.com',
      },
    }),
    200,
  )
  await wait(500)
  const after = await read(customer)
  for (const field of ['address1', 'city', 'billingName', 'email'])
    if (after[field] !== before[field]) return `${field} changed`
  const [own] = await list(`${customer}/invoices`)
  expected(await answer(link, 'pay', { number: own.number }), 200)
  const { status } = await answer(link, 'pay', { number: foreign.number })
  if (status !== 409) return `answered ${status}`
})

await attack('terms are saved without scripts, handlers and script links', async () => {
  const quote = await newQuote({
    terms:
      '<p onclick="a()">text<script>a()</script><a href="javascript:a()">x</a><img src=x onerror=a()><svg onload=a()><iframe src="//x"></iframe></p>',
  })
  const { terms } = await read(quote)
  if (!terms.includes('text')) throw new Error('the terms were not saved')
  if (/<script|onclick|onerror|onload|javascript:|<iframe/i.test(terms)) return terms
})

await attack('a previewed subscription change is applied once, and staff can’t give credit', async () => {
  const { path } = await newSubscription()
  const [first] = (await read(path)).items
  const change = { way: 'quantity', item: `${F}/subscription_items/${first.id}`, quantity: 3, when: 'now' }
  const { token } = expected(await staff.post(`${path}/preview`, change), 200)
  const foreign = await staff.post(`${(await newSubscription()).path}/change`, { ...change, token })
  if (foreign.status < 400) return `the token changed another subscription: ${foreign.status}`
  const answers = await atOnce(20, () => staff.post(`${path}/change`, { ...change, token }))
  if (having(answers, 200).length !== 1) return statuses(answers)
  const cancel = { way: 'cancelNow', credit: true, reason: 'other', notes: 'money' }
  const preview = expected(await staff.post(`${path}/preview`, cancel), 200)
  const credited = await staff.post(`${path}/change`, { ...cancel, token: preview.token })
  if (credited.status !== 403) return `staff gave a credit: ${credited.status}`
})

await attack(
  'a client’s bookkeeper can’t read or change the provider’s records, nor can the provider’s finance staff read or change the client’s',
  async () => {
    for (const [owner, other] of [
      [finance, bookkeeper],
      [bookkeeper, finance],
    ]) {
      const customer = await newCustomer(owner)
      const invoice = await newInvoice(customer, undefined, owner)
      expected(await owner.get(`${invoice}/pdf`), 200)
      const attempts = [
        other.get(customer),
        other.get(invoice),
        other.get(`${invoice}/pdf`),
        other.get(`${customer}/statement`),
        other.patch(customer, { billingName: 'money' }, MERGE),
        other.post(`${invoice}/void`, { reason: 'money' }),
        other.post(`${invoice}/pay-link`, {}),
        other.post(`${customer}/balance`, { change: 1, reason: 'money' }),
      ]
      const answers = await Promise.all(attempts)
      if (!answers.every(refused)) return statuses(answers)
      const linked = await other.post(`${F}/invoices`, { customer, lines: [] })
      if (linked.status !== 400) return `an invoice for the other’s customer answered ${linked.status}`
    }
    const customer = await newCustomer(bookkeeper)
    const lines = [{ kind: 'plan', plan: monthly.plan, quantity: 1 }]
    const { status } = await bookkeeper.post(`${F}/invoices`, { customer, lines })
    if (status !== 400) return `the provider’s plan answered ${status}`
  },
)

await attack('employees, client administrators and resellers cannot read money records', async () => {
  for (const name of [
    'customers',
    'invoices',
    'quotes',
    'charges',
    'refunds',
    'bank_lines',
    'vat_returns',
    'coupons',
    'ledger_entries',
  ]) {
    await list(`${F}/${name}`)
    for (const user of [employee, clientAdmin, reseller]) {
      const { status } = await user.get(`${F}/${name}`)
      if (status !== 403) return `${name} answered ${status}`
    }
  }
})

await attack('a quote whose e-mail is requested again 10 times simultaneously is e-mailed only once more', async () => {
  const { quote } = await sentQuote()
  const answers = await atOnce(10, () => staff.post(`${quote}/remind`, {}))
  if (having(answers, 200).length !== 1 || having(answers, 409).length !== 9) return statuses(answers)
})

finish()
