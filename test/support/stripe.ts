import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Method {
  readonly id: string
  readonly card: { brand: string; last4: string; exp_month: number; exp_year: number }
  customer: string | null
}
class Refused extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message))
    this.status = status
    this.body = { error }
  }
}

/** For tests: a server on this machine that speaks the part of Stripe's API that the portal uses. */
export async function stripeStandIn() {
  const customers: string[] = []
  const methods = new Map<string, Method>()
  const intents = new Map<string, string>()
  let n = 0
  const methodOf = (id: string) => {
    const found = methods.get(id)
    if (found) return found
    if (id === 'pm_declined') return { id, card: card('visa', '0002'), customer: null }
    throw new Refused(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such PaymentMethod: '${id}'`,
    })
  }
  const shown = (m: Method) => ({ object: 'payment_method', type: 'card', ...m })
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
    if (method === 'POST' && resource === 'setup_intents') {
      const secret = `seti_${++n}_secret_x`
      intents.set(secret, body.get('customer') ?? '')
      return { id: `seti_${n}`, object: 'setup_intent', client_secret: secret }
    }
    if (resource === 'payment_methods' && method === 'GET') return shown(methodOf(id))
    if (resource === 'payment_methods' && action === 'attach') {
      if (id === 'pm_declined')
        throw new Refused(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
      return shown(Object.assign(methodOf(id), { customer: body.get('customer') }))
    }
    if (resource === 'payment_methods' && action === 'detach')
      return shown(Object.assign(methodOf(id), { customer: null }))
    throw new Refused(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path})` })
  }
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const { status, body } = reply(request, text)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const reply = (request: IncomingMessage, text: string): { status: number; body: unknown } => {
    try {
      if (request.headers.authorization !== 'Bearer sk_test_stand_in')
        throw new Refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      const [path = ''] = (request.url ?? '').split('?')
      return { status: 200, body: answer(request.method ?? '', path, new URLSearchParams(text)) }
    } catch (e) {
      if (e instanceof Refused) return e
      throw e
    }
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What the browser does with Stripe's own element: the card is entered and attached. */
    confirm: (secret: string, brand: string, last4: string): string => {
      const id = `pm_${++n}`
      methods.set(id, { id, card: card(brand, last4), customer: intents.get(secret) ?? null })
      return id
    },
    customers: () => customers,
    attached: () => [...methods.values()].flatMap((m) => (m.customer ? [m.id] : [])),
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

const card = (brand: string, last4: string) => ({ brand, last4, exp_month: 12, exp_year: 2049 })

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
