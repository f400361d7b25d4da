import { beforeAll, describe, expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import { saveTestCard } from '#test/support/payments.ts'
import { Random } from '#test/support/random.ts'
import { scaleRunCount, TEST_SEED } from '#test/support/scope.ts'
import { findLedgerInconsistencies } from '../ledger/command.server.ts'

let w: InvoiceWorld
let mark = 0
beforeAll(async () => {
  w = await makeInvoiceWorld()
})

const STATEMENTS = '/api/financial/bank_statements'
const BANK_LINES_PATH = '/api/financial/bank_lines'
const today = () => Temporal.Now.plainDateISO('Europe/London').toString()
const pounds = (pence: number) => (pence / 100).toFixed(2)
const row = (amount: number, reference: string, payer = '', day = today()) =>
  `${day},${payer},${reference},${pounds(amount)}`
const upload = (rows: readonly string[], api = w.finance, headers = {}) =>
  api.post(
    STATEMENTS,
    { name: `statement ${++mark}.csv`, text: ['Date,Name,Reference,Amount', ...rows].join('\n') },
    headers,
  )
const linesOf = async (statement: { id: number }) =>
  (await w.finance.get(`${BANK_LINES_PATH}?statement=${statement.id}&order[id]=asc&itemsPerPage=100`)).body[
    'hydra:member'
  ]
const uploaded = async (...rows: string[]) => {
  const made = await upload(rows)
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return linesOf(made.body)
}
const read = async (of: { '@id': string }) => (await w.finance.get(of['@id'])).body

const chargesOf = async (line: { '@id': string }) =>
  (await w.finance.get(`${line['@id']}/charges?order[id]=asc`)).body['hydra:member'] as {
    '@id': string
    id: number
    amount: number
    state: string
  }[]
const postingsOf = (id: number) =>
  w.sql<{ kind: string; day: string; reverses: boolean }>(
    `SELECT kind, day::text AS day, reverses_id IS NOT NULL AS reverses FROM ledger_transaction
     WHERE client_id = $1 AND source = 'Charge' AND source_id = $2 ORDER BY id`,
    [w.sellers.id, id],
  )
const unmatch = (line: { '@id': string }, reason = 'Wrong customer', headers = {}) =>
  w.finance.post(`${line['@id']}/unmatch`, { reason }, headers)
const expectConsistent = async () => expect(await findLedgerInconsistencies(w.portal.engine, w.sellers.id)).toEqual([])

describe("undoing a bank line's match", () => {
  test('undoing a match makes the invoice due again and reverses the payment, and the line can be matched again', async () => {
    const [wrong, right] = [await w.newCustomer(), await w.newCustomer()]
    const [paid, owed] = [await w.issued({ customer: wrong }), await w.issued({ customer: right })]
    const [line] = await uploaded(row(paid.total, `${paid.number} thanks`))
    expect((await w.finance.post(`${line['@id']}/book`, {})).status).toBe(200)
    expect((await w.finance.post(`${line['@id']}/unmatch`, {})).status).toBe(422)
    const all = await Promise.all(Array.from({ length: 4 }, () => unmatch(line)))
    expect(all.map((a) => a.status).toSorted()).toEqual([200, 409, 409, 409])
    expect(all.find((a) => a.status === 200)?.body).toMatchObject({
      state: 'open',
      customer: null,
      invoice: null,
      charge: null,
      why: 'Match undone: Wrong customer',
      decidedBy: '',
    })
    expect(await read(paid)).toMatchObject({ state: 'open', amountDue: paid.total, amountPaid: 0, paidAt: null })
    expect(await w.balance(wrong)).toBe(paid.total)
    const [made] = await chargesOf(line)
    expect(made).toMatchObject({
      state: 'reversed',
      amountSettled: 0,
      amountRefunded: 0,
      refundable: 0,
      reversalReason: 'Wrong customer',
      reversedBy: expect.stringMatching(/./),
      bankLine: line['@id'],
    })
    expect((await w.finance.get(`${made?.['@id']}/refunds`)).body['hydra:totalItems']).toBe(0)
    expect(await postingsOf(Number(made?.id))).toEqual([
      { kind: 'payment', day: today(), reverses: false },
      { kind: 'reversed', day: today(), reverses: true },
    ])
    const refund = await w.finance.post(`${made?.['@id']}/refund`, { amount: 1, reason: 'x' })
    expect([refund.status, refund.body.code]).toEqual([409, 'wrong_state'])

    expect((await w.finance.post(`${line['@id']}/book`, { invoice: owed['@id'] })).status).toBe(200)
    expect(await read(owed)).toMatchObject({ state: 'paid' })
    expect((await chargesOf(line)).map(({ state }) => state)).toEqual(['reversed', 'succeeded'])
    await expectConsistent()
  })

  test('a repeated request with the same key undoes a match once', async () => {
    const owed = await w.issued({ customer: await w.newCustomer() })
    const [line] = await uploaded(row(owed.total, `${owed.number} once`))
    await w.finance.post(`${line['@id']}/book`, {})
    const key = { 'idempotency-key': `unmatch ${line.id}` }
    expect((await unmatch(line, 'x', key)).status).toBe(200)
    await w.finance.post(`${line['@id']}/book`, { invoice: owed['@id'] })
    const again = await unmatch(line, 'x', key)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
    expect(await read(line)).toMatchObject({ state: 'booked' })
  })

  test("a match can't be undone by staff without a finance role, or after the payment has been refunded", async () => {
    const customer = await w.newCustomer()
    const owed = await w.issued({ customer })
    const [line, more] = await uploaded(row(owed.total, `${owed.number} kept`), row(3000, `credit ${Date.now()}`))
    await w.finance.post(`${line['@id']}/book`, {})
    expect((await w.api.post(`${line['@id']}/unmatch`, { reason: 'x' })).status).toBe(403)
    await w.finance.post(`${more['@id']}/book`, { customer })
    const { charge } = await read(more)
    expect((await w.finance.post(`${charge}/refund`, { amount: 1000, reason: 'too much' })).status).toBe(201)
    const refused = await unmatch(more)
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      409,
      expect.stringMatching(/^£10\.00 of payment \d+ has been refunded/),
    ])
    expect((await w.finance.post(`${charge}/reverse`, { reason: 'x' })).status).toBe(409)
    await expectConsistent()
  })

  test('invoices paid from the credit of a reversed payment are due again, latest first', async () => {
    const customer = await w.newCustomer()
    const [line, other] = await uploaded(row(50_000, `advance ${Date.now()}`), row(1000, `little ${Date.now()}`))
    await w.finance.post(`${line['@id']}/book`, { customer })
    await w.finance.post(`${other['@id']}/book`, { customer })
    const [first, second] = [await w.issued({ customer }), await w.issued({ customer })]
    for (const one of [first, second]) await w.finance.post(`${one['@id']}/use-credit`, {})
    const used = [first.total, second.total].map((total) => total as number)
    expect([(await read(first)).state, (await read(second)).state]).toEqual(['paid', 'paid'])
    expect(await w.balance(customer)).toBe((used[0] ?? 0) + (used[1] ?? 0) - 51_000)
    expect((await unmatch(line)).status).toBe(200)
    // £10.00 of credit remains and pays part of the first invoice.
    expect(await read(second)).toMatchObject({ amountPaid: 0, amountDue: used[1] })
    expect(await read(first)).toMatchObject({ amountPaid: 1000, amountDue: (used[0] ?? 0) - 1000 })
    expect(await w.balance(customer)).toBe((used[0] ?? 0) + (used[1] ?? 0) - 1000)
    await expectConsistent()
  })

  test('reversing the payment of a partly credited invoice makes the whole shortfall due again', async () => {
    const customer = await w.newCustomer()
    const [line] = await uploaded(row(20_000, `advance ${Date.now()}`))
    await w.finance.post(`${line['@id']}/book`, { customer })
    const owed = await w.issued({ customer })
    const rest = { customer, invoice: owed['@id'], method: 'bank', amount: 4000 }
    await w.finance.post('/api/financial/charges', { ...rest, receivedAt: new Date().toISOString() })
    const half = { invoice: owed['@id'], reason: 'x', lines: [{ line: owed.lines[0]['@id'], quantity: 1 }] }
    expect((await w.finance.post('/api/financial/credit_notes', half)).status).toBe(201)
    expect((await unmatch(line)).status).toBe(200)
    // £240.00 minus £120.00 credited and £40.00 paid.
    expect(await w.balance(customer)).toBe(8000)
    expect(await read(owed)).toMatchObject({ state: 'open', amountPaid: 4000, amountDue: 8000 })
    await expectConsistent()
  })

  test('refunding credit that has paid an invoice makes the invoice due again and puts collection on hold', async () => {
    const customer = await w.newCustomer()
    const [line] = await uploaded(row(15_000, `advance ${Date.now()}`))
    const owed = await w.issued({ customer, lines: [{ description: 'x', quantity: 1, unitAmount: 10_000 }] })
    const until = Temporal.PlainDate.from(today()).add({ days: 9 }).toString()
    expect((await w.finance.post(`${owed['@id']}/dunning/pause`, { until, reason: 'Promised' })).status).toBe(200)
    await w.finance.post(`${line['@id']}/book`, { customer })
    await w.finance.post(`${owed['@id']}/use-credit`, {})
    await w.portal.drain()
    expect(await read(owed)).toMatchObject({ state: 'paid', amountPaid: 12_000 })
    const { charge } = await read(line)
    // £30.00 was not used for any invoice, so it is refunded first.
    await w.finance.post(`${charge}/refund`, { amount: 3000, reason: 'Too much' })
    expect(await read(owed)).toMatchObject({ state: 'paid' })
    await w.finance.post(`${charge}/refund`, { amount: 5000, reason: 'Goodwill' })
    expect(await read(owed)).toMatchObject({ state: 'open', amountPaid: 7000, amountDue: 5000 })
    expect(await w.balance(customer)).toBe(5000)
    await w.portal.drain()
    expect((await w.finance.get(`${owed['@id']}/dunning`)).body).toMatchObject({ state: 'held' })
    await expectConsistent()
  })

  test('a reversal in a closed period is posted on the first open day, as is a new match', async () => {
    const client = await makeInvoiceWorld()
    const day = Temporal.PlainDate.from(today()).subtract({ days: 40 }).toString()
    const owed = await client.issued({ customer: await client.newCustomer() })
    const { body } = await upload([row(owed.total, `${owed.number} old`, '', day)], client.finance)
    const line = (await client.finance.get(`${BANK_LINES_PATH}?statement=${body.id}`)).body['hydra:member'][0]
    expect((await client.finance.post(`${line['@id']}/book`, {})).status).toBe(200)
    const through = Temporal.PlainDate.from(today()).subtract({ days: 10 })
    const closed = await client.finance.post('/api/financial/ledger_locks', { through: through.toString() })
    expect(closed.status).toBe(201)
    expect((await client.finance.post(`${line['@id']}/unmatch`, { reason: 'x' })).status).toBe(200)
    expect((await client.finance.post(`${line['@id']}/book`, { invoice: owed['@id'] })).status).toBe(200)
    const days = await client.sql<{ kind: string; day: string }>(
      "SELECT kind, day::text AS day FROM ledger_transaction WHERE client_id = $1 AND source = 'Charge' ORDER BY id",
      [client.sellers.id],
    )
    const open = through.add({ days: 1 }).toString()
    expect(days).toEqual([
      { kind: 'payment', day },
      { kind: 'reversed', day: open },
      { kind: 'payment', day: open },
    ])
    const { charge } = (await client.finance.get(line['@id'])).body
    const { receivedAt } = (await client.finance.get(charge)).body
    expect(londonDate(Temporal.Instant.from(receivedAt)).toString()).toBe(day)
    // A statement from the closed period, imported and confirmed in bulk, is posted on that day too.
    const late = await client.issued({ customer: await client.newCustomer() })
    await upload([row(late.total, `${late.number} late`, '', day)], client.finance)
    const { body: proposed } = await client.finance.get(`${BANK_LINES_PATH}?state=proposed`)
    const ids = proposed['hydra:member'].map(({ id }: { id: number }) => id)
    const done = await client.finance.post(`${BANK_LINES_PATH}/bulk`, { action: 'book', ids })
    expect(done.body).toMatchObject({ done: ids, refused: [] })
    const of = "WHERE client_id = $1 AND kind = 'payment'"
    const [posted] = await client.sql(`SELECT max(day)::text AS day FROM ledger_transaction ${of}`, [client.sellers.id])
    expect([ids.length, posted]).toEqual([1, { day: open }])
    expect(await findLedgerInconsistencies(client.portal.engine, client.sellers.id)).toEqual([])
  })
})

describe('payments recorded by hand in error', () => {
  const byHand = (customer: string, more: Record<string, unknown> = {}) =>
    w.finance.post('/api/financial/charges', {
      customer,
      method: 'bank',
      amount: 5000,
      receivedAt: new Date().toISOString(),
      ...more,
    })

  test('a payment recorded by hand can be undone once, with a reason', async () => {
    const customer = await w.newCustomer()
    const owed = await w.issued({ customer })
    const { body: made } = await byHand(customer, { invoice: owed['@id'], amount: owed.total })
    expect((await w.finance.post(`${made['@id']}/reverse`, {})).status).toBe(422)
    expect((await w.api.post(`${made['@id']}/reverse`, { reason: 'x' })).status).toBe(403)
    const all = await Promise.all(
      [1, 2, 3].map(() => w.finance.post(`${made['@id']}/reverse`, { reason: 'Typed twice' })),
    )
    expect(all.map((a) => a.status).toSorted()).toEqual([200, 409, 409])
    expect(await read(made)).toMatchObject({ state: 'reversed', reversalReason: 'Typed twice', bankLine: null })
    expect(await read(owed)).toMatchObject({ state: 'open', amountDue: owed.total })
    expect(await w.balance(customer)).toBe(owed.total)
    await expectConsistent()
  })

  test("a card payment can't be undone, because the card was charged", async () => {
    const customer = await w.newCustomer()
    const card = await saveTestCard(w.portal, w.finance, customer, '4242424242424242')
    const { body: made } = await w.finance.post('/api/financial/charges', { customer, card, amount: 5000 })
    const refused = await w.finance.post(`${made['@id']}/reverse`, { reason: 'x' })
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    expect(await read(made)).toMatchObject({ state: 'succeeded' })
  })

  test("a bank line's payment can be undone only together with its line", async () => {
    const owed = await w.issued({ customer: await w.newCustomer() })
    const [line] = await uploaded(row(owed.total, `${owed.number} line`))
    await w.finance.post(`${line['@id']}/book`, {})
    const { charge } = await read(line)
    const refused = await w.finance.post(`${charge}/reverse`, { reason: 'x' })
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
  })
})

describe('splitting a bank line', () => {
  const split = (line: { '@id': string }, parts: unknown, more = {}) =>
    w.finance.post(`${line['@id']}/split`, { parts, ...more })
  const part = (of: { '@id': string }, amount: unknown) => ({ invoice: of['@id'], amount })
  const worldOf = async (extra = 0) => {
    const customer = await w.newCustomer()
    const [one, two] = [await w.issued({ customer }), await w.issued({ customer })]
    const [line] = await uploaded(row(one.total + two.total + extra, `all of it ${Date.now()} ${++mark}`))
    return { customer, one, two, line, total: one.total as number }
  }

  test('a bank line is split over two invoices and credit, and all parts are undone together', async () => {
    const { customer, one, two, line, total } = await worldOf(335)
    const parts = [part(one, total), part(two, total - 100)]
    const left = await split(line, parts)
    expect([left.status, left.body.violations[0].message]).toEqual([
      422,
      '£4.35 is left. Enter it for an invoice, or add it to the customer’s credit',
    ])
    const both = await Promise.all([split(line, parts, { credit: true }), split(line, parts, { credit: true })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await read(line)).toMatchObject({
      state: 'booked',
      charge: null,
      invoice: null,
      customer: { '@id': customer },
    })
    expect(await read(one)).toMatchObject({ state: 'paid' })
    expect(await read(two)).toMatchObject({ state: 'open', amountDue: 100 })
    expect(await w.balance(customer)).toBe(100 - 435)
    expect((await chargesOf(line)).map(({ amount, state }) => [amount, state])).toEqual([
      [total, 'succeeded'],
      [total - 100, 'succeeded'],
      [435, 'succeeded'],
    ])
    const [again] = await uploaded(row(total, `${one.number} by hand? ${Date.now()}`))
    expect(again.why).not.toMatch(/recorded manually/)
    expect((await unmatch(line)).status).toBe(200)
    expect(await w.balance(customer)).toBe(2 * total)
    expect((await chargesOf(line)).map(({ state }) => state)).toEqual(['reversed', 'reversed', 'reversed'])
    expect((await split(line, [part(one, total), part(two, total)], { credit: true })).status).toBe(200)
    await expectConsistent()
  })

  test('a split that does not add up to its bank line is refused, and nothing is recorded', async () => {
    const { one, two, line, total } = await worldOf()
    const stranger = await w.issued({ customer: await w.newCustomer() })
    const euro = await w.issued({
      customer: await w.newCustomer({ currency: 'EUR' }),
      currency: 'EUR',
      exchangeRate: 1.2,
    })
    const gone = await w.issued({ customer: one.customer['@id'] })
    expect((await w.finance.post(`${gone['@id']}/void`, { reason: 'x' })).status).toBe(200)
    const others = await makeInvoiceWorld()
    const foreign = await others.issued()
    for (const [parts, status, more] of [
      [undefined, 422],
      [[], 422],
      ['all', 422],
      [[null], 422],
      [[part(one, 0)], 422],
      [[part(one, -100), part(two, 2 * total)], 422],
      [[part(one, 0.5), part(two, total)], 422],
      [[part(one, '100')], 422],
      [[part(one, total), part(two, total + 1)], 422],
      [[part(one, total), part(one, total)], 422],
      [[part(one, total), part(stranger, total)], 422],
      [[part(euro, total)], 422, { credit: true }],
      [[part(gone, 100)], 409, { credit: true }],
      [[part(one, total)], 422],
      [[{ invoice: '/api/financial/invoices/99999999', amount: 1 }], 400, { credit: true }],
      [[{ invoice: foreign['@id'], amount: 1 }], 400, { credit: true }],
      [[{ invoice: line['@id'], amount: 1 }], 422, { credit: true }],
    ] as const)
      expect([parts, (await split(line, parts, more)).status]).toEqual([parts, status])
    expect(await read(line)).toMatchObject({ state: 'open', charge: null })
    expect(await chargesOf(line)).toEqual([])
    expect(await read(one)).toMatchObject({ amountDue: total })
  })
})

test('any sequence of matches, splits, reversals and uses of credit leaves ledger, invoices and balance in agreement', async () => {
  const random = new Random(TEST_SEED)
  const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)
  for (let round = 0; round < scaleRunCount(10); round++) {
    const customer = await w.newCustomer()
    const invoices = await Promise.all([1, 2, 3].map(() => w.issued({ customer })))
    const lines: { '@id': string }[] = await uploaded(
      ...[5000, 24_000, 50_000].map((amount, n) => row(amount, `round ${round} line ${n} ${Date.now()}`)),
    )
    const history: unknown[] = []
    for (let step = 0; step < 15; step++) {
      const [line, owed] = [random.pick(lines), random.pick(invoices)]
      const at = (action: string) => `${line['@id']}/${action}`
      const parts = [{ invoice: owed['@id'], amount: random.pick([1, 100, 2400, 24_000]) }]
      const [path, body] = random.pick<readonly [string, Record<string, unknown>]>([
        [at('book'), { invoice: owed['@id'] }],
        [at('book'), { customer }],
        [at('split'), { parts, credit: true }],
        [at('unmatch'), { reason: 'x' }],
        [at('unmatch'), { reason: 'x' }],
        [`${owed['@id']}/use-credit`, {}],
        ['/api/financial/credit_notes', { invoice: owed['@id'], reason: 'x', to: 'balance' }],
        [`${owed['@id']}/write-off`, { reason: 'x' }],
        [`${owed['@id']}/reopen`, {}],
      ])
      const { status } = await w.finance.post(path, body)
      history.push([path, body, status])
      expect(status).toBeLessThan(500)
      const now = await Promise.all(invoices.map(read))
      const paid = (await w.finance.get(`${customer}/charges?state=succeeded&itemsPerPage=100`)).body['hydra:member']
      for (const one of now)
        expect([history, one.amountDue]).toEqual([
          history,
          Math.max(0, one.total - one.amountPaid - one.amountCredited - one.amountWrittenOff),
        ])
      const balance = await w.balance(customer)
      const owes = sum(now.map((one) => one.total - one.amountCredited - one.amountWrittenOff))
      expect([history, balance]).toEqual([history, owes - sum(paid.map(({ amount }: { amount: number }) => amount))])
      // No more credit can be used than is available.
      const due = sum(now.map((one) => (one.state === 'open' ? one.amountDue : 0)))
      expect([history, balance <= due]).toEqual([history, true])
      for (const one of lines) {
        const { state, amount } = await read(one)
        const standing = (await chargesOf(one)).filter((made) => made.state !== 'reversed')
        expect(sum(standing.map((made) => Number(made.amount)))).toBe(state === 'booked' ? amount : 0)
      }
    }
  }
  await expectConsistent()
})
