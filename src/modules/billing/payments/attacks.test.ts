import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { raiseMoneyLimit } from '#test/support/invoices.ts'
import { makeInvoicingClientWorld } from '#test/support/own-books.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { findLedgerInconsistencies } from '../ledger/command.server.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
  await raiseMoneyLimit(w)
})
afterEach(async () => {
  await moveClock(w.portal.engine, 0)
  const faults = await findLedgerInconsistencies(w.portal.engine, w.person.clientId)
  const { findings } = await verifyClientEvidence(w.portal.engine, w.person.clientId)
  if (faults.length || findings.length) throw new Error(JSON.stringify([faults, findings]))
})

const F = '/api/financial'
const now = () => new Date().toISOString()
const times = <T>(n: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)))
const statuses = (answers: readonly { status: number }[]) => answers.map((a) => a.status).toSorted()
const read = async (of: { '@id': string }) => (await w.finance.get(of['@id'])).body
const issued = async (customer: string, pence = 10_000) => {
  const line = { description: 'Job type', quantity: 1, unitAmount: pence, taxCode: 'zero', taxPercent: 0 }
  const made = await w.api.post(`${F}/invoices`, { customer, lines: [line] })
  const done = await w.finance.post(`${made.body['@id']}/issue`, {})
  expect([done.status, done.text]).toEqual([200, expect.anything()])
  return done.body
}
const pay = (customer: string, invoice: string | null, amount: number, more = {}) =>
  w.finance.post(`${F}/charges`, {
    customer,
    ...(invoice ? { invoice } : {}),
    method: 'bank',
    amount,
    receivedAt: now(),
    ...more,
  })

describe('simultaneous requests from several tabs and double clicks', () => {
  test('of ten simultaneous subscription changes with the same preview, only one is applied', async () => {
    const [one] = (await w.sold({ customer: await w.buyer(), plans: [{ plan: w.plan }] })).subscriptions
    const [item] = one.items
    const body = { way: 'quantity', item: item['@id'], quantity: 4 }
    const { token } = (await w.api.post(`${one['@id']}/preview`, body)).body
    const all = await times(10, () => w.api.post(`${one['@id']}/change`, { ...body, token }))
    expect(statuses(all)).toEqual([200, ...Array(9).fill(409)])
    const invoices = await w.all(`${F}/invoices?subscriptionId=${one.id}`)
    expect(invoices.map((i) => i.net)).toEqual([18_000])
    const gone = await times(5, () => w.api.delete(one['@id']))
    expect(statuses(gone)).toEqual([204, 409, 409, 409, 409])
  })

  test('simultaneous payment, credit, voiding and write-off of an invoice leave nothing due and a consistent balance', async () => {
    for (let n = 0; n < 3; n++) {
      const customer = await w.buyer()
      const owed = await issued(customer)
      const answers = await Promise.all([
        pay(customer, owed['@id'], 10_000),
        w.finance.post(`${F}/credit_notes`, { invoice: owed['@id'], reason: 'x', to: 'balance' }),
        w.finance.post(`${owed['@id']}/void`, { reason: 'x' }),
        w.finance.post(`${owed['@id']}/write-off`, { reason: 'x' }),
      ])
      expect(answers.every(({ status }) => status < 500)).toBe(true)
      const { total, amountPaid, amountCredited, amountWrittenOff, amountDue, state } = await read(owed)
      expect(amountDue).toBe(Math.max(0, state === 'void' ? 0 : total - amountPaid - amountCredited - amountWrittenOff))
      expect(amountDue).toBe(0)
    }
  })

  test('simultaneous payments, credits and new invoices of one customer all succeed', async () => {
    const customer = await w.buyer()
    const owed = await times(8, () => issued(customer))
    const answers = await Promise.all([
      ...owed.slice(0, 5).map((one) => pay(customer, one['@id'], 10_000)),
      ...owed
        .slice(5)
        .map((one) => w.finance.post(`${F}/credit_notes`, { invoice: one['@id'], reason: 'x', to: 'balance' })),
      pay(customer, null, 777),
      issued(customer, 100).then(() => ({ status: 201 })),
    ])
    expect(statuses(answers)).toEqual(Array(10).fill(201))
    expect((await w.api.get(customer)).body.accountBalance).toBe(-677)
  })

  test('customer credit is applied only once, even if ten requests try to use it', async () => {
    const customer = await w.buyer()
    const [one, two] = [await issued(customer), await issued(customer)]
    expect((await pay(customer, null, 12_000)).status).toBe(201)
    await times(10, (n) => w.finance.post(`${(n % 2 ? one : two)['@id']}/use-credit`, {}))
    const paid = (await read(one)).amountPaid + (await read(two)).amountPaid
    expect(paid).toBe(12_000)
    expect((await w.api.get(customer)).body.accountBalance).toBe(8000)
  })

  test('of ten simultaneous credits of £3 on an invoice of £10, three succeed', async () => {
    const owed = await issued(await w.buyer(), 1000)
    const [line] = (await read(owed)).lines
    const all = await times(10, () =>
      w.finance.post(`${F}/credit_notes`, {
        invoice: owed['@id'],
        reason: 'x',
        to: 'balance',
        lines: [{ line: line['@id'], net: 300 }],
      }),
    )
    expect(statuses(all)).toEqual([201, 201, 201, ...Array(7).fill(422)])
    expect(await read(owed)).toMatchObject({ amountCredited: 900, amountDue: 100 })
  })
})

describe('simultaneous requests from two users', () => {
  test('a subscription changed from an outdated copy, or changed and cancelled simultaneously, is changed once', async () => {
    for (let n = 0; n < 3; n++) {
      const customer = await w.buyer()
      const [one] = (await w.sold({ customer, plans: [{ plan: w.plan }] })).subscriptions
      const at = one['@id']
      const copy = { 'if-match': String((await w.api.get(at)).headers.etag) }
      const body = { way: 'quantity', item: one.items[0]['@id'], quantity: 3 }
      const { token } = (await w.api.post(`${at}/preview`, body)).body
      const both = await Promise.all([
        w.api.post(`${at}/change`, { ...body, token }),
        w.finance.post(`${at}/cancel`, { reason: 'closed' }),
      ])
      expect(both.every(({ status }) => status === 200 || status === 409)).toBe(true)
      const isChanged = both[0]?.status === 200
      const invoices = await w.all(`${F}/invoices?customer=${customer.split('/').at(-1)}`)
      expect(invoices).toHaveLength(isChanged ? 2 : 1)
      expect((await read(one)).status).toBe('cancelled')
      const stale = await w.finance.post(`${at}/cancel`, { reason: 'closed' }, copy)
      expect([409, 412]).toContain(stale.status)
    }
  })

  test('a change withdrawn while its period is being renewed is either charged or withdrawn, never both', async () => {
    const w = await makeSalesWorld()
    const read = async (of: { '@id': string }) => (await w.finance.get(of['@id'])).body
    for (let n = 0; n < 3; n++) {
      const customer = await w.buyer()
      const [one] = (await w.sold({ customer, plans: [{ plan: w.plan }] })).subscriptions
      const item = one.items[0]['@id']
      const ask = async (body: Record<string, unknown>) => {
        const { token } = (await w.finance.post(`${one['@id']}/preview`, body)).body
        return () => w.finance.post(`${one['@id']}/change`, { ...body, token })
      }
      await (await ask({ way: 'quantity', item, quantity: 4, when: 'nextPeriod' }))()
      const withdraw = await ask({ way: 'withdraw', item })
      await moveClock(w.portal.engine, 35)
      const [answer] = await Promise.all([
        withdraw(),
        w.finance.post(`${F}/billing_runs`, {}).then(() => w.portal.drain()),
      ])
      expect([200, 409]).toContain(answer.status)
      const { amount } = await read(one)
      const [last] = await w.all(`${F}/invoices?customer=${customer.split('/').at(-1)}&order[id]=desc`)
      expect([amount, last.net]).toEqual(answer.status === 200 ? [4500, 4500] : [18_000, 18_000])
      await moveClock(w.portal.engine, 0)
    }
    expect(await findLedgerInconsistencies(w.portal.engine, w.person.clientId)).toEqual([])
  })

  test('a bank line is recorded, split or ignored only once, and its match is undone only once', async () => {
    for (let n = 0; n < 3; n++) {
      const customer = await w.buyer()
      const [one, two] = [await issued(customer, 3000), await issued(customer, 4000)]
      const text = `Date,Name,Reference,Amount\n${now().slice(0, 10)},Nobody,race ${one.number},70.00`
      const { body } = await w.finance.post(`${F}/bank_statements`, { name: `race ${n}.csv`, text })
      const [line] = await w.finance
        .get(`${F}/bank_lines?statement=${body.id}`)
        .then((answer) => answer.body['hydra:member'])
      const parts = [
        { invoice: one['@id'], amount: 3000 },
        { invoice: two['@id'], amount: 4000 },
      ]
      const act = (name: string, input = {}) => w.finance.post(`${line['@id']}/${name}`, input)
      const all = await Promise.all([
        act('split', { parts }),
        act('book', { invoice: two['@id'] }),
        act('book', { customer }),
        act('ignore'),
      ])
      expect(statuses(all)).toEqual([200, 409, 409, 409])
      const isBooked = (await read(line)).state === 'booked'
      expect((await w.api.get(customer)).body.accountBalance).toBe(isBooked ? 0 : 7000)
      const undone = await times(3, () => act('unmatch', { reason: 'x' }))
      expect(statuses(undone)).toEqual(isBooked ? [200, 409, 409] : [409, 409, 409])
      expect((await w.api.get(customer)).body.accountBalance).toBe(7000)
      expect([await read(one), await read(two)]).toMatchObject([{ amountDue: 3000 }, { amountDue: 4000 }])
    }
  })

  test('late payment interest is added or waived only once, and not for an invoice that was voided or paid in time', async () => {
    const customer = await w.buyer()
    const [late, paid, gone] = [await issued(customer, 100_000), await issued(customer), await issued(customer)]
    await pay(customer, paid['@id'], 10_000)
    await w.finance.post(`${gone['@id']}/void`, { reason: 'x' })
    await moveClock(w.portal.engine, 60)
    const at = `${late['@id']}/late_interest`
    const { interest, fixedSum } = (await w.finance.get(at)).body
    const amount = interest + fixedSum
    const all = await Promise.all([
      ...[1, 2, 3].map(() => w.finance.post(`${at}/add`, { amount })),
      ...[1, 2].map(() => w.finance.post(`${at}/waive`, { reason: 'x' })),
    ])
    expect(statuses(all)).toEqual([200, 409, 409, 409, 409])
    const added = (await w.all(`${F}/invoices?customer=${customer.split('/').at(-1)}&origin=interest`)).length
    expect(added).toBe(all.slice(0, 3).some(({ status }) => status === 200) ? 1 : 0)
    expect((await w.finance.get(at)).body).toMatchObject({ interest: 0, fixedSum: 0, claims: [{}] })
    for (const one of [paid, gone]) {
      const refused = await w.finance.post(`${one['@id']}/late_interest/add`, { amount: 4000 })
      expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    }
  })
})

describe('impossible amounts, currencies and IDs', () => {
  const SUMS: readonly unknown[] = [
    0,
    -1,
    0.5,
    10.005,
    1e15,
    -1e15,
    Number.MAX_SAFE_INTEGER,
    '100',
    null,
    true,
    {},
    [1],
  ]

  test('every route rejects impossible amounts with a message and moves no money', async () => {
    const customer = await w.buyer()
    const owed = await issued(customer)
    const paid = (await pay(customer, owed['@id'], 10_000)).body
    const [line] = (await read(owed)).lines
    const doors: Record<string, (sum: unknown) => Promise<{ status: number; text: string }>> = {
      charge: (amount) => w.finance.post(`${F}/charges`, { customer, method: 'bank', amount, receivedAt: now() }),
      refund: (amount) => w.finance.post(`${paid['@id']}/refund`, { amount, reason: 'x' }),
      refunds: (amount) => w.finance.post(`${F}/refunds`, { charge: paid['@id'], amount, reason: 'x' }),
      credit: (net) =>
        w.finance.post(`${F}/credit_notes`, {
          invoice: owed['@id'],
          reason: 'x',
          to: 'balance',
          lines: [{ line: line['@id'], net }],
        }),
      price: (amount) => w.finance.post(`${F}/plans`, { name: 'x', product: '/api/financial/products/1', amount }),
      quantity: (quantity) =>
        w.finance.post(`${F}/invoices`, { customer, lines: [{ description: 'x', quantity, unitAmount: 1e9 }] }),
    }
    const before = (await w.api.get(customer)).body.accountBalance
    for (const [door, open] of Object.entries(doors))
      for (const sum of SUMS) {
        // These amounts are valid: a credit without an amount covers the remainder, and a quantity may be fractional.
        if (door === 'credit' && sum === null) continue
        if (door === 'quantity' && (sum === 0.5 || sum === 10.005)) continue
        if (door === 'price' && sum === 0) continue
        const answer = await open(sum)
        expect([door, sum, answer.status >= 400 && answer.status < 500, answer.text]).toEqual([
          door,
          sum,
          true,
          expect.stringContaining('hydra:description'),
        ])
      }
    expect((await w.api.get(customer)).body.accountBalance).toBe(before)
  })

  test("amounts in different currencies can't be combined", async () => {
    const euros = await w.buyer({ currency: 'EUR' })
    const owed = await issued(await w.buyer())
    expect((await pay(euros, owed['@id'], 100)).status).toBe(422)
    expect((await pay(euros, null, 100, { currency: 'GBP' })).status).toBe(422)
    const mixed = await w.api.post(`${F}/invoices`, {
      customer: euros,
      currency: 'EUR',
      lines: [{ plan: w.plan, quantity: 1 }],
    })
    expect(mixed.status).toBe(422)
    const [one] = (await w.sold({ customer: await w.buyer(), plans: [{ plan: w.plan }] })).subscriptions
    const plan = await w.plan2({ name: 'Euro', amount: 100, currency: 'EUR' })
    expect((await w.api.post(`${one['@id']}/preview`, { way: 'add', plan })).status).toBe(422)
  })
})

test("every route rejects IDs of other companies' records as unknown", async () => {
  const other = await makeSalesWorld()
  const customer = await other.buyer()
  const { subscriptions, invoices } = await other.sold({ customer, plans: [{ plan: other.plan }] })
  const mine = await w.buyer()
  const [own] = (await w.sold({ customer: mine, plans: [{ plan: w.plan }] })).subscriptions
  const [invoice, theirs] = [invoices[0]['@id'], subscriptions[0]]
  const tried: readonly [string, Promise<{ status: number }>][] = [
    ['pay their invoice', pay(customer, invoice, 1)],
    ['pay it as mine', pay(mine, invoice, 1)],
    ['credit it', w.finance.post(`${F}/credit_notes`, { invoice, reason: 'x', to: 'balance' })],
    ['void it', w.finance.post(`${invoice}/void`, { reason: 'x' })],
    ['use credit on it', w.finance.post(`${invoice}/use-credit`, {})],
    ['a link to pay it', w.finance.post(`${invoice}/pay-link`, {})],
    ['its charges', w.finance.get(`${invoice}/charges`)],
    ['their statement', w.finance.get(`${customer}/statement`)],
    ['their subscription', w.finance.post(`${theirs['@id']}/preview`, { way: 'cancelNow' })],
    ['cancel it', w.finance.delete(theirs['@id'])],
    ['their plan', w.api.post(`${own['@id']}/preview`, { way: 'add', plan: other.plan })],
    ['their item', w.api.post(`${own['@id']}/preview`, { way: 'remove', item: theirs.items[0]['@id'] })],
    ['a quote for them', w.api.post(`${F}/quotes`, { customer, plans: [{ plan: w.plan }] })],
    ['their balance', w.finance.post(`${customer}/balance`, { change: 1, reason: 'x' })],
  ]
  for (const [what, answer] of tried)
    expect([what, [400, 404, 422].includes((await answer).status)]).toEqual([what, true])
})

test("provider staff who work as a client’s finance user can't close a period or file a VAT return", async () => {
  const { portal, client } = await makeInvoicingClientWorld()
  const books = await client.user({ roles: ['ROLE_INVOICING_FINANCE'] })
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const visit = await staff.get(`/api/security/user/switch?username=${books.username}&client=${client.id}`)
  const visitor = portal.bearing(visit.body.token)
  expect((await visitor.post('/api/security/user/write', { reason: 'They asked for help' })).status).toBe(200)
  const day = Temporal.Now.plainDateISO('Europe/London').with({ day: 1 })
  const [from, to] = [day.subtract({ months: 1 }).toString(), day.subtract({ days: 1 }).toString()]
  const own = client.as(books)
  const made = (await own.post(`${F}/vat_returns`, { from, to })).body
  const filing = { filedOn: day.toString(), netVatDue: 0 }
  expect((await own.post(`${F}/ledger_locks`, { through: to })).status).toBe(201)
  for (const answer of [
    await visitor.post(`${made['@id']}/file`, filing),
    await visitor.post(`${F}/ledger_locks`, { through: to }),
    await visitor.patch(made['@id'], { purchaseVat: 1 }),
    await visitor.delete(made['@id']),
    await visitor.post(`${F}/vat_adjustments`, { vatReturn: made['@id'], box: 1, amount: 1, reason: 'x' }),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'in_person'])
  expect((await own.post(`${made['@id']}/file`, filing)).status).toBe(200)
})

test('a tampered payment link is rejected without a server error', async () => {
  const owed = await issued(await w.buyer())
  const { url } = (await w.finance.post(`${owed['@id']}/pay-link`, {})).body
  const token = String(url).split('/').at(-1) as string
  const page = (of: string) => w.portal.anonymous.get(`${F}/payments/${of}`)
  expect((await page(token)).status).toBe(200)
  const flip = (at: number) => token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1)
  const wrong = [
    flip(0),
    flip(token.length >> 1),
    flip(token.length - 1),
    token.slice(0, -1),
    `${token}a`,
    token.toUpperCase(),
    '%00%F0%9F%92%A9',
    'a'.repeat(5000),
    '..%2F..0',
    `0${token}`,
    token.replace('-', '-0'),
  ]
  for (const of of wrong) {
    const { status } = await page(of)
    expect([of.slice(0, 20), status === 404 || status === 400 || status === 414]).toEqual([of.slice(0, 20), true])
    expect((await w.portal.anonymous.post(`${F}/payments/${of}/pay`, { card: 'x', amountDue: 1 })).status).toBeLessThan(
      500,
    )
  }
  for (const card of ['\u0000', '\ud800', '', ' '.repeat(300), '4242424242424242'])
    expect(
      (await w.portal.anonymous.post(`${F}/payments/${token}/pay`, { card, amountDue: 10_000 })).status,
    ).toBeLessThan(500)
  expect(await read(owed)).toMatchObject({ state: 'open', amountPaid: 0 })
})

test('subscriptions started on 29 February renew at month ends, and no day is skipped when the clocks change', async () => {
  // Uses a separate installation, because billing several years would also bill other tests' sales.
  const w = await makeSalesWorld()
  const read = async (of: { '@id': string }) => (await w.finance.get(of['@id'])).body
  const today = Temporal.Now.plainDateISO('Europe/London')
  let leap = Temporal.PlainDate.from({ year: today.year + 1, month: 2, day: 28 })
  while (!leap.inLeapYear) leap = leap.add({ years: 1 })
  leap = leap.with({ day: 29 })
  const to = (day: Temporal.PlainDate) => moveClock(w.portal.engine, today.until(day, { largestUnit: 'days' }).days)
  await to(leap)
  const yearly = await w.plan2({ name: 'Leap', amount: 36_600, interval: 'year' })
  const customer = await w.buyer()
  const { subscriptions } = await w.sold({ customer, plans: [{ plan: yearly }, { plan: w.plan }] })
  const byYear = subscriptions.find((s) => s.interval === 'year')
  const byMonth = subscriptions.find((s) => s.interval === 'month')
  expect([byYear.renewsOn, byMonth.renewsOn]).toEqual([`${leap.year + 1}-02-28`, `${leap.year}-03-29`])
  for (const months of [1, 2, 3]) {
    await to(leap.add({ months }))
    await w.finance.post(`${F}/billing_runs`, {})
    await w.portal.drain()
  }
  const days = (await w.all(`${F}/invoices?customer=${customer.split('/').at(-1)}&order[id]=asc`)).map((i) => i.date)
  expect(days).toEqual([leap.toString(), ...[1, 2, 3].map((months) => leap.add({ months }).toString())])
  expect((await read(byMonth)).renewsOn).toBe(`${leap.year}-06-29`)
})
