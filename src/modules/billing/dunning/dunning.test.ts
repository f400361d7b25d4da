import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { saveTestCard } from '#test/support/payments.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

const [GOOD, DECLINED, STOLEN, FAILS_LATE] = [
  '4242424242424242',
  '4000000000000341',
  '4000000000009979',
  '4000000000006009',
]
const SETTINGS = {
  automatic: true,
  remindAll: false,
  retryDays: '3, 5, 7, 14',
  reminderDays: '-3, 1, 7, 14',
  lapseDays: 14,
  finalDays: 30,
  final: 'keep',
}

let w: SalesWorld
let settings: string
beforeAll(async () => {
  w = await makeSalesWorld()
  settings = (await w.all('/api/financial/dunning_settings'))[0]?.['@id'] ?? (await settled())
})
beforeEach(() => w.finance.put(settings, SETTINGS))
afterEach(() => moveClock(w.portal.engine, 0))

/** Saves dunning settings, because clients other than the provider start without any. */
async function settled(): Promise<string> {
  await w.sql('INSERT INTO dunning_settings (client_id) VALUES ($1)', [w.person.clientId])
  return (await w.all('/api/financial/dunning_settings'))[0]['@id']
}

/** Moves the clock to a day and runs each morning's jobs. */
async function day(n: number): Promise<void> {
  await moveClock(w.portal.engine, n)
  await w.sql("DELETE FROM schedule_client WHERE client_id = $1 AND name IN ('dunning', 'subscriptions-past-due')", [
    w.person.clientId,
  ])
  for (const name of ['subscriptions-past-due', 'dunning']) {
    await w.portal.runSchedule(name)
    await w.portal.drain()
  }
}

const read = async (iri: string) => (await w.api.get(iri)).body
/** Creates a subscription and its first invoice, due in two weeks. The customer has a card if a number is given. */
async function subscriber({ number, ...values }: { number?: string; [field: string]: unknown } = {}) {
  const customer = await w.buyer({ invoiceEmail: `accounts.${Math.random()}@buyer.example`, ...values })
  const card = number ? await saveTestCard(w.portal, w.api, customer, number) : undefined
  const { subscriptions, invoices } = await w.sold({ customer, plans: [{ plan: w.plan }] })
  await w.portal.drain()
  const invoice = invoices[0]
  const plan = () => read(`${invoice['@id']}/dunning`)
  const charges = async () =>
    (await w.all(`${invoice['@id']}/charges`)).map((c: { state: string; amount: number }) => [c.state, c.amount])
  const steps = async () => (await plan()).steps.map((s: { kind: string }) => s.kind).toReversed()
  const { invoiceEmail } = await read(customer)
  const letters = async () =>
    (await written(invoiceEmail)).flatMap(({ template }) => (template === 'invoice' ? [] : template))
  return { customer, card, subscription: subscriptions[0], invoice, plan, charges, steps, letters, email: invoiceEmail }
}
/** Returns the e-mails sent to an address, oldest first. The bodies of e-mails with a secret link are omitted. */
const written = (to: string) =>
  w.sql<{ template: string; body: string }>(
    'SELECT template, body FROM message WHERE client_id = $1 AND recipient = $2 ORDER BY id',
    [w.person.clientId, to],
  )
type Subscriber = Awaited<ReturnType<typeof subscriber>>
const statesOf = async (s: Subscriber) => [
  (await read(s.invoice['@id'])).state,
  (await read(s.subscription['@id'])).status,
]

describe('dunning for a subscription paid by card', () => {
  test("a subscription's card is charged once on the due date, even if that day's job runs twice", async () => {
    const s = await subscriber({ number: GOOD })
    await day(13)
    expect(await s.charges()).toEqual([])
    await day(14)
    await day(14)
    expect(await s.charges()).toEqual([['succeeded', s.invoice.total]])
    expect(await statesOf(s)).toEqual(['paid', 'active'])
    expect([await s.steps(), await s.letters()]).toEqual([['charged'], ['payment-received']])
    await day(15)
    expect(await s.charges()).toHaveLength(1)
  })

  test('a declined card is retried only on the four configured days, with an e-mail each time', async () => {
    const s = await subscriber({ number: DECLINED })
    const tried: number[] = []
    for (const n of [13, 14, 15, 17, 18, 19, 21, 27, 28, 43, 44]) {
      const before = (await s.charges()).length
      await day(n)
      if ((await s.charges()).length > before) tried.push(n)
    }
    expect(tried).toEqual([14, 17, 19, 21, 28])
    expect((await s.letters()).filter((one) => one === 'payment-failed')).toHaveLength(5)
    expect((await s.plan()).state).toBe('ended')
    expect((await s.steps()).at(-1)).toBe('ended')
    expect((await s.letters()).at(-1)).toBe('invoice-unpaid')
    expect(await read(s.subscription['@id'])).toMatchObject({ status: 'past_due', lapsedOn: expect.any(String) })
  })

  test('a permanently declined card is not retried, but a new card is charged', async () => {
    const s = await subscriber({ number: STOLEN })
    await day(14)
    for (const n of [17, 19]) await day(n)
    expect(await s.charges()).toHaveLength(1)
    expect((await s.plan()).next.some((step: { kind: string }) => step.kind === 'charge')).toBe(false)
    const other = await saveTestCard(w.portal, w.api, s.customer, GOOD)
    await w.api.post(`${other}/make-default`)
    await day(20)
    expect((await s.charges())[0]).toEqual(['succeeded', s.invoice.total])
    expect(await statesOf(s)).toEqual(['paid', 'active'])
  })

  test('a payment reversed by the bank is collected again', async () => {
    const s = await subscriber({ number: FAILS_LATE })
    await day(14)
    expect(await statesOf(s)).toEqual(['paid', 'active'])
    await moveClock(w.portal.engine, 16)
    await w.portal.runSchedule('test-gateway-events')
    await w.portal.drain()
    expect((await s.plan()).next[0]).toMatchObject({ kind: 'charge', attempt: 1 })
    expect((await read(s.invoice['@id'])).state).toBe('open')
    expect(await s.steps()).toEqual(expect.arrayContaining(['charged', 'declined']))
  })

  test('the invoice e-mail to a customer with a saved card says that the card will be charged and does not ask for payment', async () => {
    const s = await subscriber({ number: GOOD })
    const [sent] = await written(s.email)
    expect(sent?.body).toMatch(/You don’t need to do anything: we will charge .* to your card, Visa ending 4242, on/)
  })

  test('a card is not charged if automatic charges are turned off', async () => {
    await w.finance.put(settings, { automatic: false })
    const s = await subscriber({ number: GOOD })
    await day(15)
    expect([await s.charges(), await s.letters()]).toEqual([[], ['invoice-overdue']])
  })
})

describe('dunning for an invoice that is paid in the meantime', () => {
  test('a bank payment restores the subscription at once and ends retries of the card, until the payment is undone', async () => {
    const s = await subscriber({ number: DECLINED })
    for (const n of [14, 15, 30]) await day(n)
    expect(await read(s.subscription['@id'])).toMatchObject({ status: 'past_due', lapsedOn: expect.any(String) })
    const paid = await w.finance.post('/api/financial/charges', {
      customer: s.customer,
      invoice: s.invoice['@id'],
      method: 'bank',
      amount: s.invoice.total,
      receivedAt: w.portal.engine.clock.now().toString(),
    })
    expect(paid.status).toBe(201)
    await w.portal.drain()
    expect(await statesOf(s)).toEqual(['paid', 'active'])
    expect(await s.plan()).toMatchObject({ state: 'collected', next: [] })
    expect((await s.letters()).at(-1)).toBe('payment-received')
    const before = await s.charges()
    await day(31)
    expect(await s.charges()).toEqual(before)

    // The payment was recorded in error: the invoice is due again today, and the subscription past due tomorrow.
    expect((await w.finance.post(`${paid.body['@id']}/reverse`, { reason: 'Other customer' })).status).toBe(200)
    await w.portal.drain()
    const { state, steps } = await s.plan()
    expect([state, steps[0]]).toMatchObject([
      'collecting',
      { kind: 'reopened', description: 'A payment was recorded in error and has been undone.' },
    ])
    await day(32)
    expect(await statesOf(s)).toEqual(['open', 'past_due'])
  })

  test('a payment in progress prevents a card charge', async () => {
    const s = await subscriber({ number: GOOD })
    await w.sql(
      `INSERT INTO charge (client_id, customer_id, invoice_id, card_id, method, amount, currency, gateway)
       SELECT i.client_id, i.customer_id, i.id, k.id, 'card', i.amount_due, i.currency, k.gateway FROM invoice i JOIN card k ON k.client_id = i.client_id AND k.customer_id = i.customer_id WHERE i.client_id = $1 AND i.id = $2`,
      [w.person.clientId, s.invoice.id],
    )
    await day(14)
    expect(await s.charges()).toEqual([['pending', s.invoice.total]])
    // The payment service was never called, so the payment is abandoned and the card is charged the next day.
    await moveClock(w.portal.engine, 15)
    await w.portal.runSchedule('payments-follow-up')
    await day(15)
    expect(await s.charges()).toEqual([
      ['succeeded', s.invoice.total],
      ['failed', s.invoice.total],
    ])
  })

  test('a refunded or disputed payment is never collected again automatically', async () => {
    const s = await subscriber({ number: GOOD })
    await day(14)
    const [charge] = await w.all(`${s.invoice['@id']}/charges`)
    await w.finance.post(`${charge['@id']}/refund`, { amount: charge.amount, reason: 'Charged too early' })
    await w.portal.drain()
    expect((await read(s.invoice['@id'])).state).toBe('open')
    expect(await s.plan()).toMatchObject({ state: 'held', next: [] })
    for (const n of [15, 20, 50]) await day(n)
    expect(await s.charges()).toHaveLength(1)
    const on = await w.finance.post(`${s.invoice['@id']}/dunning/resume`)
    expect([on.status, on.body.state]).toEqual([200, 'collecting'])
  })

  test('a partly refunded invoice counts as collected once the rest has been paid by bank transfer', async () => {
    const s = await subscriber({ number: GOOD })
    await day(14)
    const [charge] = await w.all(`${s.invoice['@id']}/charges`)
    await w.finance.post(`${charge['@id']}/refund`, { amount: 500, reason: 'Charged too much' })
    await w.portal.drain()
    expect((await s.plan()).state).toBe('held')
    const paid = await w.finance.post('/api/financial/charges', {
      customer: s.customer,
      invoice: s.invoice['@id'],
      method: 'bank',
      amount: 500,
      receivedAt: w.portal.engine.clock.now().toString(),
    })
    expect(paid.status).toBe(201)
    await w.portal.drain()
    expect([(await s.plan()).state, await s.steps()]).toEqual(['collected', ['charged', 'held', 'collected']])
  })

  test('a manual payment made at the same time as a retry results in one charge', async () => {
    const s = await subscriber({ number: GOOD })
    await moveClock(w.portal.engine, 14)
    const run = () => w.portal.runSchedule('dunning')
    const pay = () =>
      w.api.post('/api/financial/charges', {
        customer: s.customer,
        invoice: s.invoice['@id'],
        card: s.card as string,
        amount: s.invoice.total,
      })
    await w.sql("DELETE FROM schedule_client WHERE client_id = $1 AND name = 'dunning'", [w.person.clientId])
    const [, , ...both] = await Promise.all([run(), w.portal.drain(), pay(), pay()])
    await w.portal.drain()
    expect(both.map(({ status }) => status).toSorted()).not.toEqual([201, 201])
    expect((await s.charges()).filter(([state]) => state === 'succeeded')).toHaveLength(1)
    expect((await read(s.invoice['@id'])).amountPaid).toBe(s.invoice.total)
  })
})

describe('dunning without a card', () => {
  test('without a saved card, reminders with a payment link are e-mailed to the invoice address before and after the due date', async () => {
    const s = await subscriber()
    const sent: [number, number][] = []
    for (const n of [10, 11, 12, 14, 15, 16, 21, 28, 29]) {
      await day(n)
      sent.push([n, (await s.letters()).length])
    }
    expect(await s.letters()).toEqual(['invoice-due', 'invoice-overdue', 'invoice-overdue', 'invoice-overdue'])
    expect(sent).toEqual([
      [10, 0],
      [11, 1],
      [12, 1],
      [14, 1],
      [15, 2],
      [16, 2],
      [21, 3],
      [28, 4],
      [29, 4],
    ])
    const links = await w.sql('SELECT 1 FROM pay_link WHERE client_id = $1 AND invoice_id = $2', [
      w.person.clientId,
      s.invoice.id,
    ])
    // All e-mails about an invoice have the same link.
    expect(links).toHaveLength(1)
  })

  test('no payment reminders are sent to invalid e-mail addresses', async () => {
    const s = await subscriber({ invoiceEmail: '' })
    await w.sql("UPDATE customer SET email = 'no' WHERE client_id = $1 AND id = $2", [
      w.person.clientId,
      Number(s.customer.split('/').at(-1)),
    ])
    await day(15)
    expect((await s.plan()).steps).toMatchObject([{ kind: 'notSent', sentTo: '' }])
    expect([...(await written('no')), ...(await written(''))]).toEqual([])
  })

  test('invoices without a subscription get no reminders if these are turned off for them', async () => {
    const customer = await w.buyer()
    const line = { description: 'Site visit', quantity: 1, unitAmount: 5000 }
    const made = (await w.api.post('/api/financial/invoices', { customer, lines: [line] })).body
    await w.finance.post(`${made['@id']}/issue`, {})
    await day(15)
    const steps = async () => (await read(`${made['@id']}/dunning`)).steps.map((s: { kind: string }) => s.kind)
    expect(await steps()).toEqual([])
    await w.finance.put(settings, { remindAll: true })
    await day(16)
    expect(await steps()).toEqual(['reminder'])
  })
})

describe('the final dunning step', () => {
  test('the final dunning step cancels the subscription if so configured', async () => {
    await w.finance.put(settings, { final: 'cancel' })
    const s = await subscriber()
    for (const n of [43, 44, 45]) await day(n)
    expect(await statesOf(s)).toEqual(['open', 'cancelled'])
    expect((await w.api.get(s.subscription['@id'])).body.cancelReason).toBe('unpaid')
    expect((await s.plan()).steps[0].description).toMatch(/was not paid. Subscription \d+ was cancelled/)
  })

  test('the final dunning step writes the invoice off if so configured', async () => {
    await w.finance.put(settings, { final: 'uncollectible' })
    const s = await subscriber()
    for (const n of [43, 44, 45, 46]) await day(n)
    expect(await statesOf(s)).toEqual(['uncollectible', 'past_due'])
    expect((await s.plan()).state).toBe('ended')
    expect((await w.finance.post(`${s.invoice['@id']}/reopen`)).status).toBe(200)
    await day(50)
    expect(await statesOf(s)).toEqual(['open', 'past_due'])
  })
})

describe('pausing dunning', () => {
  const pause = (s: Subscriber, days: number, by = w.finance) => {
    const until = Temporal.PlainDate.from(s.invoice.dueOn).add({ days }).toString()
    return by.post(`${s.invoice['@id']}/dunning/pause`, { until, reason: 'Promised to pay by then' })
  }
  test("pausing an invoice's reminders suspends all dunning steps, including the subscription's lapse, until the pause ends", async () => {
    const s = await subscriber({ number: DECLINED })
    await day(14)
    const paused = await pause(s, 40)
    expect(paused.body).toMatchObject({ pauseReason: 'Promised to pay by then', state: 'collecting' })
    for (const n of [17, 25, 40, 54]) await day(n)
    expect(await s.charges()).toHaveLength(1)
    expect(await read(s.subscription['@id'])).toMatchObject({ status: 'past_due', lapsedOn: null })
    await day(55)
    expect(await s.charges()).toHaveLength(2)
    expect((await read(s.subscription['@id'])).lapsedOn).not.toBeNull()
  })

  test('pausing reminders requires the finance role and a date in the near future, and the pause can be ended early', async () => {
    const s = await subscriber({ number: DECLINED })
    expect((await pause(s, 3, w.api)).status).toBe(403)
    expect((await pause(s, -30)).status).toBe(422)
    expect((await pause(s, 200)).status).toBe(422)
    expect((await w.finance.post(`${s.invoice['@id']}/dunning/resume`)).status).toBe(409)
    await pause(s, 3)
    const on = await w.finance.post(`${s.invoice['@id']}/dunning/resume`)
    expect(on.body.steps.map((step: { kind: string }) => step.kind)).toEqual(['resumed', 'paused'])
    expect(on.body.pausedUntil).toBeNull()
    const stranger = await w.portal.client()
    const other = stranger.as(await stranger.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
    expect((await other.get(`${s.invoice['@id']}/dunning`)).status).toBe(404)
    expect((await pause(s, 3, other)).status).toBe(404)
  })
})

test('invalid reminder days are rejected, and valid ones are saved sorted and without duplicates', async () => {
  const put = async (values: Record<string, unknown>) => {
    const { status, body } = await w.finance.put(settings, values)
    return [status, body.retryDays ?? body.violations?.[0]?.message]
  }
  expect(await put({ retryDays: ' 5,3 ,3' })).toEqual([200, '3, 5'])
  expect(await put({ retryDays: '1, 2, 3, 4, 5' })).toEqual([422, 'Enter at most 4 days'])
  expect(await put({ retryDays: '0' })).toEqual([422, 'Days must be from 1 to 60'])
  expect(await put({ retryDays: 'soon' })).toEqual([422, 'Please enter whole numbers of days, separated by commas'])
  expect(await put({ retryDays: '' })).toEqual([200, ''])
  expect((await w.api.put(settings, { lapseDays: 1 })).status).toBe(403)
})

test('a customer with a subscription gets one e-mail three weeks before their card expires', async () => {
  const s = await subscriber({ number: GOOD })
  await w.sql('UPDATE card SET expires_on = current_date + 60 WHERE client_id = $1 AND id = $2', [
    w.person.clientId,
    Number(s.card?.split('/').at(-1)),
  ])
  const told = async (n: number) => {
    await moveClock(w.portal.engine, n)
    await w.portal.runSchedule('card.expires')
    await w.portal.drain()
    return (await s.letters()).filter((one) => one === 'card-expires').length
  }
  expect([await told(37), await told(40), await told(41)]).toEqual([0, 1, 1])
})
