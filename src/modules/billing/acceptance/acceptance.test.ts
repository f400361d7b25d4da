import { beforeAll, describe, expect, test } from 'vitest'
import { renderQueuedEmails } from '#test/support/letters.ts'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'

let w: QuoteWorld
beforeAll(async () => {
  w = await makeQuoteWorld()
})

const signature = {
  name: 'Ann Carter',
  method: 'finger',
  strokes: [
    [
      [0.1, 0.5],
      [0.5, 0.4],
      [0.9, 0.6],
    ],
  ],
  width: 340,
  height: 160,
}
const at = (token: string) => `/api/financial/acceptances/${token}`
const accept = (token: string, body: Record<string, unknown> = { signature }) =>
  w.portal.anonymous.post(`${at(token)}/accept`, body)
const decline = (token: string, body: Record<string, unknown> = {}) =>
  w.portal.anonymous.post(`${at(token)}/decline`, body)
const notes = async () =>
  (await w.api.get(`/api/crm/contacts/${w.contact}/actions?itemsPerPage=100`)).body['hydra:member'] as {
    notes: string
  }[]
const BY_THE_PORTAL = { author: 'customer', user: null, automatic: true }
const events = (id: number) =>
  w.sql<{ payload: Record<string, unknown> }>(
    "SELECT payload FROM outbox WHERE kind = 'quote.accepted' AND (payload ->> 'quote')::bigint = $1",
    [id],
  )
const past = (id: number) => w.sql("UPDATE quote SET expires_at = now() - interval '1 minute' WHERE id = $1", [id])
const job = (name: string) => w.portal.runSchedule(name)

describe('sending a quote', () => {
  test('sending a quote opens it for thirty days, locks its content and queues an e-mail with its link', async () => {
    const made = await w.draft({ plans: [{ plan: w.plan }] })
    const { status, body } = await w.api.post(`${made['@id']}/send`, { message: 'As we said on the telephone.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'open',
      status: '/api/financial/statuses/2',
      total: 5400,
      message: 'As we said on the telephone.',
    })
    const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29)
    expect(days).toBeLessThan(31)
    const mail = (await renderQueuedEmails(w.portal, w.person.clientId)).find((l) => l.subject.includes(made.reference))
    expect(mail).toMatchObject({ to: w.email, confidential: true })
    expect(mail?.body).toContain('Hello Ann Carter,')
    expect(mail?.body).toContain('£54.00 first, then £54.00 every month, including VAT')
    const token = /\/quote\/(\S+)/.exec(mail?.body ?? '')?.[1] as string
    const seen = await w.portal.anonymous.get(at(token))
    expect(Object.keys(seen.body.paper.owner).sort()).toEqual(['email', 'name', 'telephone'])
    expect(seen.body).toMatchObject({ state: 'open', paper: { reference: made.reference, totals: { gross: 5400 } } })
    expect((await notes())[0]).toMatchObject({
      notes: `Quote ${made.reference} (£54.00 first, then £54.00 every month, including VAT) made live, with an e-mail to ${w.email}.`,
    })
    for (const refused of [
      await w.api.put(made['@id'], { message: 'Changed my mind' }),
      await w.api.put(made['@id'], { plans: [] }),
      await w.api.post(`${made['@id']}/send`, {}),
    ])
      expect(refused.status).toBe(409)
    expect((await w.api.put(made['@id'], { message: 'x' })).body['hydra:description']).toContain('new revision')
  })

  test("a quote isn't sent if a price, plan or coupon has changed since the quote was saved, and the errors name the affected lines", async () => {
    const product = (await w.api.get(w.plan)).body.product['@id']
    const plan = await w.make('/api/financial/plans', { name: 'Gold', product, amount: 1000 })
    const gone = await w.make('/api/financial/plans', { name: 'Silver', product, amount: 1000 })
    const coupon = await w.make('/api/financial/coupons', { name: 'Once only', percentOff: 10, maxRedemptions: 1 })
    const made = await w.draft({ plans: [{ plan }, { plan: gone }], coupon })
    await w.api.put(plan, { amount: 1100 })
    await w.api.put(gone, { retired: true })
    await w.sql('UPDATE coupon SET times_redeemed = 1 WHERE id = $1', [coupon.split('/').at(-1)])
    const { status, body } = await w.api.post(`${made['@id']}/send`, {})
    expect(status).toBe(422)
    expect(body.violations).toMatchObject([
      {
        propertyPath: 'plans[0].unitAmount',
        message: 'The price of “Gold” is now £11.00 instead of £10.00. Use the new price or remove the line.',
      },
      {
        propertyPath: 'plans[1].plan',
        message: '“Silver” is no longer sold. Remove the line or choose something else.',
      },
      { propertyPath: 'coupon', message: expect.stringContaining('has been used up') },
    ])
    // A retired plan can't be added to a quote. A plan's new price applies only once the line's unit price is cleared.
    expect((await w.api.put(made['@id'], { plans: [{ plan: gone }] })).status).toBe(422)
    const line = { '@id': made.plans[0]['@id'], plan, unitAmount: null }
    expect((await w.api.put(made['@id'], { plans: [line], coupon: null })).body.plans[0].unitAmount).toBe(1100)
    expect((await w.api.post(`${made['@id']}/send`, {})).status).toBe(200)
  })

  test("a quote that is empty, has a past expiry date or lacks an e-mail address can't be sent", async () => {
    const made = await w.draft({})
    const { body } = await w.api.post(`${made['@id']}/send`, { expiresAt: '2020-01-01' })
    expect(body.violations.map((v: { propertyPath: string }) => v.propertyPath)).toEqual(['plans', 'expiresAt'])
    await w.api.put(made['@id'], { emailTo: '', plans: [{ plan: w.plan }] })
    expect((await w.api.post(`${made['@id']}/send`, {})).body.violations[0].propertyPath).toBe('emailTo')
  })
})

describe("a customer's quote link", () => {
  test("a quote's link shows its holder the sent revision and its PDF", async () => {
    const { quote, token } = await w.sent()
    const { status, body, headers } = await w.portal.anonymous.get(at(token))
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body.paper.lines).toMatchObject([{ description: 'Safety pack', every: 'every month', net: 4500, tax: 900 }])
    expect(JSON.stringify(body)).not.toMatch(/metadata|couponTerms|createdBy/)
    const pdf = await w.portal.anonymous.get(`${at(token)}/pdf`)
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(quote.state).toBe('open')
  })

  test("a quote's link with a wrong or missing secret returns 404 and a message on how to get a new link", async () => {
    const { token } = await w.sent()
    const [client, id] = token.split('-')
    const secret = token.slice(-32)
    const flipped = `${client}-${id}-${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`
    const elsewhere = `${Number(client) + 1}-${id}-${secret}`
    for (const wrong of [flipped, elsewhere, token.slice(0, -1), 'x', `${client}-${id}`, `0-9999999-${secret}`]) {
      const { status, body } = await accept(wrong)
      expect([wrong, status]).toEqual([wrong, 404])
      expect(body['hydra:description']).toContain('ask for a new one')
    }
    expect((await accept(token)).status).toBe(200)
  })

  test("each request for a quote's link returns a working link, and the saved responses don't contain the link's secret", async () => {
    const { quote } = await w.sent()
    const ask = () => w.api.post(`${quote['@id']}/link`, {}, { 'idempotency-key': `link of ${quote.id}` })
    const [first, again] = [await ask(), await ask()]
    for (const { status, headers, body } of [first, again]) {
      expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
      expect((await w.portal.anonymous.get(at(body.link.split('/').at(-1)))).status).toBe(200)
    }
    const kept = JSON.stringify(await w.sql('SELECT key, body FROM idempotency'))
    for (const { body } of [first, again]) expect(kept).not.toContain(body.link.slice(-32))
  })

  test('an expired quote link can be used neither to open nor to accept the quote', async () => {
    const { token } = await w.sent()
    await w.sql("UPDATE quote_link SET expires_at = now() - interval '1 second' WHERE id = $1", [token.split('-')[1]])
    expect((await w.portal.anonymous.get(at(token))).status).toBe(410)
    expect((await accept(token)).status).toBe(410)
  })
})

describe('accepting a quote', () => {
  test('clicking Accept several times records one signature, one timeline note and one request for subscriptions', async () => {
    const { quote, token } = await w.sent()
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200])
    expect((await accept(token)).body).toMatchObject({ state: 'accepted', decidedBy: 'Ann Carter' })
    const { body } = await w.api.get(quote['@id'])
    expect(body).toMatchObject({
      state: 'accepted',
      status: '/api/financial/statuses/3',
      decidedBy: 'Ann Carter',
      signature: { ...signature, address: expect.any(String), at: expect.stringMatching(/^\d{4}-/) },
    })
    expect((await w.api.get(`/api/financial/quotes?id=${quote.id}`)).text).not.toContain('strokes')
    const told = (await notes()).filter((n) => n.notes.startsWith(`The customer accepted quote ${quote.reference}`))
    expect(told).toEqual([
      expect.objectContaining({
        notes: `The customer accepted quote ${quote.reference} (£54.00 first, then £54.00 every month, including VAT), signed by Ann Carter.`,
        ...BY_THE_PORTAL,
      }),
    ])
    expect(await events(quote.id)).toEqual([
      {
        payload: expect.objectContaining({
          reference: quote.reference,
          total: 5400,
          plans: [expect.objectContaining({ quantity: 1, unitAmount: 4500, interval: 'month' })],
        }),
      },
    ])
    const [trail] = await w.sql("SELECT username FROM audit WHERE type = 'Quote' AND row_id = $1 AND verb = 'accept'", [
      quote.id,
    ])
    expect(trail).toEqual({ username: 'customer' })
    expect((await decline(token)).status).toBe(409)
    for (const action of ['revise', 'cancel', 'extend', 'send', 'link'])
      expect([
        action,
        (await w.api.post(`${quote['@id']}/${action}`, { reason: 'x', until: '2099-01-01' })).status,
      ]).toEqual([action, 409])
  })

  test('accepting a quote sends a thank-you e-mail to the customer and notifies the owner', async () => {
    const { quote, token } = await w.sent({ plans: [{ plan: w.plan }], sendEmail: true })
    await accept(token, { signature: { name: 'Ann Carter', method: 'typed' } })
    const told = async () => {
      await w.portal.drain()
      const mails = await w.sql<{ recipient: string }>(
        'SELECT recipient FROM message WHERE subject LIKE $1 AND recipient = ANY($2) ORDER BY recipient',
        [`%${quote.reference}%`, [w.email, `${w.person.username}@seller.example`]],
      )
      return mails.map((m) => m.recipient)
    }
    // Three e-mails: the quote, the thank-you with the signed copy, and the owner's notification.
    await expect.poll(told).toEqual([w.email, w.email, `${w.person.username}@seller.example`])
    const pdf = await w.api.get(`${quote['@id']}/pdf`)
    expect(pdf.status).toBe(200)
  })

  test.each([
    [{}, 'signature'],
    [{ signature: 'Ann' }, 'signature'],
    [{ signature: { ...signature, name: '' } }, 'signature.name'],
    [{ signature: { ...signature, strokes: [] } }, 'signature.strokes'],
    [{ signature: { ...signature, strokes: [[[9, 9]]] } }, 'signature'],
    [{ signature: { ...signature, width: 0 } }, 'signature.strokes'],
    [{ signature: { ...signature, height: undefined } }, 'signature.strokes'],
  ])("a quote can't be accepted with an invalid or missing signature: %j", async (body, path) => {
    const { token } = await w.sent()
    const answer = await accept(token, body)
    expect(answer.status).toBe(422)
    expect(answer.body.violations[0].propertyPath).toBe(path)
  })

  test('of three simultaneous decisions on a quote, one is saved and the others are rejected', async () => {
    const { quote, token } = await w.sent()
    const [a, b, c] = await Promise.all([
      accept(token),
      decline(token, { reason: 'Too dear' }),
      w.api.post(`${quote['@id']}/cancel`, { reason: 'Wrong customer' }),
    ])
    expect([a.status, b.status, c.status].sort()).toEqual([200, 409, 409])
  })
})

describe('declining a quote', () => {
  test('invalid characters in the name and reason given when declining a quote are removed or replaced', async () => {
    const { token, quote } = await w.sent()
    const declined = await decline(token, { name: 'Ann\u0000 Carter', reason: 'Too dear \ud800\u0000' })
    expect([declined.status, declined.body.decidedBy]).toEqual([200, 'Ann Carter'])
    expect((await w.api.get(quote['@id'])).body.reason).toBe('Too dear \ufffd')
  })

  test('declining a quote saves the reason and allows a new revision', async () => {
    const { quote, token } = await w.sent()
    expect((await decline(token, { name: 'Ann Carter', reason: 'Too dear' })).body.state).toBe('declined')
    expect((await decline(token, { reason: 'Again' })).status).toBe(200)
    expect((await w.api.get(quote['@id'])).body).toMatchObject({ state: 'declined', reason: 'Too dear' })
    expect((await notes())[0]?.notes).toBe(
      `The customer declined quote ${quote.reference} (£54.00 first, then £54.00 every month, including VAT): Too dear`,
    )
    expect((await accept(token)).status).toBe(409)
    await w.portal.drain()
    await w.portal.drain()
    const word = await w.sql('SELECT body FROM message WHERE subject LIKE $1', [`%declined ${quote.reference}`])
    expect(word).toEqual([{ body: expect.stringContaining('Too dear') }])
    expect((await w.api.post(`${quote['@id']}/revise`, {})).body).toMatchObject({ revision: 2, state: 'draft' })
  })
})

describe('revising a quote', () => {
  test("a quote's revision replaces the previous one only when that revision is sent", async () => {
    const { quote, token } = await w.sent()
    const { body: next } = await w.api.post(`${quote['@id']}/revise`, {})
    expect(next).toMatchObject({
      reference: `${quote.reference}/2`,
      number: quote.number,
      parent: quote['@id'],
      plans: [{ description: 'Safety pack', unitAmount: 4500 }],
      total: 5400,
    })
    const again = await w.api.post(`${quote['@id']}/revise`, {})
    expect(again.status).toBe(409)
    expect(again.body['hydra:description']).toContain(`${quote.reference}/2`)
    expect((await w.portal.anonymous.get(at(token))).body.state).toBe('open')
    await w.api.put(next['@id'], { plans: [{ '@id': next.plans[0]['@id'], plan: w.plan, quantity: 2 }] })
    expect((await w.api.post(`${next['@id']}/send`, {})).status).toBe(200)
    expect((await w.api.get(quote['@id'])).body).toMatchObject({
      state: 'cancelled',
      replacedBy: next['@id'],
      total: 5400,
    })
    const refused = await accept(token)
    expect(refused.status).toBe(409)
    expect(refused.body['hydra:description']).toContain('newer version')
  })

  test("a quote's revision can't be sent after the previous revision has been accepted", async () => {
    const { quote, token } = await w.sent()
    const { body: next } = await w.api.post(`${quote['@id']}/revise`, {})
    await accept(token)
    const { status, body } = await w.api.post(`${next['@id']}/send`, {})
    expect(status).toBe(409)
    expect(body['hydra:description']).toContain('Ann Carter has already accepted')
    expect((await w.api.get(next['@id'])).body.state).toBe('draft')
  })

  test('only one revision of a quote is created if two people start one simultaneously', async () => {
    const { quote } = await w.sent()
    const both = await Promise.all([w.api.post(`${quote['@id']}/revise`, {}), w.api.post(`${quote['@id']}/revise`, {})])
    expect(both.map((a) => a.status).sort()).toEqual([200, 409])
  })
})

describe('copying a quote', () => {
  test('copying a quote creates a new draft at today’s prices, for the same customer or another', async () => {
    const product = (await w.api.get(w.plan)).body.product['@id']
    const plan = await w.make('/api/financial/plans', { name: 'Bronze', product, amount: 1000 })
    const { quote } = await w.sent({ plans: [{ plan, quantity: 2 }] })
    await w.api.put(plan, { amount: 1500 })
    const { body } = await w.api.post(`${quote['@id']}/copy`, {})
    expect(body).toMatchObject({
      state: 'draft',
      revision: 1,
      parent: null,
      total: 3600,
      plans: [{ unitAmount: 1500, quantity: 2 }],
    })
    expect(body.number).not.toBe(quote.number)
    const customer = await w.make('/api/financial/customers', {
      email: 'else@where.example',
      metadata: { company_name: 'Else Ltd' },
    })
    const other = await w.api.post(`${quote['@id']}/copy`, { customer })
    expect(other.body).toMatchObject({ company: 'Else Ltd', emailTo: 'else@where.example', contact: null })
  })
})

describe('quote expiry', () => {
  test("a quote past its expiry date can't be accepted, even before the nightly job marks it as expired, unless staff extend it with a reason", async () => {
    const { quote, token } = await w.sent()
    await past(quote.id)
    const refused = await accept(token)
    expect(refused.status).toBe(409)
    expect(refused.body['hydra:description']).toContain('valid until')
    await job('quotes-expire')
    expect((await w.api.get(quote['@id'])).body.state).toBe('expired')
    expect((await notes())[0]?.notes).toContain('expired on')
    const extend = (body: Record<string, unknown>) => w.api.post(`${quote['@id']}/extend`, body)
    expect((await extend({ until: '2099-01-01', reason: 'Far off' })).status).toBe(422)
    expect((await extend({ until: '2020-01-01', reason: 'Long ago' })).status).toBe(422)
    const until = Temporal.Now.plainDateISO().add({ days: 3 }).toString()
    expect((await extend({ until })).status).toBe(422)
    expect((await extend({ until, reason: 'On holiday' })).body).toMatchObject({ state: 'open', reason: 'On holiday' })
    expect((await notes())[0]?.notes).toContain('On holiday')
    expect((await accept(token)).status).toBe(200)
  })

  test('the customer is reminded twice before a quote expires', async () => {
    const { quote } = await w.sent({ plans: [{ plan: w.plan }], sendEmail: true })
    // Only the database owner can change sealed dates, so the quote is backdated as the owner.
    const in_ = (days: string) =>
      w.portal.db.tx('owner', async (tx) => {
        await tx.script('SET LOCAL session_replication_role = replica')
        await tx.rows(
          `UPDATE quote SET expires_at = now() + interval '${days}', sent_at = now() - interval '20 days' WHERE id = $1`,
          [quote.id],
        )
      })
    const sent = async () =>
      (
        await w.sql<{ n: number }>(
          "SELECT count(*)::int AS n FROM outbox WHERE kind = 'mail' AND payload ->> 'template' = 'quote-reminder' AND payload ->> 'subject' LIKE $1",
          [`%${quote.reference}%`],
        )
      )[0]?.n
    await job('quote.expiry')
    expect(await sent()).toBe(0)
    await in_('6 days')
    await job('quote.expiry')
    await job('quote.expiry')
    expect(await sent()).toBe(1)
    await in_('20 hours')
    await job('quote.expiry')
    await job('quote.expiry')
    expect(await sent()).toBe(2)
  })
})

describe('cancelling a quote', () => {
  test('cancelling a quote requires a reason and disables its link', async () => {
    const { quote, token } = await w.sent()
    expect((await w.api.post(`${quote['@id']}/cancel`, {})).status).toBe(422)
    expect((await w.api.post(`${quote['@id']}/cancel`, { reason: 'Wrong address' })).body.state).toBe('cancelled')
    expect((await accept(token)).body['hydra:description']).toContain('withdrawn')
  })
})
