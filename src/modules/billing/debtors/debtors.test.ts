import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import { type AgedDebt, type AgedDebtorsResponse, DEBT_AGE_BANDS, DEBTORS_URL } from './ageing.ts'

let w: InvoiceWorld
beforeAll(async () => {
  w = await makeInvoiceWorld()
})
afterEach(() => moveClock(w.portal.engine, 0))
const today = () => Temporal.Now.plainDateISO('Europe/London')
const idOf = (iri: string) => Number(iri.split('/').at(-1))
const read = async (day = '') =>
  (await w.finance.get(`${DEBTORS_URL}${day && `?day=${day}`}`)).body as AgedDebtorsResponse
const rowOf = async (customer: string, day = '') =>
  (await read(day)).rows.find((row) => row.customer === idOf(customer))

describe('aged debtors', () => {
  test('aged debts are grouped by days overdue, credit is set against the oldest, and totals match the ledger', async () => {
    const customer = await w.newCustomer()
    const one = await w.issued({ customer })
    await moveClock(w.portal.engine, 20)
    const two = await w.issued({ customer })
    // With payment terms of 14 days, one invoice is 31 days overdue and the other 11.
    await moveClock(w.portal.engine, 45)
    expect(await rowOf(customer)).toMatchObject({
      ages: { '31-60': one.total, '1-30': two.total },
      total: one.total + two.total,
    })
    expect(await rowOf(customer, today().add({ days: 14 }).toString())).toMatchObject({
      ages: { current: one.total },
      total: one.total,
    })
    const later = today().add({ days: 120 }).toString()
    expect((await rowOf(customer, later))?.ages.over90).toBe(one.total)
    const credit = await w.finance.post(`${customer}/balance`, { change: -1000, reason: 'Goodwill', keepBoth: true })
    expect(credit.status).toBe(200)
    expect(await rowOf(customer)).toMatchObject({ ages: { '31-60': one.total - 1000, '1-30': two.total } })
    await w.finance.post(`${customer}/balance`, { change: -99_000, reason: 'Goodwill', keepBoth: true })
    expect(await rowOf(customer)).toMatchObject({
      ages: { '31-60': 0, '1-30': 0, credit: one.total + two.total - 100_000 },
    })
    for (const day of ['', later, today().subtract({ days: 1 }).toString()]) {
      const { sums, rows } = await read(day)
      const balances = (await w.finance.get(`/api/financial/ledger/balances${day && `?day=${day}`}`)).body.accounts
      const receivable = balances.find((a: { account: string }) => a.account === 'receivable')
      expect(sums.find((s) => s.currency === 'GBP')?.total ?? 0).toBe(
        (receivable?.debit ?? 0) - (receivable?.credit ?? 0),
      )
      expect(rows.reduce((n, row) => n + row.total, 0)).toBe(sums.reduce((n, s) => n + s.total, 0))
    }
  })

  test('each total of aged debts equals the sum of the debts listed for it', async () => {
    const customer = await w.newCustomer()
    const { total, id } = await w.issued({ customer })
    await w.finance.post(`${customer}/balance`, { change: 700, reason: 'Carriage', keepBoth: true })
    const row = await rowOf(customer)
    for (const { value } of DEBT_AGE_BANDS) {
      const { body } = await w.finance.get(`${DEBTORS_URL}/debts?customer=${idOf(customer)}&currency=GBP&age=${value}`)
      expect(body['hydra:member'].reduce((n: number, d: AgedDebt) => n + d.amount, 0)).toBe(row?.ages[value])
    }
    const { body } = await w.finance.get(`${DEBTORS_URL}/debts?customer=${idOf(customer)}`)
    expect(body['hydra:member'].map((d: AgedDebt) => [d.invoice, d.amount]).toSorted()).toEqual(
      [
        [null, 700],
        [id, total],
      ].toSorted(),
    )
  })

  test('a customer who has paid is no longer an aged debtor', async () => {
    const customer = await w.newCustomer()
    const { '@id': invoice, total } = await w.issued({ customer })
    const paid = await w.finance.post('/api/financial/charges', {
      customer,
      invoice,
      method: 'bank',
      amount: total,
      receivedAt: new Date().toISOString(),
    })
    expect(paid.status).toBe(201)
    expect(await rowOf(customer)).toBeUndefined()
  })

  test('a statement as of a past date shows the amount that was overdue on that date', async () => {
    const customer = await w.newCustomer()
    const { '@id': invoice, total } = await w.issued({ customer })
    const to = today().add({ days: 30 }).toString()
    await moveClock(w.portal.engine, 40)
    const receivedAt = w.portal.engine.clock.now().toString()
    const paid = await w.finance.post('/api/financial/charges', {
      customer,
      invoice,
      method: 'bank',
      amount: total,
      receivedAt,
    })
    expect(paid.status).toBe(201)
    const statement = async (on: string) => (await w.finance.get(`${customer}/statement?to=${on}`)).body
    expect(await statement(to)).toMatchObject({ closing: total, overdue: total })
    expect(await statement(today().add({ days: 10 }).toString())).toMatchObject({ closing: total, overdue: 0 })
    expect(await statement(today().add({ days: 40 }).toString())).toMatchObject({ closing: 0, overdue: 0 })
  })

  test('the invoice summary totals the amounts outstanding, overdue and due this week, and those received this month', async () => {
    const own = await makeInvoiceWorld()
    const totals = async () => (await own.api.get('/api/financial/invoice_summary')).body.totals
    expect(await totals()).toEqual([])
    const customer = await own.newCustomer()
    const { '@id': invoice, total } = await own.issued({ customer })
    const second = await own.issued({ customer })
    const due = { currency: 'GBP', outstanding: total + second.total, overdue: 0, dueThisWeek: 0, paidThisMonth: 0 }
    expect(await totals()).toEqual([due])
    await moveClock(own.portal.engine, 14)
    expect(await totals()).toEqual([{ ...due, dueThisWeek: due.outstanding }])
    await moveClock(own.portal.engine, 15)
    const receivedAt = own.portal.engine.clock.now().toString()
    const paid = { customer, invoice, method: 'bank', amount: total, receivedAt }
    expect((await own.finance.post('/api/financial/charges', paid)).status).toBe(201)
    expect(await totals()).toEqual([{ ...due, outstanding: second.total, overdue: second.total, paidThisMonth: total }])
  })

  test('only finance staff can export aged debtors, and the export escapes formulas', async () => {
    await w.issued({ customer: await w.newCustomer({ metadata: { company_name: '=HYPERLINK("https://x.example")' } }) })
    const file = await w.finance.get(`${DEBTORS_URL}/export.csv`)
    expect(file.text).toContain(`"'=HYPERLINK(""https://x.example"")"`)
    expect(file.text.split('\r\n')[0]).toBe(
      '"Customer","Customer number","Currency","Not yet due","1–30 days","31–60 days","61–90 days","Over 90 days","In credit","Total"',
    )
    for (const path of ['', '/debts', '/export.csv']) {
      expect((await w.api.get(`${DEBTORS_URL}${path}`)).status).toBe(403)
      expect((await w.otherStaff.get(`${DEBTORS_URL}${path}`)).status).toBe(403)
    }
    expect((await w.finance.get(`${DEBTORS_URL}?day=2026-02-30`)).status).toBe(400)
    expect((await w.finance.get(`${DEBTORS_URL}/debts?age=old`)).status).toBe(400)
  })
})
