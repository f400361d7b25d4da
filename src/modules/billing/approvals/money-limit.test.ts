import { describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { createInvoicingCustomer, makeInvoicingClientWorld } from '#test/support/own-books.ts'
import { createCustomer, expectBalanced, issueTestInvoice, saveTestCard } from '#test/support/payments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { provider } = portal
const person = async (...roles: string[]) => provider.as(await provider.user({ roles: ['ROLE_STAFF', ...roles] }))
/** Creates finance staff without earlier decisions, because the limit adds up each person's decisions. */
const finance = () => person('ROLE_FINANCE')
const staff = await person()
const second = await finance()

const REQUESTS = '/api/financial/finance_requests'
const isSent = ({ body }: { readonly body: { readonly state: string } }) => body.state === 'succeeded'

async function paid(pence: number, of?: string) {
  const customer = of ?? (await createCustomer(staff))
  const card = await saveTestCard(portal, staff, customer, '4242424242424242')
  const invoice = await issueTestInvoice(second, customer, pence)
  const made = await staff.post('/api/financial/charges', { customer, invoice: invoice['@id'], card, amount: pence })
  expect([made.status, made.body.state]).toEqual([201, 'succeeded'])
  return { customer, invoice, charge: made.body['@id'] as string }
}
const refund = (api: TestApi, charge: string, amount: number) =>
  api.post(`${charge}/refund`, { amount, reason: 'Too much' })
const goodwill = (api: TestApi, customer: string, pence: number, more = {}) =>
  api.post(`${customer}/balance`, { change: -pence, reason: 'Goodwill', ...more })
const requestsOf = async (customer: string) =>
  (await second.get(`${REQUESTS}?customer=${customer.split('/').at(-1)}`)).body['hydra:member']

describe("the limit on one person's decisions", () => {
  test('refunds of one charge by several people are added up against the limit', async () => {
    const { customer, charge } = await paid(300_000)
    const states: string[] = []
    for (const amount of [30_000, 20_000, 1, 50_000])
      states.push((await refund(await finance(), charge, amount)).body.state)
    expect(states).toEqual(['succeeded', 'succeeded', 'waiting', 'waiting'])
    await expectBalanced(portal, customer)
  })

  test('refunds to one customer are added up over several charges against the limit', async () => {
    const one = await paid(100_000)
    const two = await paid(100_000, one.customer)
    expect(isSent(await refund(await finance(), one.charge, 40_000))).toBe(true)
    expect((await refund(await finance(), two.charge, 10_001)).body.state).toBe('waiting')
    expect(isSent(await refund(await finance(), two.charge, 10_000))).toBe(true)
  })

  test('amounts given by one person to several customers are added up against the limit', async () => {
    const teller = await finance()
    const [one, two] = [await paid(100_000), await paid(100_000)]
    expect(isSent(await refund(teller, one.charge, 40_000))).toBe(true)
    expect((await refund(teller, two.charge, 10_001)).body.state).toBe('waiting')
    expect((await goodwill(teller, await createCustomer(staff), 10_001)).body.code).toBe('approval_needed')
    expect(isSent(await refund(await finance(), two.charge, 10_001))).toBe(true)
  })

  test('the limit excludes amounts approved by a second person and amounts older than 30 days', async () => {
    const { charge } = await paid(300_000)
    const teller = await finance()
    const large = await refund(teller, charge, 60_000)
    expect(large.body.state).toBe('waiting')
    expect((await second.post(`${large.body['@id']}/approve`)).status).toBe(200)
    await portal.drain()
    expect(isSent(await refund(teller, charge, 50_000))).toBe(true)
    expect((await refund(teller, charge, 1)).body.state).toBe('waiting')
    await moveClock(portal.engine, 31)
    expect(isSent(await refund(teller, charge, 50_000))).toBe(true)
    await moveClock(portal.engine, 0)
  })

  test('of two simultaneous refunds that together exceed the limit, only one succeeds without a second person', async () => {
    const { charge } = await paid(200_000)
    const both = await Promise.all([await finance(), await finance()].map((api) => refund(api, charge, 30_000)))
    expect(both.map(({ body }) => body.state).toSorted()).toEqual(['succeeded', 'waiting'])
    const teller = await finance()
    const [one, two] = [await paid(100_000), await paid(100_000)]
    const apart = await Promise.all([one, two].map((of) => refund(teller, of.charge, 30_000)))
    expect(apart.map(({ body }) => body.state).toSorted()).toEqual(['succeeded', 'waiting'])
  })

  test('the limit also applies to a client without payment settings', async () => {
    const w = await makeInvoicingClientWorld()
    const { client, books } = w
    const customer = await createInvoicingCustomer(w)
    const charge = await books.post('/api/financial/charges', {
      customer,
      method: 'bank',
      amount: 200_000,
      receivedAt: new Date().toISOString(),
    })
    expect(charge.status).toBe(201)
    const alone = await refund(books, charge.body['@id'], 60_000)
    expect([alone.status, alone.body.code]).toEqual([409, 'no_second_person'])
    expect(alone.body['hydra:description']).toContain('Give another user the right “Invoicing and finance”')
    const other = client.as(await client.user({ roles: ['ROLE_INVOICING_FINANCE'] }))
    const asked = await refund(books, charge.body['@id'], 60_000)
    expect(asked.body.state).toBe('waiting')
    expect((await books.post(`${asked.body['@id']}/approve`)).status).toBe(403)
    expect((await other.post(`${asked.body['@id']}/approve`)).status).toBe(200)
  })
})

test('a refund by a credit note above the limit waits for a second person, who is notified', async () => {
  const { customer, invoice, charge } = await paid(1_080_000)
  const [teller, user] = [await finance(), await provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] })]
  const approver = provider.as(user)
  const note = { invoice: invoice['@id'], reason: 'Not delivered', to: 'refund' }
  const made = await teller.post('/api/financial/credit_notes', note)
  expect(made).toMatchObject({ status: 201, body: { amountToRefund: 1_080_000 } })
  const amounts = async () => {
    const { amountToRefund, amountRefunded, amountRefunding } = (await teller.get(made.body['@id'])).body
    return [amountToRefund, amountRefunded, amountRefunding]
  }
  expect(made.body).toMatchObject({ amountRefunded: 0, amountRefunding: 1_080_000 })
  await portal.drain()
  expect(await amounts()).toEqual([1_080_000, 0, 1_080_000])
  const [waiting] = (await second.get(`/api/financial/refunds?charge=${charge.split('/').at(-1)}`)).body['hydra:member']
  expect(waiting).toMatchObject({ state: 'waiting', amount: 1_080_000, approvedBy: '' })
  const notices = (await approver.get('/api/portal/notices/inbox')).body['hydra:member']
  expect(JSON.stringify(notices)).toContain('Refund awaiting approval: £10,800.00')
  expect((await teller.post(`${waiting['@id']}/approve`)).status).toBe(403)
  expect((await approver.post(`${waiting['@id']}/approve`)).status).toBe(200)
  await portal.drain()
  expect((await second.get(waiting['@id'])).body).toMatchObject({
    state: 'succeeded',
    creditNote: { number: made.body.number },
  })
  expect(await amounts()).toEqual([1_080_000, 1_080_000, 0])
  await expectBalanced(portal, customer)
})

test('a credit note shows no refund after its refund is declined', async () => {
  const { invoice, charge } = await paid(240_000)
  const note = { invoice: invoice['@id'], reason: 'Not delivered', to: 'refund' }
  const { body: made } = await (await finance()).post('/api/financial/credit_notes', note)
  const [waiting] = (await second.get(`/api/financial/refunds?charge=${charge.split('/').at(-1)}`)).body['hydra:member']
  expect((await second.post(`${waiting['@id']}/reject`, { reason: 'Delivered after all' })).status).toBe(200)
  expect((await second.get(made['@id'])).body).toMatchObject({
    amountToRefund: 240_000,
    amountRefunded: 0,
    amountRefunding: 0,
  })
  expect((await second.get(charge)).body).toMatchObject({ amountRefunded: 0, amountRefunding: 0, refundable: 240_000 })
})

describe('credit notes for an amount already paid', () => {
  const credit = (api: TestApi, invoice: { '@id': string }, more = {}) =>
    api.post('/api/financial/credit_notes', { invoice: invoice['@id'], reason: 'Goodwill', to: 'balance', ...more })

  test('a credit note above the limit adds credit only after a second person has declined its refund', async () => {
    const [teller, { customer, invoice, charge }] = [await finance(), await paid(60_000)]
    expect((await credit(teller, invoice)).body.code).toBe('approval_needed')
    expect((await second.get(customer)).body.accountBalance).toBe(0)
    expect((await credit(teller, invoice, { to: 'refund' })).status).toBe(201)
    const waiting = (await second.get(`/api/financial/refunds?charge=${charge.split('/').at(-1)}`)).body['hydra:member']
    expect((await teller.post(`${waiting[0]['@id']}/withdraw`)).status).toBe(409)
    expect((await second.post(`${waiting[0]['@id']}/reject`, { reason: 'Stays as credit' })).status).toBe(200)
    expect((await second.get(customer)).body.accountBalance).toBe(-60_000)
    await expectBalanced(portal, customer)
  })

  test("a credit note is added to the person's other decisions of the last 30 days", async () => {
    const [teller, { customer, invoice }] = [await finance(), await paid(50_000)]
    const { lines } = (await second.get(invoice['@id'])).body
    const part = (net: number) => credit(teller, invoice, { lines: [{ line: lines[0]['@id'], net }] })
    expect((await part(30_000)).status).toBe(201)
    expect((await part(20_000)).status).toBe(201)
    expect((await goodwill(teller, customer, 1)).body.code).toBe('approval_needed')
    expect((await goodwill(await finance(), customer, 1)).body.code).toBe('approval_needed')
    expect((await goodwill(teller, await createCustomer(staff), 1)).body.code).toBe('approval_needed')
    const other = await paid(50_000)
    expect((await credit(teller, other.invoice)).body.code).toBe('approval_needed')
  })
})

describe('balance changes above the limit', () => {
  test('a balance change above the limit is refused through every endpoint until a second person approves a request', async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    const asFields = { accountBalanceChange: -50_001, accountBalanceReason: 'Goodwill' }
    const refused = [
      await goodwill(teller, customer, 50_001),
      await teller.put(customer, asFields),
      await teller.patch(customer, asFields, { 'content-type': 'application/merge-patch+json' }),
      await teller.post('/api/financial/customers', { email: 'n@n.example', ...asFields }),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [409, 'approval_needed']))
    expect((await second.get(customer)).body.accountBalance).toBe(0)
    expect((await goodwill(staff, customer, 50_001, { askApproval: true })).status).toBe(403)

    const asked = await goodwill(teller, customer, 50_001, { askApproval: true })
    expect([asked.status, asked.body.accountBalance]).toEqual([200, 0])
    const [request] = await requestsOf(customer)
    expect(request).toMatchObject({ kind: 'balance', state: 'waiting', amount: 50_001, reason: 'Goodwill' })
    expect((await teller.post(`${request['@id']}/approve`)).status).toBe(403)
    expect((await staff.post(`${request['@id']}/approve`)).status).toBe(403)
    expect((await second.post(`${request['@id']}/approve`)).body).toMatchObject({ state: 'approved' })
    expect((await second.post(`${request['@id']}/approve`)).status).toBe(409)
    expect((await second.get(customer)).body.accountBalance).toBe(-50_001)
    await expectBalanced(portal, customer)
    // A decision by two people does not count towards either person's own limit.
    expect((await goodwill(teller, customer, 50_000)).status).toBe(200)
    expect((await goodwill(await finance(), customer, 1)).body.code).toBe('approval_needed')
  })

  test('a balance change is not made after its request is declined or withdrawn', async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    for (let i = 0; i < 2; i++) await goodwill(teller, customer, 60_000 + i, { askApproval: true })
    const [one, two] = await requestsOf(customer)
    expect((await second.post(`${one['@id']}/withdraw`)).status).toBe(403)
    expect((await teller.post(`${one['@id']}/withdraw`)).body.state).toBe('withdrawn')
    expect((await second.post(`${two['@id']}/reject`, { reason: 'No' })).body).toMatchObject({
      state: 'rejected',
      answer: 'No',
    })
    for (const ended of [one, two]) expect((await second.post(`${ended['@id']}/approve`)).status).toBe(409)
    expect((await second.get(customer)).body.accountBalance).toBe(0)
  })

  test('a balance change that records a payment received or an amount owed needs no approval', async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    const received = { paymentReceivedDate: new Date(Date.now() - 60_000).toISOString() }
    expect((await goodwill(teller, customer, 500_000, received)).status).toBe(200)
    expect((await goodwill(teller, customer, -500_000)).status).toBe(200)
  })

  test('if simultaneous balance changes together exceed the limit, some are refused', async () => {
    const customer = await createCustomer(staff)
    const parts = await Promise.all(
      [await finance(), await finance(), await finance()].map((api, i) => goodwill(api, customer, 20_000 + i)),
    )
    expect(parts.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
  })
})

test('a write-off above the limit is refused until a second person has approved a request', async () => {
  const [teller, customer] = [await finance(), await createCustomer(staff)]
  const invoice = await issueTestInvoice(second, customer, 60_000)
  const writeOff = (more = {}) => teller.post(`${invoice['@id']}/write-off`, { reason: 'Gone away', ...more })
  expect((await writeOff()).body.code).toBe('approval_needed')
  expect((await writeOff({ askApproval: true })).body.state).toBe('open')
  expect((await writeOff({ askApproval: true })).status).toBe(409)
  const [request] = await requestsOf(customer)
  expect(request).toMatchObject({ kind: 'writeOff', amount: 60_000, invoice: { number: invoice.number } })
  expect((await teller.post(`${request['@id']}/approve`)).status).toBe(403)
  expect((await second.post(`${request['@id']}/approve`)).status).toBe(200)
  expect((await second.get(invoice['@id'])).body).toMatchObject({ state: 'uncollectible', amountWrittenOff: 60_000 })
  const small = await issueTestInvoice(second, customer, 30_000)
  expect((await teller.post(`${small['@id']}/write-off`, { reason: 'x' })).body.state).toBe('uncollectible')
  const next = await issueTestInvoice(second, customer, 30_000)
  expect((await teller.post(`${next['@id']}/write-off`, { reason: 'x' })).body.code).toBe('approval_needed')
})

test('a void above the limit waits for a second person, and voids count towards the limit of one person', async () => {
  const [teller, customer] = [await finance(), await createCustomer(staff)]
  const voidInvoice = (one: { '@id': string }, more = {}) =>
    teller.post(`${one['@id']}/void`, { reason: 'Entered twice', ...more })
  const large = await issueTestInvoice(second, customer, 60_000)
  expect((await voidInvoice(large)).body.code).toBe('approval_needed')
  expect((await voidInvoice(large, { askApproval: true })).body.state).toBe('open')
  const [request] = await requestsOf(customer)
  expect(request).toMatchObject({ kind: 'void', amount: 60_000, invoice: { number: large.number } })
  expect((await teller.post(`${request['@id']}/approve`)).status).toBe(403)
  expect((await second.post(`${request['@id']}/approve`)).status).toBe(200)
  expect((await second.get(large['@id'])).body).toMatchObject({ state: 'void', amountDue: 0, reason: 'Entered twice' })
  const [one, next] = [
    await issueTestInvoice(second, customer, 30_000),
    await issueTestInvoice(second, await createCustomer(staff), 30_000),
  ]
  expect((await voidInvoice(one)).body.state).toBe('void')
  expect((await voidInvoice(next)).body.code).toBe('approval_needed')
  expect((await teller.post(`${next['@id']}/write-off`, { reason: 'x' })).body.code).toBe('approval_needed')
})

test('a renamed user can’t approve their own request, and a second request for the same balance change is refused', async () => {
  const teller = await provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] })
  const customer = await createCustomer(staff)
  const asked = { askApproval: true, reason: 'Goodwill' }
  expect((await goodwill(provider.as(teller), customer, 900_000, asked)).status).toBe(200)
  expect((await goodwill(provider.as(teller), customer, 900_000, asked)).body.code).toBe('already_there')
  const [request] = await requestsOf(customer)
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE user_account SET username = username || '.new' WHERE id = $1", [teller.id]),
  )
  portal.sessions.forget()
  const renamed = provider.as({ ...teller, username: `${teller.username}.new` })
  for (const act of ['approve', 'reject'])
    expect((await renamed.post(`${request['@id']}/${act}`, { reason: 'x' })).status).toBe(403)
  expect((await second.post(`${request['@id']}/approve`)).status).toBe(200)
})

describe('changes to an approval limit', () => {
  const [SETTINGS, RULES] = ['/api/financial/payment_settings', '/api/financial/quote_settings']
  const first = async (api: TestApi, url: string) => (await api.get(url)).body['hydra:member'][0]

  test('a raised approval limit applies from the next day, a lowered one at once, and all finance users are notified', async () => {
    const boss = await person('ROLE_FINANCE', 'ROLE_BILLING_ADMIN')
    const { charge } = await paid(300_000)
    const before = await first(boss, SETTINGS)
    const raised = await boss.put(before['@id'], { refundLimit: 250_000 })
    expect(raised.body).toMatchObject({ refundLimit: 50_000, raisedLimits: { refundLimit: 250_000 } })
    expect((await refund(boss, charge, 50_001)).body.state).toBe('waiting')
    const notices = (await second.get('/api/portal/notices/inbox')).body['hydra:member']
    expect(notices).toContainEqual(expect.objectContaining({ kind: 'limits.refunds' }))
    // Saving the record as it was read changes nothing.
    expect((await boss.put(before['@id'], raised.body)).body.raisedLimits).toEqual({ refundLimit: 250_000 })
    await portal.runSchedule('billing.raise-limits')
    expect((await first(boss, SETTINGS)).refundLimit).toBe(50_000)
    await portal.db.tx('system', (tx) => tx.rows('UPDATE payment_settings SET raised_from = raised_from - 1'))
    await portal.runSchedule('billing.raise-limits')
    expect(await first(boss, SETTINGS)).toMatchObject({ refundLimit: 250_000, raisedLimits: {}, raisedFrom: null })
    const lowered = await boss.patch(before['@id'], { refundLimit: 50_000 })
    expect(lowered.body).toMatchObject({ refundLimit: 50_000, raisedLimits: {}, raisedFrom: null })
  })

  test('an approval limit is unchanged if its raise is cancelled before it applies, and each discount limit is raised separately', async () => {
    const boss = await person('ROLE_BILLING_ADMIN')
    const { '@id': at, discountLimitPercent, discountLimitAmount } = await first(boss, RULES)
    await boss.put(at, { discountLimitPercent: discountLimitPercent + 1 })
    const both = await boss.patch(at, { discountLimitAmount: discountLimitAmount + 1, validDays: 31 })
    expect(both.body).toMatchObject({
      discountLimitPercent,
      discountLimitAmount,
      validDays: 31,
      raisedLimits: { discountLimitPercent: discountLimitPercent + 1, discountLimitAmount: discountLimitAmount + 1 },
    })
    await boss.put(at, { discountLimitPercent: discountLimitPercent - 1 })
    const cancelled = await boss.put(at, { discountLimitAmount: discountLimitAmount - 1 })
    expect(cancelled.body).toMatchObject({ raisedLimits: {}, raisedFrom: null, raiserName: '' })
  })

  test('re-entering the present approval limit before the next day cancels its raise, and the history shows both', async () => {
    const boss = await person('ROLE_FINANCE', 'ROLE_BILLING_ADMIN')
    for (const [url, names] of [
      [SETTINGS, ['refundLimit']],
      [RULES, ['discountLimitPercent', 'discountLimitAmount']],
    ] as const)
      for (const name of names)
        for (const save of ['patch', 'put'] as const) {
          const before = await first(boss, url)
          await boss.put(before['@id'], { [name]: before[name] + 1 })
          const withdrawn = await boss[save](before['@id'], { [name]: before[name] })
          expect(withdrawn.body).toMatchObject({
            [name]: before[name],
            raisedLimits: {},
            raisedFrom: null,
            raiserName: '',
          })
          const [last] = await portal.db.tx('system', (tx) =>
            tx.rows<{ changes: Record<string, unknown> }>(
              'SELECT changes FROM audit WHERE type = $1 ORDER BY id DESC LIMIT 1',
              [before['@type']],
            ),
          )
          expect(last?.changes.raisedLimits).toEqual([{ [name]: before[name] + 1 }, {}])
        }
    await portal.runSchedule('billing.raise-limits')
  })

  test('if two approval limits are raised together, withdrawing one raise leaves the other in place', async () => {
    const boss = await person('ROLE_BILLING_ADMIN')
    const { '@id': at, discountLimitPercent, discountLimitAmount } = await first(boss, RULES)
    const raised = { discountLimitPercent: discountLimitPercent + 1, discountLimitAmount: discountLimitAmount + 1 }
    await boss.put(at, raised)
    const { body } = await boss.patch(at, { discountLimitPercent })
    expect(body).toMatchObject({ raisedLimits: { discountLimitAmount: raised.discountLimitAmount } })
    expect(body.raisedFrom).not.toBeNull()
    await boss.patch(at, { discountLimitAmount })
  })
})
