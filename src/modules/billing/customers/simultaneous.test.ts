import { beforeAll, describe, expect, test } from 'vitest'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})

const F = '/api/financial'
const idOf = (iri: string) => Number(iri.split('/').at(-1))
const read = async (iri: string) => (await w.finance.get(iri)).body
const line = { description: 'Site visit', quantity: 1, unitAmount: 10_000 }
const draftFor = (customer: string) => w.make(`${F}/invoices`, { customer, lines: [line] })
/** Sends two kinds of requests simultaneously, five of each. */
const atOnce = <T>(one: () => Promise<T>, other: () => Promise<T>) =>
  Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? one() : other())))

describe('changes to a customer during a sale', () => {
  test('if a customer is retired while an invoice is issued to them, only one of the two succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      const customer = await w.buyer()
      const invoice = await draftFor(customer)
      await atOnce(
        () => w.api.patch(customer, { retired: true }),
        () => w.finance.post(`${invoice}/issue`, {}),
      )
      expect((await read(invoice)).state).toBe((await read(customer)).retired ? 'draft' : 'open')
    }
  })

  test('a customer’s quotes and drafts are in the customer’s currency, even if it was changed at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const customer = await w.buyer()
      const quote = (await w.draft({ customer, sendEmail: false, plans: [{ plan: w.plan }] }))['@id']
      await atOnce(
        () => w.api.patch(customer, { currency: 'EUR' }),
        () => w.api.post(`${quote}/send`, {}),
      )
      const { currency } = await read(customer)
      expect((await read(quote)).state).toBe(currency === 'GBP' ? 'open' : 'draft')

      const other = await w.buyer()
      await atOnce(
        () => w.api.patch(other, { currency: 'EUR' }),
        () => w.api.post(`${F}/invoices`, { customer: other, currency: 'GBP', lines: [line] }),
      )
      const drafts = await w.all(`${F}/invoices?customer=${idOf(other)}`)
      const now = (await read(other)).currency
      expect(new Set(drafts.map((draft) => draft.currency))).toEqual(new Set(drafts.length ? [now] : []))
    }
  })

  test('no invoice or quote is issued, reopened or extended for a retired customer', async () => {
    const customer = await w.buyer()
    const draft = await draftFor(customer)
    const writtenOff = await draftFor(customer)
    for (const [path, body] of [
      ['issue', {}],
      ['write-off', { reason: 'Goodwill' }],
    ] as const)
      expect((await w.finance.post(`${writtenOff}/${path}`, body)).status).toBe(200)
    const { quote } = await w.sent({ customer, plans: [{ plan: w.plan }] })
    await w.sql(`UPDATE quote SET expires_at = portal_now() - interval '1 hour' WHERE id = $1`, [quote.id])
    await w.portal.runSchedule('quotes-expire')
    expect((await w.api.patch(customer, { retired: true })).status).toBe(200)
    const until = Temporal.Now.plainDateISO().add({ days: 20 }).toString()
    const refused = [
      await w.finance.post(`${draft}/issue`, {}),
      await w.finance.patch(draft, { notes: 'Thank you' }),
      await w.finance.post(`${writtenOff}/reopen`, {}),
      await w.api.post(`${quote['@id']}/extend`, { until, reason: 'Asked for it' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 409, 422])
    for (const { text } of refused) expect(text).toContain('This customer is retired')
    expect((await w.api.patch(customer, { retired: false })).status).toBe(200)
    expect((await w.api.post(`${quote['@id']}/extend`, { until, reason: 'Asked for it' })).status).toBe(200)
    expect((await w.finance.post(`${writtenOff}/reopen`, {})).body.state).toBe('open')
  })

  test('finance staff are notified of an accepted quote that could not be billed, until the quote is billed', async () => {
    const customer = await w.buyer()
    const { quote, token } = await w.sent({ customer, plans: [{ plan: w.plan }] })
    const billIn = (currency: string) =>
      w.sql('UPDATE customer SET currency = $2 WHERE id = $1', [idOf(customer), currency])
    await billIn('EUR')
    await w.accept(token)
    await w.portal.drain()
    expect(await read(quote['@id'])).toMatchObject({ state: 'accepted', billedAt: null })
    const notices = async () =>
      (await w.finance.get('/api/portal/notices/inbox')).body['hydra:member'].filter(
        (one: { kind: string; path: string; ended: boolean }) =>
          one.kind === 'quote.unbilled' && one.path.endsWith(`/${quote.id}`) && !one.ended,
      )
    expect(await notices()).toEqual([
      expect.objectContaining({ words: `${quote.reference} is accepted, but not billed` }),
    ])
    const bill = (invoiced: boolean) => w.finance.post(`${quote['@id']}/convert`, { invoiced })
    expect([(await bill(false)).status, (await bill(true)).status]).toEqual([422, 422])
    await billIn('GBP')
    expect((await bill(false)).status).toBe(200)
    expect(await notices()).toEqual([])
  })
})
