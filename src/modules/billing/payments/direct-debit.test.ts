import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { workingDayAhead } from '#test/support/days.ts'
import { createCustomer, expectBalanced, issueTestInvoice, loadLedgerEntries } from '#test/support/payments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { pickDailySample } from '#test/support/scope.ts'

const portal = await testPortal()
let money: TestApi
let boss: TestApi
beforeAll(async () => {
  money = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  boss = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE', 'ROLE_BILLING_ADMIN'] }))
  const [rules] = (await boss.get('/api/financial/payment_settings')).body['hydra:member']
  await boss.patch(rules['@id'], { debitName: 'PROVIDER LTD' })
})
beforeEach(() => moveClock(portal.engine, 0))
afterEach(() => moveClock(portal.engine, 0))

const sql = <T extends object = Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, [...values]))
const read = async (iri: string) => (await money.get(iri)).body
const members = async (iri: string) => (await read(iri))['hydra:member']

/** Moves the clock, and delivers the payment service's events up to that time. */
async function day(days: number) {
  await moveClock(portal.engine, days)
  await portal.runSchedule('test-gateway-events')
  await portal.drain()
}

/** Moves the clock to the morning of a working day and takes the steps that are due. */
async function collect(days: number) {
  await day(workingDayAhead(days))
  await sql("DELETE FROM schedule_client WHERE name = 'dunning'")
  await portal.runSchedule('dunning')
  await portal.drain()
}

const FORM = { holder: 'Payer Ltd', sortCode: '10-88-00', accountNumber: '00012345', authorised: true }

async function pageOf(invoice: { '@id': string }) {
  const { url } = (await money.post(`${invoice['@id']}/pay-link`, {})).body
  return `/api/financial/payments/${String(url).split('/').at(-1)}`
}

/** Issues an invoice, due in 14 days, with its payment page. */
async function owing(pence = 5000, of?: string) {
  const customer = of ?? (await createCustomer(money))
  const invoice = await issueTestInvoice(money, customer, pence)
  await portal.drain()
  const page = await pageOf(invoice)
  const sign = (more: object = {}) => portal.anonymous.post(`${page}/mandate`, { ...FORM, ...more })
  const mandates = () => members(`${customer}/mandates`)
  const charges = () => members(`${invoice['@id']}/charges`)
  const plan = () => read(`${invoice['@id']}/dunning`)
  const templates = async () =>
    (
      await sql<{ template: string }>(
        "SELECT template FROM message WHERE recipient = (SELECT email FROM customer WHERE client_id = 0 AND id = $1) AND template <> 'invoice' ORDER BY id",
        [Number(customer.split('/').at(-1))],
      )
    ).map(({ template }) => template)
  return { customer, invoice, page, sign, mandates, charges, plan, templates }
}

/** Collects an invoice from a test account, until the bank has answered. */
async function collected(accountNumber: string) {
  const o = await owing()
  expect((await o.sign({ accountNumber })).status).toBe(200)
  await portal.drain()
  await day(3)
  await collect(22)
  const [pending] = await o.charges()
  await day(26)
  return { ...o, pending, charge: (await o.charges())[0] }
}

test('the upcoming collections include an invoice from the acceptance of its instruction until its payment is in progress', async () => {
  const o = await owing(12_300)
  const listed = async () =>
    (await members('/api/financial/collections')).find(({ id }: { id: number }) => id === o.invoice.id)
  expect((await o.sign()).status).toBe(200)
  await portal.drain()
  expect(await listed()).toBeUndefined()
  await day(3)
  const on = Temporal.Now.plainDateISO('Europe/London').add({ days: 3 })
  await day(10)
  const found = await listed()
  expect(found).toMatchObject({
    number: o.invoice.number,
    company: expect.any(String),
    amount: (await read(o.invoice['@id'])).amountDue,
    currency: 'GBP',
    by: 'debit',
  })
  expect(on.until(found.on).days).toBeGreaterThan(0)
  await collect(25)
  expect(await listed()).toBeUndefined()
  const seller = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  expect((await seller.get('/api/financial/collections')).status).toBe(403)
})

describe('a Direct Debit Instruction', () => {
  test('a Direct Debit Instruction is offered in sterling if the name on bank statements is set', async () => {
    const { page } = await owing()
    expect((await portal.anonymous.get(page)).body).toMatchObject({
      debit: { serviceName: 'PROVIDER LTD', noticeDays: 10 },
      mandate: null,
    })
    const [rules] = await members('/api/financial/payment_settings')
    await boss.patch(rules['@id'], { debitName: '' })
    expect((await portal.anonymous.get(page)).body.debit).toBeNull()
    expect((await portal.anonymous.post(`${page}/mandate`, FORM)).status).toBe(409)
    await boss.patch(rules['@id'], { debitName: 'PROVIDER LTD' })
  })

  test('a Direct Debit Instruction is pending until the bank accepts it, is confirmed by e-mail, and is stored with only the last four digits', async () => {
    const o = await owing()
    const signed = await o.sign()
    expect([signed.status, signed.body.mandate]).toEqual([
      200,
      expect.objectContaining({ last4: '2345', state: 'pending', serviceName: 'PROVIDER LTD' }),
    ])
    await portal.drain()
    expect(await o.mandates()).toMatchObject([
      { holder: 'Payer Ltd', last4: '2345', state: 'pending', bank: 'Test Bank', gateway: 'test' },
    ])
    expect(await o.templates()).toContain('mandate-signed')
    const [letter] = await sql<{ body: string }>(
      "SELECT body FROM message WHERE template = 'mandate-signed' ORDER BY id DESC LIMIT 1",
    )
    for (const words of ['Direct Debit Guarantee', 'PROVIDER LTD', '10 working days', 'account ending 2345'])
      expect(letter?.body).toContain(words)
    await day(3)
    expect((await o.mandates())[0]).toMatchObject({ state: 'active', activeAt: expect.any(String) })
    for (const table of ['mandate', 'test_gateway', 'webhook_event', 'audit', 'outbox', 'message', 'charge'])
      expect(await sql(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%00012345%'`)).toEqual([])
  })

  test.each([
    [{ accountNumber: '66374959', sortCode: '08-99-99' }, 'accountNumber', 'does not belong to this sort code'],
    [{ accountNumber: '1234' }, 'accountNumber', 'eight digits'],
    [{ sortCode: '1088' }, 'sortCode', 'six digits'],
    [{ holder: ' ' }, 'holder', 'name on the account'],
    [{ authorised: false }, 'authorised', 'more than one person'],
  ])('a Direct Debit Instruction with %o is refused with 422', async (more, field, words) => {
    const o = await owing()
    const made = await o.sign(more)
    expect(made.status).toBe(422)
    expect(made.body.violations).toMatchObject([{ propertyPath: field, message: expect.stringContaining(words) }])
    expect(await o.mandates()).toEqual([])
  })

  test('a Direct Debit Instruction accepts an account with a correct check digit', async () => {
    const o = await owing()
    expect((await o.sign({ accountNumber: '6637 4958', sortCode: '089999' })).body.mandate.last4).toBe('4958')
  })

  test('a Direct Debit Instruction can be signed once: a second one returns 409, even simultaneously or on another invoice', async () => {
    const o = await owing()
    const both = await Promise.all([o.sign(), o.sign({ accountNumber: '22222227' })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const other = await owing(3000, o.customer)
    const again = await other.sign()
    expect([again.status, again.body.code]).toEqual([409, 'already_there'])
    expect(again.body['hydra:description']).toContain('already set up')
    expect(await o.mandates()).toHaveLength(1)
  })

  test("a Direct Debit Instruction belongs to the link's customer, and a changed link returns 404", async () => {
    const [one, two] = [await owing(), await owing()]
    await one.sign()
    expect(await two.mandates()).toEqual([])
    expect((await portal.anonymous.get(two.page)).body.mandate).toBeNull()
    const mixed = `${one.page.split('-').slice(0, -1).join('-')}-${two.page.split('-').at(-1)}`
    expect((await portal.anonymous.post(`${mixed}/mandate`, FORM)).status).toBe(404)
    const client = await portal.client()
    const outsider = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INVOICING_FINANCE'] }))
    const [held] = await one.mandates()
    expect((await outsider.get(held['@id'])).status).not.toBe(200)
    expect((await outsider.post(`${held['@id']}/cancel`, {})).status).not.toBe(200)
  })

  test('a Direct Debit Instruction on a paid invoice returns 409', async () => {
    const o = await owing()
    const receivedAt = portal.engine.clock.now().toString()
    const paid = { customer: o.customer, invoice: o.invoice['@id'], method: 'bank', amount: 5000, receivedAt }
    expect((await money.post('/api/financial/charges', paid)).status).toBe(201)
    expect((await o.sign()).status).toBe(409)
  })

  test('a Direct Debit Instruction can be refused by the bank, and another account can then be used', async () => {
    const o = await owing()
    await o.sign({ accountNumber: '77777772' })
    await day(3)
    expect((await o.mandates())[0]).toMatchObject({
      state: 'failed',
      reason: 'This account does not accept Direct Debits.',
    })
    expect((await o.sign()).status).toBe(200)
  })

  test('a Direct Debit Instruction is cancelled by finance staff, also at the payment service, and only once', async () => {
    const o = await owing()
    await o.sign()
    await day(3)
    const [held] = await o.mandates()
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await staff.post(`${held['@id']}/cancel`, {})).status).toBe(403)
    expect((await money.post(`${held['@id']}/cancel`, {})).body).toMatchObject({ state: 'cancelled' })
    expect((await money.post(`${held['@id']}/cancel`, {})).status).toBe(409)
    await portal.drain()
    expect((await o.plan()).next.map(({ kind }: { kind: string }) => kind)).not.toContain('charge')
    await collect(24)
    expect(await o.charges()).toEqual([])
  })
})

describe('a collection by Direct Debit', () => {
  test('a collection follows a notice of at least ten working days, is pending, and then pays the invoice', async () => {
    const o = await owing()
    await o.sign()
    // The notice is sent on the tenth working day before the due date, which may be today.
    await collect(3)
    expect(await o.templates()).toContain('debit-notice')
    const { next, steps } = await o.plan()
    expect(steps).toMatchObject([{ kind: 'notice', sentTo: expect.any(String) }])
    expect(next[0]).toMatchObject({ kind: 'charge', by: 'debit' })
    const shown = (await portal.anonymous.get(o.page)).body.mandate
    expect(shown.collectOn).toBe(next[0].on)
    const today = Temporal.PlainDate.from((await read(o.invoice['@id'])).date)
    const until = today.until(Temporal.PlainDate.from(next[0].on), { largestUnit: 'days' }).days
    expect(until).toBeGreaterThanOrEqual(14)
    await collect(until - 1)
    expect(await o.charges()).toEqual([])
    await collect(until)
    await collect(until)
    expect(await o.charges()).toMatchObject([{ method: 'debit', state: 'pending', amount: 5000, card: null }])
    expect((await portal.anonymous.get(o.page)).body.mandate.isCollecting).toBe(true)
    await day(until + 4)
    const [paid] = await o.charges()
    expect(paid).toMatchObject({ state: 'succeeded', mandate: { last4: '2345' }, fee: 95 })
    expect(await read(o.invoice['@id'])).toMatchObject({ state: 'paid', amountDue: 0 })
    expect(await loadLedgerEntries(portal, 'Charge', paid.id)).toEqual([
      ['charge', 'clearing', 5000],
      ['charge', 'receivable', -5000],
      ['fee', 'clearing', -95],
      ['fee', 'fees', 95],
    ])
    expect(await o.templates()).toContain('payment-received')
    expect((await portal.anonymous.get(o.page)).body.payments).toMatchObject([
      { method: 'Direct Debit, account ending 2345' },
    ])
    await expectBalanced(portal, o.customer)
  })

  test('later invoices of the customer are collected too, each after its own notice', async () => {
    const o = await owing()
    await o.sign()
    await day(3)
    const later = await owing(7500, o.customer)
    await collect(4)
    expect((await later.plan()).steps).toMatchObject([{ kind: 'notice' }])
    await collect(25)
    expect(await later.charges()).toMatchObject([{ method: 'debit', state: 'pending', amount: 7500 }])
  })

  test('a collection needs a new notice if its amount changes', async () => {
    const o = await owing()
    await o.sign()
    await day(3)
    const receivedAt = portal.engine.clock.now().toString()
    const part = { customer: o.customer, invoice: o.invoice['@id'], method: 'bank', amount: 2000, receivedAt }
    expect((await money.post('/api/financial/charges', part)).status).toBe(201)
    await portal.drain()
    await collect(20)
    expect(await o.charges()).toMatchObject([{ method: 'bank' }])
    expect((await o.plan()).steps.filter(({ kind }: { kind: string }) => kind === 'notice')).toHaveLength(2)
  })

  const failures: readonly (readonly [account: string, words: string, state: string])[] = [
    ['11111116', 'refer to the account holder', 'active'],
    ['22222227', 'not enough money', 'active'],
    ['33333335', 'has been cancelled', 'cancelled'],
    ['44444440', 'no account with this number', 'cancelled'],
    ['66666661', 'has been closed', 'cancelled'],
  ]
  test.each(pickDailySample(failures, 2))(
    'a collection from account %s fails: the bank reports "%s", and the instruction is then %s',
    async (account, words, state) => {
      const { charge, pending, mandates, templates, plan, invoice } = await collected(account)
      expect(pending).toMatchObject({ state: 'pending' })
      expect(charge).toMatchObject({ state: 'failed', failure: expect.stringContaining(words) })
      expect((await mandates())[0].state).toBe(state)
      expect(await templates()).toContain('payment-failed')
      expect((await read(invoice['@id'])).amountDue).toBe(5000)
      const kinds = (await plan()).next.map((one: { kind: string }) => one.kind)
      expect(kinds.includes('charge')).toBe(state === 'active')
    },
  )

  test('a collection is claimed back under the guarantee: the invoice is due again, and nothing more is collected automatically', async () => {
    const { charge, invoice, customer } = await collected('55555559')
    expect(charge.state).toBe('succeeded')
    await day(40)
    expect(await read(charge['@id'])).toMatchObject({
      state: 'disputed',
      dispute: 'lost',
      amountDisputed: 5000,
      disputeReason: 'indemnity claim',
    })
    expect(await read(invoice['@id'])).toMatchObject({ state: 'open', amountDue: 5000 })
    await collect(42)
    expect(await members(`${invoice['@id']}/charges`)).toHaveLength(1)
    await expectBalanced(portal, customer)
  })

  test.each([
    ['in full', 5000],
    ['in part', 2000],
  ])('a claim after a refund %s returns only the remainder of the collection', async (_, refunded) => {
    const { charge, customer } = await collected('55555559')
    const made = await money.post(`${charge['@id']}/refund`, { amount: refunded, reason: 'Cancelled' })
    expect([made.status, made.body.state]).toEqual([201, 'succeeded'])
    await day(40)
    const after = await read(charge['@id'])
    expect(after).toMatchObject({ state: 'disputed', amountDisputed: 5000 - refunded, amountRefunded: refunded })
    expect(after.disputeReason).toContain('Challenge the claim')
    const moved = [
      ...(await loadLedgerEntries(portal, 'Charge', charge.id)),
      ...(await loadLedgerEntries(portal, 'Refund', made.body.id)),
    ].filter(([kind, account]) => account === 'clearing' && !/fee/i.test(kind))
    expect(moved.reduce((sum, [, , amount]) => sum + amount, 0)).toBe(0)
    expect((await read(customer)).accountBalance).toBe(5000)
    await expectBalanced(portal, customer)
  })

  test('collections stop when the bank cancels the instruction: finance staff are notified, and reminders follow', async () => {
    const o = await owing()
    await o.sign({ accountNumber: '88888883' })
    await day(3)
    await day(11)
    expect((await o.mandates())[0]).toMatchObject({ state: 'cancelled', endedBy: '' })
    const notices = await sql("SELECT 1 FROM notice WHERE kind = 'mandate.ended'")
    expect(notices.length).toBeGreaterThan(0)
    await sql("UPDATE message SET state = 'sent', sent_at = portal_now() WHERE about = $1", [o.invoice['@id']])
    await collect(24)
    expect(await o.charges()).toEqual([])
    expect((await o.plan()).steps.map(({ kind }: { kind: string }) => kind)).toContain('reminder')
  })

  test('a collection has the same state if its events are repeated in any order', async () => {
    const { charge, customer, mandates, invoice } = await collected('55555559')
    await day(40)
    const before = [await read(charge['@id']), await mandates(), await read(invoice['@id'])]
    const [{ gateway_id: held } = { gateway_id: '' }] = await sql<{ gateway_id: string }>(
      'SELECT gateway_id FROM mandate WHERE id = $1',
      [charge.mandate.id],
    )
    const events = await members('/api/financial/webhook_events?itemsPerPage=100')
    const ours = events.filter(
      (one: { payment: string; mandate: string }) => one.payment === charge.gatewayRef || one.mandate === held,
    )
    expect(ours.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'dispute.lost',
      'mandate.active',
      'payment.succeeded',
    ])
    for (const one of [...ours, ...ours.toReversed()]) {
      expect((await money.post(`${one['@id']}/replay`, {})).status).toBe(200)
      await portal.drain()
    }
    const same = (one: Record<string, unknown>) => ({ ...one, updatedAt: undefined })
    expect([await read(charge['@id']), await mandates(), await read(invoice['@id'])].map((one) => same(one))).toEqual(
      before.map((one) => same(one)),
    )
    await expectBalanced(portal, customer)
  })

  test('a collection started by a user is refused, because collections follow a notice', async () => {
    const o = await owing()
    const made = await money.post('/api/financial/charges', {
      customer: o.customer,
      invoice: o.invoice['@id'],
      method: 'debit',
      amount: 5000,
    })
    expect(made.status).toBe(422)
  })
})
