import { choice, flag, instant, integer, jsonOf, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { card } from '../cards/card.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE, SELL } from '../rights.ts'
import { charge, METHODS, MOST, type PaymentNotes } from './charge.ts'
import { type Refunding, refundCharge } from './refund.server.ts'
import { refund } from './refund.ts'
import { takePayment } from './take.server.ts'
import { webhookRoutes } from './webhooks.server.ts'

const amount = integer({ required: 'Please enter an amount', min: 1, max: MOST, pence: true, help: 'Pence.' })
const metadata = jsonOf<Partial<PaymentNotes>>()({ help: '`notes`; `createdBy` is whoever asks, whatever it says.' })
const amountRefunded = integer({
  min: 0,
  max: MOST,
  help: 'What you believe to be refunded of the charge, or being refunded, by now: anything else is answered by 409.',
})
const reason = text({ required: 'Please say why it is refunded', max: 500 })

const asked = { reason, amount, amountRefunded, metadata } as const

const madeAnswer = (made: RecordOf<typeof charge> | RecordOf<typeof refund>) =>
  new RouteAnswer(201, made, { location: made['@id'] })

/** Context of payments and refunds: the write request that starts one, and the one that records its result. */
const takerOf = (c: RouteContext) => ({
  engine: c.engine,
  actor: c.me,
  requestId: c.request.id,
  change: c.change(madeAnswer),
  finish: c.finish((made: Parameters<typeof madeAnswer>[0] | undefined) => made && madeAnswer(made)),
})

const notesOf = (given: unknown): string => {
  const { notes } = (given ?? {}) as { notes?: unknown }
  return typeof notes === 'string' ? notes.slice(0, 1000) : ''
}

type Given = Pick<Refunding, 'amount' | 'reason'> & {
  readonly amountRefunded?: number | null
  readonly metadata?: unknown
}

const give = async (c: RouteContext, of: number, { amount, reason, amountRefunded = null, metadata }: Given) =>
  madeAnswer(await refundCharge(takerOf(c), { charge: of, amount, reason, amountRefunded, notes: notesOf(metadata) }))

const below = (
  path: string,
  title: string,
  of: Parameters<typeof subListRoute>[0]['of'],
  r: typeof charge | typeof refund,
  column: string,
) => subListRoute({ path, title, of, r, where: (id) => `t.${column} = ${id}`, allow: SELL })

const NOTHING = { invoice: null, card: null, currency: null, amountDue: null, reference: '', receivedAt: null }

export const paymentRoutes: readonly Route[] = [
  ...webhookRoutes,
  below('/api/financial/invoices/{id}/charges', 'The charges of an invoice', invoice, charge, 'invoice_id'),
  below('/api/financial/customers/{id}/charges', 'The charges of a customer', customer, charge, 'customer_id'),
  below('/api/financial/charges/{id}/refunds', 'The refunds of a charge', charge, refund, 'charge_id'),
  routeWith(
    {
      customer: link(() => customer, { required: 'Field required, select an option' }),
      invoice: link(() => invoice),
      card: link(() => card),
      method: choice(METHODS, { default: 'card' }),
      amount,
      currency: choice(CURRENCIES),
      amountDue: integer({
        min: 0,
        max: MOST,
        help: 'What you believe to be due on the invoice: anything else is answered by 409.',
      }),
      reference: text({ default: '', max: 100 }),
      receivedAt: instant({ help: 'When it came, of a payment that was not made by card.' }),
      metadata,
      keepBoth: flag({ help: 'The same was taken a moment ago, and is meant once more.' }),
    },
    {
      method: 'POST',
      path: '/api/financial/charges',
      title: 'Take a payment: by a card that is kept, or one that came by the bank',
      allow: SELL,
      handle: async (c) => {
        const { metadata: more, ...given } = c.input
        const taking = { ...NOTHING, ...given, keepBoth: given.keepBoth === true, notes: notesOf(more) }
        return madeAnswer(await takePayment(takerOf(c), taking))
      },
    },
  ),
  routeWith(asked, {
    method: 'POST',
    path: '/api/financial/charges/{id}/refund',
    title: 'Refund a charge, or a part of it',
    allow: FINANCE,
    of: charge,
    handle: async (c) => give(c, await c.engine.idOf(charge, c.actor, c.params.id), c.input),
  }),
  routeWith(
    { charge: link(() => charge, { required: 'Please say which charge is refunded' }), ...asked },
    {
      method: 'POST',
      path: '/api/financial/refunds',
      title: 'Refund a charge, or a part of it',
      allow: FINANCE,
      handle: async (c) => give(c, c.input.charge, c.input),
    },
  ),
]
