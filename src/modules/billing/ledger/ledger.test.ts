import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { findLedgerInconsistencies } from './command.server.ts'

const portal = await testPortal()

/** Creates a client with separate books, so that closing a period affects no other test. */
async function books() {
  const client = await portal.client()
  const who = await client.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] })
  const api = client.as(who)
  const made = (await api.post('/api/financial/customers', { email: 'ann@acme.example' })).body
  const book = (change: number, more: object = { reason: 'Goodwill' }) =>
    api.post(`${made['@id']}/balance`, { change, keepBoth: true, ...more })
  const sql = <R extends object>(text: string, values: readonly unknown[] = []) =>
    portal.db.tx({ clientId: client.id }, (tx) => tx.rows<R>(text, values))
  const posted = async (query = '') =>
    (await api.get(`/api/financial/ledger_transactions?customer=${made.id}${query}`)).body['hydra:member']
  return { client, api, customer: made, book, sql, posted }
}

const ago = (days: number) => Temporal.Now.plainDateISO('Europe/London').subtract({ days })

describe('customer balance changes in the ledger', () => {
  test("a balance change is posted to two accounts, and the customer's balance equals the sum of the entries", async () => {
    const { api, book, customer, posted } = await books()
    await book(5000)
    await book(-2000, { paymentReceivedDate: `${ago(3).toString()}T10:00:00Z` })
    const [adjusted, paid] = await posted()
    expect(adjusted).toMatchObject({ kind: 'adjustment', description: 'Goodwill', source: 'BalanceChange' })
    expect(paid).toMatchObject({ kind: 'payment', day: ago(3).toString(), description: 'Payment received' })
    const entries = async (of: { '@id': string }) =>
      (await api.get(of['@id'])).body.entries.map((e: { account: string; amount: number }) => [e.account, e.amount])
    expect(await entries(adjusted)).toEqual([
      ['receivable', 5000],
      ['adjustment', -5000],
    ])
    expect(await entries(paid)).toEqual([
      ['receivable', -2000],
      ['bank', 2000],
    ])
    expect((await api.get(customer['@id'])).body.accountBalance).toBe(3000)
    const { body } = await api.get('/api/financial/ledger/balances')
    expect(
      body.accounts.map((a: { account: string; debit: number; credit: number }) => [a.account, a.debit, a.credit]),
    ).toEqual([
      ['receivable', 3000, 0],
      ['bank', 2000, 0],
      ['adjustment', 0, 5000],
    ])
  })

  test('an opening balance is posted to the ledger, and ten simultaneous balance changes all count', async () => {
    const { client, api, book, customer } = await books()
    const begun = await api.post('/api/financial/customers', {
      email: 'bob@acme.example',
      accountBalanceChange: 700,
      accountBalanceReason: 'From the old books',
    })
    expect(begun.body.accountBalance).toBe(700)
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => book(n + 1)))
    expect(all.map((a) => a.status)).toEqual(Array(10).fill(200))
    expect((await api.get(customer['@id'])).body.accountBalance).toBe(55)
    expect(await findLedgerInconsistencies(portal.engine, client.id)).toEqual([])
  })
})

describe('the ledger', () => {
  test('only finance staff can read the ledger, and no user can write to it directly', async () => {
    const { api, client, posted, book } = await books()
    await book(100)
    const [one] = await posted()
    const seller = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
    for (const path of [
      'ledger_transactions',
      'ledger_entries',
      'ledger_locks',
      'ledger/balances',
      'ledger/vat',
      'ledger/journal.csv',
      'ledger/sales.csv',
      'ledger/payments.csv',
      'ledger/trial-balance.csv',
      'ledger/files',
    ])
      expect((await seller.get(`/api/financial/${path}`)).status, path).toBe(403)
    expect((await api.post('/api/financial/ledger_transactions', { kind: 'payment' })).status).toBe(405)
    expect((await api.put(one['@id'], { description: 'My views' })).status).toBe(405)
    expect((await api.delete(one['@id'])).status).toBe(405)
  })

  test("the database rejects ledger entries that don't balance or aren't created with their transaction", async () => {
    const { customer, book, sql, posted } = await books()
    await book(100)
    const [one] = await posted()
    const entry = (of: string, amount: number, account = 'bank') =>
      `INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency, customer_id)
       SELECT client_id, id, day, '${account}', ${amount}, 'GBP', customer_id FROM ${of}`
    const begun = `WITH t AS (INSERT INTO ledger_transaction (client_id, kind, day, description, customer_id, source, source_id)
      VALUES (current_client(), 'fee', current_date, 'By hand', ${customer.id}, 'Hand', 1) RETURNING *) `
    await expect(sql(begun + entry('t', 5))).rejects.toThrow(/come to nil/)
    await expect(sql(`${begun}SELECT 1`)).rejects.toThrow(/come to nil/)
    await expect(sql(entry(`ledger_transaction WHERE id = ${one.id}`, 5))).rejects.toThrow(/with their transaction/)
    await expect(sql(`UPDATE customer SET account_balance = 1 WHERE id = ${customer.id}`)).rejects.toThrow(
      /sum of its entries/,
    )
    await expect(sql('UPDATE ledger_entry SET amount = 1')).rejects.toThrow(/permission denied/)
    await expect(sql('DELETE FROM ledger_transaction')).rejects.toThrow(/permission denied/)
    expect(await posted()).toHaveLength(1)
  })

  test("a closed accounting period accepts no postings and can't be reopened", async () => {
    const { api, book, sql, customer } = await books()
    const close = (through: string) => api.post('/api/financial/ledger_locks', { through })
    const ahead = await close(ago(0).toString())
    expect([ahead.status, ahead.body.violations[0].message]).toEqual([
      422,
      'You can close a period once its last day has ended',
    ])
    expect((await close(ago(5).toString())).status).toBe(201)
    expect((await close(ago(5).toString())).status).toBe(422)
    expect((await close(ago(9).toString())).status).toBe(422)
    const late = await book(-100, { paymentReceivedDate: `${ago(5).toString()}T10:00:00Z` })
    expect([late.status, late.body['hydra:description'] ?? late.body.detail]).toEqual([
      409,
      expect.stringMatching(/^The books are closed up to and including .*Choose a later date[.]$/),
    ])
    expect((await book(-100, { paymentReceivedDate: `${ago(4).toString()}T10:00:00Z` })).status).toBe(200)
    await expect(
      sql(`WITH t AS (INSERT INTO ledger_transaction (client_id, kind, day, description, customer_id, source, source_id)
        VALUES (current_client(), 'fee', '${ago(6).toString()}', 'By hand', ${customer.id}, 'Hand', 1) RETURNING *)
        INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency)
        SELECT client_id, id, day, account, amount, 'GBP' FROM t, (VALUES ('bank', 1), ('fees', -1)) a (account, amount)`),
    ).rejects.toThrow(/period that is closed/)
  })

  test('no request changes a closed period or a filed VAT return', async () => {
    const { api, customer } = await books()
    const F = '/api/financial'
    const first = ago(0).with({ day: 1 })
    const [from, to] = [first.subtract({ months: 1 }).toString(), first.subtract({ days: 1 }).toString()]
    const made = (await api.post(`${F}/vat_returns`, { from, to })).body
    const adjustment = { vatReturn: made['@id'], box: 1, amount: 100, reason: 'Error of last quarter' }
    const part = (await api.post(`${F}/vat_adjustments`, adjustment)).body
    const charge = { customer: customer['@id'], method: 'bank', amount: 100 }
    const before = (await api.post(`${F}/charges`, { ...charge, receivedAt: `${to}T10:00:00Z` })).body
    expect((await api.post(`${made['@id']}/file`, { filedOn: first.toString(), netVatDue: 100 })).status).toBe(200)
    const [lock] = (await api.get(`${F}/ledger_locks`)).body['hydra:member']
    const received = { accountBalanceChange: -5, accountBalanceReason: 'x', paymentReceivedDate: `${to}T10:00:00Z` }
    const read = async () => [(await api.get(made['@id'])).body, (await api.get(part['@id'])).body]
    const were = await read()
    for (const [what, answer] of [
      ['a payment', api.post(`${F}/charges`, { ...charge, amount: 101, receivedAt: `${to}T11:00:00Z` })],
      ['a balance by PUT', api.put(customer['@id'], received)],
      ['a balance by PATCH', api.patch(customer['@id'], received)],
      ['an opening balance', api.post(`${F}/customers`, { ...received, email: 'late@acme.example' })],
      ['the lock by PATCH', api.patch(lock['@id'], { through: from })],
      ['the lock by DELETE', api.delete(lock['@id'])],
      ['the return by PUT', api.put(made['@id'], { ...made, purchaseVat: 1 })],
      ['the return by PATCH', api.patch(made['@id'], { to: first.toString() })],
      ['the return by DELETE', api.delete(made['@id'])],
      ['a part by POST', api.post(`${F}/vat_adjustments`, { ...adjustment, amount: 1 })],
      ['a part by PATCH', api.patch(part['@id'], { amount: 1 })],
      ['a part by DELETE', api.delete(part['@id'])],
      ['another return', api.post(`${F}/vat_returns`, { from, to })],
    ] as const)
      expect([what, [405, 409, 422].includes((await answer).status)]).toEqual([what, true])
    expect(await read()).toEqual(were)
    // A payment in the closed period is undone on the first open day.
    expect((await api.post(`${before['@id']}/reverse`, { reason: 'x' })).status).toBe(200)
    const days = (await api.get(`${F}/ledger_transactions?customer=${customer.id}`)).body['hydra:member']
    expect(days.map(({ kind, day }: { kind: string; day: string }) => [kind, day])).toEqual([
      ['reversed', first.toString()],
      ['payment', to],
    ])
  })

  test('formulas are escaped in exported files, and unknown layouts and periods are refused', async () => {
    const { api, book } = await books()
    await book(12_345, { reason: '=HYPERLINK("x")' })
    const sales = await api.get('/api/financial/ledger/sales.csv')
    expect(sales.text).toContain('"4900","No VAT",0.00')
    const all = await api.get('/api/financial/ledger/journal.csv?layout=entries')
    expect(all.text).toContain('"1100","Trade debtors",123.45,"","GBP"')
    for (const { text } of [sales, all]) expect(text).not.toContain('"=')
    expect((await api.get('/api/financial/ledger/journal.csv?layout=quick')).status).toBe(400)
    expect((await api.get('/api/financial/ledger/vat?from=2026-02-30')).status).toBe(400)
    expect((await api.get('/api/financial/ledger/vat?from=2026-03-01&to=2026-02-01')).status).toBe(400)
  })
})
