/** Response of the Stripe stand-in with a status other than 200. */
export class FakeStripeError extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message))
    this.status = status
    this.body = { error }
  }
}

interface Intent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly payment_method: string
  readonly metadata: Record<string, string>
  status: string
  latest_charge: { id: string; object: 'charge'; balance_transaction: { fee: number; currency: string } } | null
  last_payment_error: Record<string, unknown> | null
}
interface RefundObject {
  readonly id: string
  readonly object: 'refund'
  readonly payment_intent: string
  readonly amount: number
  readonly metadata: Record<string, string>
  status: string
  failure_reason?: string
}
interface DisputeObject {
  readonly id: string
  readonly object: 'dispute'
  readonly payment_intent: string
  readonly amount: number
  readonly reason: string
  readonly currency: string
  status: string
  balance_transactions: { readonly fee: number; readonly currency: string }[]
}
export interface StripeEvent {
  readonly id: string
  readonly type: string
  readonly raw: string
}

/** Reasons for declining a card, by the last four digits, as for Stripe's own test cards. */
const DECLINES: Readonly<Record<string, Record<string, string>>> = {
  '0341': { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  '9979': { code: 'card_declined', decline_code: 'stolen_card', message: 'Your card was declined.' },
  '3155': { code: 'authentication_required', message: 'This payment required an authentication action to complete.' },
}

/** Simulates Stripe's money movements: intents, refunds, disputes, and their events. */
export function makeFakeStripePayments(
  number: () => number,
  methodOf: (id: string) => { type: string; card: { last4: string }; customer: string | null },
) {
  const intents = new Map<string, Intent>()
  const refunds: RefundObject[] = []
  const disputes: DisputeObject[] = []
  const events: StripeEvent[] = []
  const tell = (type: string, object: object) => {
    const id = `evt_${number()}`
    events.push({ id, type, raw: JSON.stringify({ id, object: 'event', type, data: { object } }) })
  }
  const bad = (message: string, more = {}) =>
    new FakeStripeError(400, { type: 'invalid_request_error', message, ...more })
  const intentOf = (id: string): Intent => {
    const found = intents.get(id)
    if (!found)
      throw new FakeStripeError(404, { type: 'invalid_request_error', message: `No such payment_intent: '${id}'` })
    return found
  }
  const order = (body: URLSearchParams): Intent => {
    const method = body.get('payment_method') ?? ''
    if (methodOf(method).customer !== body.get('customer'))
      throw bad('The payment method does not belong to the customer.')
    const made: Intent = {
      id: `pi_${number()}`,
      object: 'payment_intent',
      amount: Number(body.get('amount')),
      currency: body.get('currency') ?? '',
      customer: body.get('customer') ?? '',
      payment_method: method,
      metadata: metadataIn(body),
      status: 'requires_confirmation',
      latest_charge: null,
      last_payment_error: null,
    }
    intents.set(made.id, made)
    tell('payment_intent.created', made)
    return made
  }
  const pay = (intent: Intent): Intent => {
    Object.assign(intent, {
      status: 'succeeded',
      latest_charge: {
        id: `ch_${number()}`,
        object: 'charge',
        balance_transaction: { fee: Math.round(intent.amount * 0.015) + 20, currency: intent.currency },
      },
    })
    tell('payment_intent.succeeded', intent)
    return intent
  }
  const confirm = (intent: Intent): Intent => {
    if (intent.status === 'canceled') throw bad('This PaymentIntent was canceled.')
    if (intent.status !== 'requires_confirmation') return intent
    if (methodOf(intent.payment_method).type === 'bacs_debit') {
      intent.status = 'processing'
      tell('payment_intent.processing', intent)
      return intent
    }
    const declined = DECLINES[methodOf(intent.payment_method).card.last4]
    if (declined) {
      const error = { type: 'card_error', ...declined }
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error })
      tell('payment_intent.payment_failed', intent)
      throw new FakeStripeError(402, { ...error, payment_intent: intent })
    }
    return pay(intent)
  }
  const cancel = (intent: Intent): Intent => {
    if (intent.status === 'succeeded')
      throw bad('You cannot cancel this PaymentIntent because it has a status of succeeded.')
    intent.status = 'canceled'
    tell('payment_intent.canceled', intent)
    return intent
  }
  const giveBack = (payment: string, amount: number, metadata: Record<string, string>, status = 'succeeded') => {
    const intent = intentOf(payment)
    const gone = refunds.reduce(
      (sum, r) => sum + (r.payment_intent === payment && r.status !== 'failed' ? r.amount : 0),
      0,
    )
    if (intent.status !== 'succeeded' || gone + amount > intent.amount)
      throw bad('Refund amount is greater than unrefunded amount on charge.')
    const made: RefundObject = {
      id: `re_${number()}`,
      object: 'refund',
      payment_intent: payment,
      amount,
      metadata,
      status,
    }
    refunds.unshift(made)
    tell('refund.created', made)
    return made
  }
  const listed = (data: readonly object[]) => ({ object: 'list', has_more: false, data })
  let slow = false
  return {
    answer: (method: string, path: string, body: URLSearchParams): unknown => {
      const [, , resource, id = '', action] = path.split('/')
      const of = body.get('payment_intent') ?? ''
      if (resource === 'payment_intents') {
        if (method === 'GET') return intentOf(id)
        if (!id) return order(body)
        if (action === 'confirm') return confirm(intentOf(id))
        if (action === 'cancel') return cancel(intentOf(id))
      }
      if (resource === 'refunds') {
        if (method === 'GET') return listed(refunds.filter((r) => r.payment_intent === of))
        return giveBack(of, Number(body.get('amount')), metadataIn(body), slow ? 'pending' : 'succeeded')
      }
      if (resource === 'disputes') return listed(disputes.filter((d) => d.payment_intent === of))
      return undefined
    },
    said: {
      tell,
      /** Simulates a bank's response to a collection by Direct Debit: the money, or the code of a failure. */
      settleDebit: (id: string, code?: string) => {
        const intent = intentOf(id)
        if (!code) return pay(intent)
        const error = { code, message: 'The debit failed.', payment_method: { type: 'bacs_debit' } }
        Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error })
        tell('payment_intent.payment_failed', intent)
        return intent
      },
      intents: () => [...intents.values()],
      refunds: () => refunds,
      /** All events in chronological order. */
      events: () => events,
      /** If true, new refunds remain pending until `settleRefund` is called. */
      slowRefunds: (is: boolean) => {
        slow = is
      },
      settleRefund: (id: string, status: 'succeeded' | 'failed') => {
        const found = refunds.find((r) => r.id === id)
        if (!found) throw new Error(`No refund ${id}`)
        Object.assign(found, { status, ...(status === 'failed' ? { failure_reason: 'lost_or_stolen_card' } : {}) })
        tell(status === 'failed' ? 'refund.failed' : 'refund.updated', found)
      },
      /** Makes a refund, as a user of Stripe's dashboard would. */
      refundThere: (payment: string, amount: number) => giveBack(payment, amount, {}),
      /** Simulates the later payment of an order that was declined. */
      payLate: (payment: string) => void pay(Object.assign(intentOf(payment), { last_payment_error: null })),
      /** Simulates the later reversal of a payment by the bank. */
      failLate: (payment: string) => {
        const intent = intentOf(payment)
        Object.assign(intent, {
          status: 'requires_payment_method',
          last_payment_error: { code: 'payment_failed', message: 'The bank returned the payment.' },
        })
        tell('payment_intent.payment_failed', intent)
      },
      dispute: (payment: string, amount = intentOf(payment).amount, status = 'needs_response') => {
        const made: DisputeObject = {
          id: `dp_${number()}`,
          object: 'dispute',
          payment_intent: payment,
          amount,
          reason: 'fraudulent',
          currency: intentOf(payment).currency,
          status,
          balance_transactions: [{ fee: 2000, currency: intentOf(payment).currency }],
        }
        disputes.unshift(made)
        tell('charge.dispute.created', made)
        return made.id
      },
      decide: (id: string, status: 'won' | 'lost') => {
        const found = disputes.find((d) => d.id === id)
        if (!found) throw new Error(`No dispute ${id}`)
        found.status = status
        if (status === 'won') found.balance_transactions.push({ fee: -2000, currency: found.currency })
        tell('charge.dispute.closed', found)
      },
    },
  }
}

const metadataIn = (body: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...body].flatMap(([key, value]) => {
      const name = /^metadata\[(\w+)\]$/.exec(key)?.[1]
      return name ? [[name, value]] : []
    }),
  )
