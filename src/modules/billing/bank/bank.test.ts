import { beforeAll, describe, expect, test } from 'vitest'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
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

describe('a bank line', () => {
  test('a bank line is matched by invoice number, and confirming the match several times records one payment', async () => {
    const customer = await w.newCustomer()
    const owed = await w.issued({ customer })
    const [line] = await uploaded(row(owed.total, `${owed.number} with thanks`))
    expect(line).toMatchObject({
      state: 'proposed',
      why: 'Invoice number and amount match',
      invoice: { number: owed.number },
    })
    expect((await read(owed)).state).toBe('open')
    const all = await Promise.all(Array.from({ length: 5 }, () => w.finance.post(`${line['@id']}/book`, {})))
    expect(all.map((a) => a.status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await read(owed)).toMatchObject({ state: 'paid', amountPaid: owed.total })
    const { charge, decidedBy } = await read(line)
    expect(decidedBy).not.toBe('')
    expect((await w.finance.get(charge)).body).toMatchObject({
      method: 'bank',
      amount: owed.total,
      state: 'succeeded',
      reference: `${owed.number} with thanks`,
      createdBy: decidedBy,
    })
    expect((await w.finance.get(`${customer}/charges`)).body['hydra:totalItems']).toBe(1)
    expect(await w.balance(customer)).toBe(0)
  })

  test('a bank line that occurs in two statements is imported once, but identical lines within one statement are all imported', async () => {
    const mine = row(4711, `twice ${Date.now()}`)
    const first = await upload([mine])
    expect(first.body).toMatchObject({ lines: 1, known: 0 })
    const second = await upload([mine, mine, row(-500, 'rent')])
    expect(second.body).toMatchObject({ lines: 1, known: 1, outgoing: 1 })
    const both = await Promise.all([1, 2, 3].map(() => upload([row(4712, 'at once')])))
    expect(both.map((a) => a.body.lines).toSorted()).toEqual([0, 0, 1])
  })

  test('an unmatched bank line remains open until staff assign it or mark it as not a customer payment', async () => {
    const customer = await w.newCustomer()
    const [line, none] = await uploaded(row(777, `mystery ${Date.now()}`), row(778, `interest ${Date.now()}`))
    expect(line).toMatchObject({ state: 'open', invoice: null, customer: null })
    const refused = await w.finance.post(`${line['@id']}/book`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    expect((await w.finance.post(`${line['@id']}/book`, { customer })).status).toBe(200)
    expect(await w.balance(customer)).toBe(-777)
    expect((await w.finance.post(`${none['@id']}/ignore`, {})).body.state).toBe('ignored')
    expect((await w.finance.post(`${none['@id']}/book`, { customer })).status).toBe(409)
    expect((await w.finance.post(`${none['@id']}/reopen`, {})).body.state).toBe('open')
  })

  test('a bank line is not matched if the same payment was recorded manually', async () => {
    const customer = await w.newCustomer()
    const owed = await w.issued({ customer })
    const part = { customer, invoice: owed['@id'], method: 'bank', amount: 1234, receivedAt: new Date().toISOString() }
    expect((await w.finance.post('/api/financial/charges', part)).status).toBe(201)
    const [line] = await uploaded(row(1234, `${owed.number} part`))
    expect(line.state).toBe('open')
    expect(line.why).toMatch(/^Payment \d+, for the same amount, was recorded manually/)
  })

  test("the excess of a bank line over its invoice becomes credit, and a line can't be assigned to a paid invoice, or to another customer or currency", async () => {
    const customer = await w.newCustomer()
    const owed = await w.issued({ customer })
    const [more] = await uploaded(row(owed.total + 500, `${owed.number} too much`))
    expect(more.state).toBe('open')
    expect((await w.finance.post(`${more['@id']}/book`, { invoice: owed['@id'] })).status).toBe(200)
    expect(await read(owed)).toMatchObject({ state: 'paid' })
    expect(await w.balance(customer)).toBe(-500)
    const [again] = await uploaded(row(1, `again ${Date.now()}`))
    expect((await w.finance.post(`${again['@id']}/book`, { invoice: owed['@id'] })).status).toBe(409)
    expect((await w.finance.post(`${again['@id']}/book`, { invoice: owed['@id'], customer: w.customer })).status).toBe(
      422,
    )
    const nobody = await w.finance.post(`${again['@id']}/book`, { customer: '/api/financial/customers/99999999' })
    expect([nobody.status, nobody.body.code]).toEqual([400, 'unknown_target'])
    const euros = await w.finance.post(STATEMENTS, {
      name: 'euro.csv',
      text: `Date,Amount\n${today()},10.00`,
      currency: 'EUR',
    })
    const [line] = await linesOf(euros.body)
    expect((await w.finance.post(`${line['@id']}/book`, { customer })).status).toBe(422)
    expect(await findLedgerInconsistencies(w.portal.engine, w.sellers.id)).toEqual([])
  })

  test('several bank lines can be confirmed in one request, each with its own match', async () => {
    const customer = await w.newCustomer()
    const [one, two] = [await w.issued({ customer }), await w.issued({ customer })]
    const lines = await uploaded(row(one.total, one.number), row(two.total, two.number), row(5, `nobody ${Date.now()}`))
    const done = await w.finance.post(`${BANK_LINES_PATH}/bulk`, {
      action: 'book',
      ids: lines.map((l: { id: number }) => l.id),
    })
    expect(done.body.done).toHaveLength(2)
    expect(done.body.refused).toMatchObject([{ code: 'wrong_state' }])
    expect([(await read(one)).state, (await read(two)).state]).toEqual(['paid', 'paid'])
  })

  test("the bank's own data in a bank line can't be changed or deleted, even by SQL", async () => {
    const [line] = await uploaded(row(99, `sealed ${Date.now()}`))
    await expect(w.sql('UPDATE bank_line SET amount = 1 WHERE id = $1', [line.id])).rejects.toThrow(
      'stands as the bank has it',
    )
    await expect(w.sql('DELETE FROM bank_line WHERE id = $1', [line.id])).rejects.toThrow('stands as the bank has it')
    await expect(w.sql("UPDATE bank_line SET state = 'booked' WHERE id = $1", [line.id])).rejects.toThrow(
      'a line is booked as what came',
    )
  })
})

test('only finance staff can import bank statements, and unreadable or overlong files are rejected with a message', async () => {
  expect((await upload([row(1, 'x')], w.api)).status).toBe(403)
  expect((await w.api.get(BANK_LINES_PATH)).status).toBe(403)
  for (const text of ['Name,Telephone\nAnn,1', 'Date,Amount\n"05/11/2026,1.00', 'x'])
    expect([(await w.finance.post(STATEMENTS, { name: 'x.csv', text })).status, text]).toEqual([422, text])
  const long = ['Date,Amount', ...Array(20_001).fill('05/11/2026,1.00')].join('\n')
  expect((await w.finance.post(STATEMENTS, { name: 'x.csv', text: long })).status).toBe(422)
  const { body } = await upload(['31/02/2026,a,b,1.00', '05/11/2026,a,b,1e15'])
  expect(body).toMatchObject({ lines: 0, problems: [{ line: 2 }, { line: 3 }] })
})

describe('confirming several bank lines', () => {
  test('several bank lines are each recorded against their own proposal, and one invoice for several lines is refused', async () => {
    const [one, two] = [
      await w.issued({ customer: await w.newCustomer() }),
      await w.issued({ customer: await w.newCustomer() }),
    ]
    const lines = await uploaded(
      row(one.total, `${one.number} bulk`),
      row(two.total, `${two.number} bulk`),
      row(1234, `stranger ${Date.now()}`),
    )
    const ids = lines.map(({ id }: { id: number }) => id)
    for (const input of [{ invoice: one['@id'] }, { customer: one.customer['@id'] }]) {
      const refused = await w.finance.post(`${BANK_LINES_PATH}/bulk`, { action: 'book', ids, input })
      expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, `input.${Object.keys(input)[0]}`])
    }
    const { body } = await w.finance.post(`${BANK_LINES_PATH}/bulk`, { action: 'book', ids })
    expect(body.done.toSorted()).toEqual(ids.slice(0, 2).toSorted())
    expect(body.refused.map(({ id }: { id: number }) => id)).toEqual([ids[2]])
    expect([(await read(one)).state, (await read(two)).state]).toEqual(['paid', 'paid'])
  })

  test('a proposal is not recorded if the amount due on its invoice has fallen in the meantime', async () => {
    const customer = await w.newCustomer()
    const owed = await w.issued({ customer })
    const [line] = await uploaded(row(owed.total, `${owed.number} late`))
    await w.finance.post('/api/financial/charges', {
      customer,
      invoice: owed['@id'],
      method: 'other',
      amount: 100,
      receivedAt: new Date().toISOString(),
    })
    const refused = await w.finance.post(`${line['@id']}/book`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'due_changed'])
    expect((await w.finance.post(`${line['@id']}/book`, { invoice: owed['@id'] })).status).toBe(200)
    expect(await w.balance(customer)).toBe(-100)
  })
})
