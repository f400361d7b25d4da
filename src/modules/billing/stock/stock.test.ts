import { beforeAll, describe, expect, test } from 'vitest'
import {
  createInvoicingCustomer,
  type InvoicingClientWorld,
  makeInvoicingClientWorld,
} from '#test/support/own-books.ts'

const [SKUS, MOVES, INVOICES] = ['skus', 'stock_movements', 'invoices'].map((p) => `/api/financial/${p}`) as [
  string,
  string,
  string,
]
let w: InvoicingClientWorld
let customer: string
beforeAll(async () => {
  w = await makeInvoicingClientWorld()
  customer = await createInvoicingCustomer(w)
})

const item = async (onHand = 0, more: Record<string, unknown> = {}) => {
  const sku = await w.make(SKUS, { name: 'Pallet', amount: 4000, cost: 2500, unit: 'pallet', stocked: true, ...more })
  if (onHand) await w.make(MOVES, { sku, quantity: onHand, kind: 'received', reason: 'Delivery' })
  return sku
}
const onHand = async (sku: string) => (await w.books.get(sku)).body.onHand
const moves = async (sku: string) =>
  (await w.books.get(`${MOVES}?sku=${sku}&order[id]=asc`)).body['hydra:member'].map(
    (m: { kind: string; quantity: number; onHand: number }) => [m.kind, m.quantity, m.onHand],
  )
const lineOf = (sku: string, quantity: number) => ({ sku, quantity })

describe('stock', () => {
  test('issuing an invoice deducts stock, and crediting it returns the credited quantity', async () => {
    const sku = await item(10)
    const draft = await w.make(INVOICES, { customer, lines: [lineOf(sku, 3), lineOf(sku, 1)] })
    expect(await onHand(sku)).toBe(10)
    const { body: issued } = await w.books.post(`${draft}/issue`, {})
    expect(await onHand(sku)).toBe(6)
    const credit = (lines?: object[]) =>
      w.books.post('/api/financial/credit_notes', { invoice: draft, reason: 'Broken', ...(lines ? { lines } : {}) })
    expect((await credit([{ line: issued.lines[0]['@id'], quantity: 2 }])).status).toBe(201)
    expect(await onHand(sku)).toBe(8)
    // A credit by amount returns no stock; crediting the remainder returns the remaining stock.
    expect((await credit([{ line: issued.lines[0]['@id'], net: 100 }])).status).toBe(201)
    expect(await onHand(sku)).toBe(8)
    expect((await credit()).status).toBe(201)
    expect(await onHand(sku)).toBe(10)
    expect(await moves(sku)).toEqual([
      ['received', 10, 10],
      ['issued', -3, 7],
      ['issued', -1, 6],
      ['credited', 2, 8],
      ['credited', 1, 9],
      ['credited', 1, 10],
    ])
  })

  test('voiding an invoice returns its stock to the inventory', async () => {
    const sku = await item(2)
    const { '@id': invoice } = await w.issued({ customer, lines: [lineOf(sku, 2)] })
    expect(await onHand(sku)).toBe(0)
    expect((await w.books.post(`${invoice}/void`, { reason: 'Twice' })).status).toBe(200)
    expect([await onHand(sku), await moves(sku)]).toEqual([2, expect.arrayContaining([['voided', 2, 2]])])
  })

  test('an invoice that exceeds the stock causes a warning or, if so configured, is rejected, even if two are issued simultaneously', async () => {
    const of = await makeInvoicingClientWorld()
    const who = await createInvoicingCustomer(of)
    const sku = await of.make(SKUS, { name: 'Lintel', amount: 100, stocked: true })
    await of.make(MOVES, { sku, quantity: 5, kind: 'received', reason: 'Delivery' })
    const draft = () => of.make(INVOICES, { customer: who, lines: [lineOf(sku, 4)] })
    const over = await of.make(INVOICES, { customer: who, lines: [lineOf(sku, 6)] })
    const isOfLine = ({ propertyPath }: { propertyPath: string }) => propertyPath.startsWith('lines')
    const looked = async () => {
      const { problems, warnings } = (await of.books.get(`${over}/preview`)).body
      return { problems, warnings: warnings.filter(isOfLine) }
    }
    const said = [
      { propertyPath: 'lines[0].quantity', message: 'This invoice needs 6 of “Lintel”, but 5 are in stock' },
    ]
    expect(await looked()).toEqual({ problems: [], warnings: said })
    await of.make('/api/financial/invoice_settings', { stockRefused: true })
    expect(await looked()).toEqual({ problems: said, warnings: [] })
    expect((await of.books.post(`${over}/issue`, {})).status).toBe(422)
    const two = await Promise.all([await draft(), await draft()].map((iri) => of.books.post(`${iri}/issue`, {})))
    expect(two.map((a) => a.status).toSorted()).toEqual([200, expect.toSatisfy((s: number) => s === 409 || s === 422)])
    expect((await of.books.get(sku)).body.onHand).toBe(1)
    // Rejected invoices use up no number.
    expect((await of.books.get(`${INVOICES}?state=open`)).body['hydra:totalItems']).toBe(1)
  })

  test('a stock count records the difference with its reason', async () => {
    const sku = await item(10)
    const counted = await w.books.post(`${sku}/count`, { onHand: 7.5, reason: 'Stocktaking' })
    expect([counted.status, counted.body.onHand]).toEqual([200, 7.5])
    expect(await moves(sku)).toContainEqual(['counted', -2.5, 7.5])
    expect((await w.books.post(`${sku}/count`, { onHand: 7.5 })).status).toBe(422)
    expect((await w.books.post(`${await item(0, { stocked: false })}/count`, { onHand: 1, reason: 'x' })).status).toBe(
      409,
    )
  })

  test.each([
    ['without a reason', { quantity: 1, kind: 'received' }, 'reason'],
    ['with a quantity of zero', { quantity: 0, kind: 'counted', reason: 'x' }, 'quantity'],
    ['of the type “received” with a negative quantity', { quantity: -1, kind: 'received', reason: 'x' }, 'quantity'],
    ['of the type “lost” with a positive quantity', { quantity: 1, kind: 'lost', reason: 'x' }, 'quantity'],
    ['of a type reserved for invoices', { quantity: -1, kind: 'issued', reason: 'x' }, 'kind'],
  ])('a stock movement %s is rejected', async (_, values, field) => {
    const refused = await w.books.post(MOVES, { sku: await item(3), ...values })
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, field])
  })

  test('stock can change only through stock movements, which are never edited or deleted', async () => {
    const sku = await item(3)
    expect((await w.books.put(sku, { onHand: 99 })).body.onHand).toBe(3)
    const made = await w.make(SKUS, { name: 'Started', amount: 1, stocked: true, onHand: 5 })
    expect(await onHand(made)).toBe(0)
    await expect(w.sql('UPDATE sku SET on_hand = 99 WHERE id = $1', [sku.split('/').at(-1)])).rejects.toThrow(/moved/)
    const [move] = (await w.books.get(`${MOVES}?sku=${sku}`)).body['hydra:member']
    for (const answer of [await w.books.put(move['@id'], { quantity: 9 }), await w.books.delete(move['@id'])])
      expect(answer.status).toBe(405)
    expect(await onHand(sku)).toBe(3)
  })

  test("other clients' stock is not accessible", async () => {
    const sku = await item(3)
    const other = await makeInvoicingClientWorld()
    expect((await other.books.post(MOVES, { sku, quantity: 1, kind: 'received', reason: 'x' })).status).toBe(400)
    expect((await other.books.post(`${sku}/count`, { onHand: 1, reason: 'x' })).status).toBe(404)
    expect((await other.books.get(MOVES)).body['hydra:totalItems']).toBe(0)
  })
})
