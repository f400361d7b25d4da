import { createHmac, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeStripeError, makeFakeStripePayments } from './stripe-money.ts'

interface Method {
  readonly id: string
  readonly type: 'card' | 'bacs_debit'
  readonly card: { brand: string; last4: string; exp_month: number; exp_year: number }
  customer: string | null
}

interface Mandate {
  readonly id: string
  readonly object: 'mandate'
  readonly payment_method: string
  status: 'pending' | 'active' | 'inactive'
  readonly payment_method_details: {
    readonly type: 'bacs_debit'
    readonly bacs_debit: { network_status: string; reference: string; revocation_reason: string | null }
  }
}

/** Fault of a request: it never arrives, its response is lost, or it is delayed until released. */
interface Fault {
  readonly at: RegExp
  readonly how: 'not come' | 'answer lost' | Promise<void>
  times: number
}

const WEBHOOK_SECRET = 'whsec_stand_in'

/**
 * Starts a local stand-in for the part of Stripe's API that the portal uses, with signed events. `lose`, `keepAway` and
 * `hold` simulate network faults. The test itself sends repeated or reordered events (`events`, `sign`).
 */
export async function startFakeStripe() {
  const customers: string[] = []
  const methods = new Map<string, Method>()
  const intents = new Map<string, string>()
  const faults: Fault[] = []
  const asked: string[] = []
  const known = new Map<string, { text: string; reply: { status: number; body: unknown } }>()
  // Stripe never reuses an ID, and tests on one database start several stand-ins in turn, so each stand-in starts from
  // a random number.
  let n = randomInt(1, 1_000_000) * 100_000
  const methodOf = (id: string): Method => {
    const found = methods.get(id)
    if (found) return found
    if (id === 'pm_declined') return { id, type: 'card', card: card('visa', '0002'), customer: null }
    throw new FakeStripeError(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such PaymentMethod: '${id}'`,
    })
  }
  const money = makeFakeStripePayments(() => ++n, methodOf)
  const shown = (m: Method) => ({ object: 'payment_method', ...m })
  const mandates = new Map<string, Mandate>()
  const mandateOf = (id: string): Mandate => {
    const found = mandates.get(id)
    if (!found) throw new FakeStripeError(404, { type: 'invalid_request_error', message: `No such mandate: '${id}'` })
    return found
  }
  /** Creates a bank account; its number is never returned. */
  const addAccount = (body: URLSearchParams): object => {
    const number = body.get('bacs_debit[account_number]') ?? ''
    if (!/^\d{8}$/.test(number) || !body.get('billing_details[address][line1]'))
      throw new FakeStripeError(400, { type: 'invalid_request_error', message: 'The bank account is incomplete.' })
    const id = `pm_${++n}`
    methods.set(id, { id, type: 'bacs_debit', card: card('', number.slice(-4)), customer: null })
    return { id, object: 'payment_method', type: 'bacs_debit', bacs_debit: { last4: number.slice(-4) } }
  }
  const setUpDebit = (body: URLSearchParams): object => {
    const method = methodOf(body.get('payment_method') ?? '')
    if (!body.get('mandate_data[customer_acceptance][online][ip_address]'))
      throw new FakeStripeError(400, { type: 'invalid_request_error', message: 'Missing mandate_data.' })
    method.customer = body.get('customer')
    const bacs = { network_status: 'pending', reference: `REF${++n}`, revocation_reason: null }
    const made: Mandate = {
      id: `mandate_${n}`,
      object: 'mandate',
      payment_method: method.id,
      status: 'pending',
      payment_method_details: { type: 'bacs_debit', bacs_debit: bacs },
    }
    mandates.set(made.id, made)
    return { id: `seti_${++n}`, object: 'setup_intent', status: 'succeeded', mandate: made.id, client_secret: 'x' }
  }
  const answer = (method: string, path: string, body: URLSearchParams): unknown => {
    const [, , resource, id = '', action] = path.split('/')
    if (method === 'POST' && resource === 'customers' && !id) {
      customers.push(`cus_${++n}`)
      return { id: `cus_${n}`, object: 'customer', email: body.get('email') }
    }
    if (method === 'GET' && resource === 'customers' && action === 'payment_methods')
      return {
        object: 'list',
        has_more: false,
        data: [...methods.values()].filter((m) => m.customer === id).map(shown),
      }
    if (method === 'POST' && resource === 'payment_methods' && !id) return addAccount(body)
    if (method === 'GET' && resource === 'mandates') return mandateOf(id)
    if (method === 'POST' && resource === 'setup_intents' && body.get('confirm') === 'true') return setUpDebit(body)
    if (method === 'POST' && resource === 'setup_intents') {
      const secret = `seti_${++n}_secret_x`
      intents.set(secret, body.get('customer') ?? '')
      return { id: `seti_${n}`, object: 'setup_intent', client_secret: secret }
    }
    if (resource === 'payment_methods' && method === 'GET') return shown(methodOf(id))
    if (resource === 'payment_methods' && action === 'attach') {
      if (id === 'pm_declined')
        throw new FakeStripeError(402, {
          type: 'card_error',
          code: 'card_declined',
          message: 'Your card was declined.',
        })
      return shown(Object.assign(methodOf(id), { customer: body.get('customer') }))
    }
    if (resource === 'payment_methods' && action === 'detach')
      return shown(Object.assign(methodOf(id), { customer: null }))
    const moved = money.answer(method, path, body)
    if (moved !== undefined) return moved
    throw new FakeStripeError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path})`,
    })
  }
  const reply = (request: IncomingMessage, text: string): { status: number; body: unknown } => {
    try {
      if (request.headers.authorization !== 'Bearer sk_test_stand_in')
        throw new FakeStripeError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      const [path = '', query = ''] = (request.url ?? '').split('?')
      return { status: 200, body: answer(request.method ?? '', path, new URLSearchParams(text || query)) }
    } catch (e) {
      if (e instanceof FakeStripeError) return e
      throw e
    }
  }
  /**
   * A repeated key gets the same response and has no further effect; if the content differs, the request is rejected.
   */
  const once = (request: IncomingMessage, text: string): { status: number; body: unknown } => {
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || typeof key !== 'string') return reply(request, text)
    const before = known.get(key)
    if (before && before.text === `${request.url} ${text}`) return before.reply
    if (before)
      return new FakeStripeError(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
    const made = reply(request, text)
    if (made.status < 500) known.set(key, { text: `${request.url} ${text}`, reply: made })
    return made
  }
  const faultFor = (line: string): Fault['how'] | undefined => {
    const found = faults.find((f) => f.times > 0 && f.at.test(line))
    if (found) found.times--
    return found?.how
  }
  const server = createServer((request, response) => {
    void read(request).then(async (text) => {
      const line = `${request.method} ${request.url?.split('?')[0]}`
      asked.push(line)
      const fault = faultFor(line)
      if (fault === 'not come') return request.socket.destroy()
      if (fault instanceof Promise) await fault
      const { status, body } = once(request, text)
      if (fault === 'answer lost') return request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Number of attempts that the Stripe library makes: one, plus two retries. */
  const ALL_TRIES = 3
  const fault =
    (how: Fault['how']) =>
    (at: RegExp, times = ALL_TRIES) =>
      void faults.push({ at, how, times })
  return {
    url,
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_stand_in',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API: url,
    },
    /**
     * Simulates Stripe's own element in the browser, in which the customer enters a card and attaches it. Returns the
     * payment method's ID.
     */
    confirm: (secret: string, brand: string, last4: string): string => {
      const id = `pm_${++n}`
      methods.set(id, { id, type: 'card', card: card(brand, last4), customer: intents.get(secret) || null })
      return id
    },
    customers: () => customers,
    mandates: () => [...mandates.values()],
    /** Simulates a bank's answer about a mandate, with its event. */
    moveMandate: (id: string, status: 'active' | 'inactive', network: string, reason: string | null = null) => {
      const found = mandateOf(id)
      Object.assign(found, { status })
      Object.assign(found.payment_method_details.bacs_debit, { network_status: network, revocation_reason: reason })
      money.said.tell('mandate.updated', found)
    },
    attached: () => [...methods.values()].flatMap((m) => (m.customer ? [m.id] : [])),
    /** Requests in order of arrival, such as `POST /v1/refunds`. */
    asked: () => asked,
    /** Prevents the request from reaching Stripe. */
    keepAway: fault('not come'),
    /** Executes the request, but loses its response. */
    lose: fault('answer lost'),
    /** Delays the request until released. */
    hold: (at: RegExp): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      faults.push({ at, how: promise, times: 1 })
      return resolve
    },
    /** Removes all faults. */
    mend: () => void faults.splice(0),
    /** Forgets the idempotency keys, as Stripe does after a day. */
    forgetKeys: () => known.clear(),
    ...money.said,
    /** Returns the headers for the body of an event, including its signature. */
    sign: (raw: string, { secret = WEBHOOK_SECRET, at = Math.floor(Date.now() / 1000) } = {}) => ({
      'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')}`,
      'content-type': 'application/json; charset=utf-8',
    }),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const card = (brand: string, last4: string) => ({ brand, last4, exp_month: 12, exp_year: 2049 })

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
