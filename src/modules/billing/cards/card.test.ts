import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { startFakeStripe } from '#test/support/stripe.ts'

const portal = await testPortal()
let staff: TestApi
let boss: TestApi
beforeAll(async () => {
  const client = portal.provider
  staff = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
})

let n = 0
const customer = async (api = staff) =>
  (await api.post('/api/financial/customers', { email: `card${++n}@c.example` })).body

/** Builds a form submission as the browser sends it from the gateway's page. */
function form(fields: Record<string, string>) {
  const b = 'x-boundary'
  const parts = Object.entries(fields).map(
    ([k, v]) => `--${b}\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`,
  )
  return { headers: { 'content-type': `multipart/form-data; boundary=${b}` }, body: `${parts.join('')}--${b}--\r\n` }
}
const open = async (of: Record<string, unknown>) =>
  (await staff.post('/api/financial/cards/setup', { customer: of['@id'] as string })).body.url as string
const enter = (url: string, number: string, more = {}) =>
  portal.anonymous.send('POST', url, form({ number, expiry: '12/49', cvc: '123', ...more }))
const token = (html: string) => /card:"(pm_test_[0-9a-f]{32})"/.exec(html)?.[1]
const add = async (of: Record<string, unknown>, number: string) => {
  const card = token((await enter(await open(of), number)).text)
  return staff.post('/api/financial/cards', { card: card as string, customer: of['@id'] as string })
}
const cards = async (of: Record<string, unknown>) =>
  (await staff.get(`${String(of['@id'])}/cards`)).body['hydra:member']

describe('a card at the test gateway', () => {
  test("a card is entered on the gateway's page, and the portal stores it without its number", async () => {
    const who = await customer()
    const url = await open(who)
    const page = await portal.anonymous.get(url)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const made = await add(who, '4242 4242 4242 4242')
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2049,
      gateway: 'test',
      default: true,
      retired: false,
      customer: who['@id'],
    })
    expect(made.body).not.toHaveProperty('gatewayId')
    expect(await cards(who)).toMatchObject([{ id: made.body.id }])
    const [{ found }] = (await portal.db.tx('system', (tx) =>
      tx.rows(
        "SELECT count(*)::int AS found FROM (SELECT data::text AS t FROM test_gateway UNION ALL SELECT changes::text FROM audit) x WHERE t LIKE '%4242424242%' OR t LIKE '%\"123\"%'",
      ),
    )) as [{ found: number }]
    expect(found).toBe(0)
  })

  test.each([
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000000069', 'Your card has expired.'],
    ['4000000000000127', "Your card's security code is incorrect."],
  ])("the gateway's test card %s is rejected with the gateway's own message", async (number, words) => {
    const who = await customer()
    const answer = await add(who, number)
    expect([answer.status, answer.body['hydra:description']]).toEqual([422, words])
    expect(await cards(who)).toEqual([])
  })

  test.each([
    [{ number: '4242424242424241' }, 'Your card number is invalid.'],
    [{ expiry: '13/30' }, 'expiry date is incomplete'],
    [{ expiry: 'soon' }, 'expiry date is incomplete'],
    [{ cvc: '1' }, 'security code is incomplete'],
    [{ number: '4929000000006' }, 'accepts test cards only'],
    [{ number: '<script>' }, 'Your card number is invalid.'],
  ])('the card page shows the error for the input %o without repeating the card number', async (more, words) => {
    const answer = await enter(await open(await customer()), '4242424242424242', more)
    expect(answer.status).toBe(422)
    expect(answer.text.replaceAll('&#39;', "'")).toContain(words)
    expect(answer.text).not.toContain('value="4')
  })

  test('the cardholder is asked for 3-D Secure confirmation and can refuse it', async () => {
    const who = await customer()
    const url = await open(who)
    const asked = await enter(url, '4000000000003220')
    const name = /name="token" value="(\w+)"/.exec(asked.text)?.[1] as string
    const early = await staff.post('/api/financial/cards', { card: name, customer: who['@id'] })
    expect(early.body['hydra:description']).toContain('unable to authenticate')
    const answer = (is: string) => portal.anonymous.send('POST', url, form({ token: name, answer: is }))
    expect(token((await answer('pass')).text)).toBe(name)
    expect((await staff.post('/api/financial/cards', { card: name, customer: who['@id'] })).status).toBe(201)
    expect((await answer('pass')).status).toBe(422)
    const other = /name="token" value="(\w+)"/.exec((await enter(url, '4000000000003220')).text)?.[1] as string
    const refused = await portal.anonymous.send('POST', url, form({ token: other, answer: 'fail' }))
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('unable to authenticate')])
  })

  test('an expired card is rejected, and only administrators can move the test clock, and only forwards', async () => {
    const who = await customer()
    const past = token((await enter(await open(who), '4242424242424242', { expiry: '01/20' })).text) as string
    const answer = await staff.post('/api/financial/cards', { card: past, customer: who['@id'] })
    expect(answer.body['hydra:description']).toBe('Your card has expired.')
    expect((await staff.post('/api/financial/test_clock', { days: 1 })).status).toBe(403)
    expect((await boss.post('/api/financial/test_clock', { days: -1 })).status).toBe(422)
    const ahead = await boss.post('/api/financial/test_clock', { days: 365 })
    expect(Date.parse(ahead.body.now)).toBeGreaterThan(Date.now() + 360 * 86_400_000)
    await boss.post('/api/financial/test_clock', { days: 0 })
  })

  test('a card token can be used once, and only for its customer', async () => {
    const who = await customer()
    const url = await open(who)
    const card = token((await enter(url, '5555555555554444')).text) as string
    const other = await customer()
    const stolen = await staff.post('/api/financial/cards', { card, customer: other['@id'] })
    expect([stolen.status, stolen.body['hydra:description']]).toEqual([
      422,
      'No such payment method. Please enter the card details again.',
    ])
    const twice = await Promise.all(
      [1, 2].map(() => staff.post('/api/financial/cards', { card, customer: who['@id'] })),
    )
    expect(twice.map((a) => a.status)).toEqual([201, 201])
    expect((await cards(who)).length).toBe(1)
  })

  test('a card number sent to the portal is rejected and not stored', async () => {
    const who = await customer()
    const answer = await staff.post('/api/financial/cards', { card: '4242 4242 4242 4242', customer: who['@id'] })
    expect([answer.status, answer.body.violations[0].message]).toEqual([
      422,
      'Never send a card number here. Enter the card details with the payment service',
    ])
    expect(answer.text).not.toContain('4242')
  })

  test('a detached card is removed from the list, and the next card can become the default', async () => {
    const who = await customer()
    const first = (await add(who, '4242424242424242')).body
    const second = (await add(who, '5555555555554444')).body
    expect([first.default, second.default]).toEqual([true, false])
    expect((await staff.post(`${second['@id']}/make-default`)).body.default).toBe(true)
    expect((await cards(who)).map((c: { id: number }) => c.id)).toEqual([second.id, first.id])
    expect((await staff.get(first['@id'])).body.default).toBe(false)
    expect((await staff.get(`/api/financial/cards/detach/${first.id}`)).body).toMatchObject({
      id: first.id,
      retired: true,
    })
    // Detaching the card again succeeds, although the card is already gone.
    expect((await staff.post(`${first['@id']}/detach`)).status).toBe(200)
    expect((await staff.post(`${first['@id']}/make-default`)).status).toBe(409)
    expect((await cards(who)).map((c: { id: number }) => c.id)).toEqual([second.id])
    expect((await staff.get('/api/financial/cards/detach/999999999')).status).toBe(404)
  })

  test("refreshing a customer's cards retires those that are no longer attached at the gateway", async () => {
    const who = await customer()
    const made = (await add(who, '4242424242424242')).body
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE test_gateway SET data = data || '{\"customer\": null}' WHERE data ->> 'customer' = $1", [
        `cus_test_${who.id}`,
      ]),
    )
    const lost = await staff.get(`/api/financial/cards/detach/${made.id}`)
    expect([lost.status, lost.body['hydra:description']]).toEqual([
      422,
      'The payment method is not attached to a customer.',
    ])
    expect((await staff.post(`${who['@id']}/cards/refresh`)).status).toBe(200)
    expect(await cards(who)).toEqual([])
  })

  test('the URL of an expired or unknown card page returns 410, and a malformed one 404', async () => {
    expect((await portal.anonymous.get('/pay/test/seti_test_x')).status).toBe(410)
    expect((await enter('/pay/test/seti_test_x', '4242424242424242')).status).toBe(410)
    expect((await portal.anonymous.get('/pay/test/%00')).status).toBe(404)
    expect((await enter('/pay/test/%00', '4242424242424242')).status).toBe(404)
  })

  test.each<[Record<string, unknown>, number]>([
    [{}, 422],
    [{ card: 'pm_test_x' }, 422],
    [{ card: '', customer: '/api/financial/customers/1' }, 422],
    [{ card: 'pm_test_x', customer: '/api/financial/coupons/1' }, 400],
    [{ card: 'pm_test_x', customer: '/api/financial/customers/999999999' }, 404],
  ])('a request to save a card with the body %o is rejected', async (body, status) => {
    expect((await staff.post('/api/financial/cards', body)).status).toBe(status)
  })
})

describe('a card at Stripe', () => {
  let other: TestPortal
  let api: TestApi
  let stripe: Awaited<ReturnType<typeof startFakeStripe>>
  beforeAll(async () => {
    stripe = await startFakeStripe()
    other = await portal.with({
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_stand_in',
      STRIPE_API: stripe.url,
    })
    api = other.provider.as(await other.provider.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
    return () => stripe.close()
  })

  test('a Stripe card entered in the browser can be saved, listed and detached', async () => {
    const who = await customer(api)
    const setUp = await api.post('/api/financial/cards/setup', { customer: who['@id'] })
    expect(setUp.body).toMatchObject({
      gateway: 'stripe',
      clientSecret: expect.stringContaining('_secret_'),
      publishableKey: 'pk_test_stand_in',
    })
    const pm = stripe.confirm(setUp.body.clientSecret, 'visa', '4242')
    const made = await api.post('/api/financial/cards', { card: pm, customer: who['@id'] })
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ brand: 'visa', last4: '4242', gateway: 'stripe', expYear: 2049 }),
    ])
    const second = stripe.confirm(setUp.body.clientSecret, 'mastercard', '4444')
    await api.post(`${who['@id']}/cards/refresh`)
    expect((await api.get(`${who['@id']}/cards`)).body['hydra:member']).toMatchObject([
      { last4: '4242' },
      { last4: '4444' },
    ])
    expect((await api.post(`${made.body['@id']}/detach`)).body.retired).toBe(true)
    expect(stripe.attached()).toEqual([second])
    expect(stripe.customers()).toHaveLength(1)
  })

  test("a Stripe card is rejected with Stripe's own message", async () => {
    const who = await customer(api)
    const answer = await api.post('/api/financial/cards', { card: 'pm_declined', customer: who['@id'] })
    expect([answer.status, answer.body['hydra:description']]).toEqual([422, 'Your card was declined.'])
    const unknown = await api.post('/api/financial/cards', { card: 'pm_nowhere', customer: who['@id'] })
    expect(unknown.body['hydra:description']).toBe("No such PaymentMethod: 'pm_nowhere'")
  })

  test('a wrong Stripe key and a Stripe outage are reported differently from customer errors', async () => {
    const who = await customer()
    const wrong = await portal.with({
      STRIPE_SECRET_KEY: 'sk_test_wrong',
      STRIPE_PUBLISHABLE_KEY: 'pk',
      STRIPE_API: stripe.url,
    })
    const asks = async (p: TestPortal) =>
      p.provider
        .as(await p.provider.user({ roles: ['ROLE_STAFF'] }))
        .post('/api/financial/cards/setup', { customer: who['@id'] })
    const refused = await asks(wrong)
    expect([refused.status, refused.body['hydra:description']]).toEqual([502, expect.stringContaining('our key')])
    const away = await portal.with({
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STRIPE_PUBLISHABLE_KEY: 'pk',
      STRIPE_API: 'http://127.0.0.1:9',
    })
    const unreachable = await asks(away)
    expect([unreachable.status, unreachable.body['hydra:description']]).toEqual([
      502,
      expect.stringContaining('The payment service is not available'),
    ])
  })

  test("the test gateway's page and clock are unavailable when Stripe is in use", async () => {
    expect((await other.anonymous.get('/pay/test/seti_test_x')).status).toBe(404)
    expect((await api.get('/api/financial/test_clock')).status).toBe(404)
  })

  test('the portal rejects a configuration with only one of the two Stripe keys', async () => {
    await expect(portal.with({ STRIPE_SECRET_KEY: 'sk' })).rejects.toThrow('Set both STRIPE_SECRET_KEY')
  })
})
