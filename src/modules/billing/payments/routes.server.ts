import { choice, flag, instant, integer, jsonOf, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { card } from '../cards/card.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { charge, MAX_PAYMENT_PENCE, PAYMENT_METHODS, type PaymentNotes } from './charge.ts'
import { type RefundInput, refundCharge } from './refund.server.ts'
import { refund } from './refund.ts'
import { takePayment } from './take.server.ts'
import { webhookRoutes } from './webhooks.server.ts'

const amount = integer({
  required: 'Please enter an amount',
  min: 1,
  max: MAX_PAYMENT_PENCE,
  pence: true,
  help: 'Pence.',
})
const metadata = jsonOf<Partial<PaymentNotes>>()({ help: '`notes`; `createdBy` is always the current user.' })
const amountRefunded = integer({
  min: 0,
  max: MAX_PAYMENT_PENCE,
  help: 'Refunded and pending amount as you know it; answers 409 if it differs.',
})
const reason = text({ required: 'Please enter the reason for the refund', max: 500 })

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

type Given = Pick<RefundInput, 'amount' | 'reason'> & {
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
) => subListRoute({ path, title, of, r, where: (id) => `t.${column} = ${id}`, allow: SELLING_ROLES })

const NOTHING = { invoice: null, card: null, currency: null, amountDue: null, reference: '', receivedAt: null }

export const paymentRoutes: readonly Route[] = [
  ...webhookRoutes,
  below('/api/financial/invoices/{id}/charges', 'List the charges of an invoice', invoice, charge, 'invoice_id'),
  below('/api/financial/customers/{id}/charges', 'List the charges of a customer', customer, charge, 'customer_id'),
  below('/api/financial/charges/{id}/refunds', 'List the refunds of a charge', charge, refund, 'charge_id'),
  routeWith(
    {
      customer: link(() => customer, { required: 'Field required, select an option' }),
      invoice: link(() => invoice),
      card: link(() => card),
      method: choice(PAYMENT_METHODS, { default: 'card' }),
      amount,
      currency: choice(CURRENCIES),
      amountDue: integer({
        min: 0,
        max: MAX_PAYMENT_PENCE,
        help: 'Amount due as you know it; answers 409 if it differs.',
      }),
      reference: text({ default: '', max: 100 }),
      receivedAt: instant({ help: 'When a payment other than by card was received.' }),
      metadata,
      keepBoth: flag({ help: 'Confirms a repeat of the same payment.' }),
    },
    {
      method: 'POST',
      path: '/api/financial/charges',
      title: 'Take a payment by a saved card, or record one received by bank transfer',
      allow: SELLING_ROLES,
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
    title: 'Refund a charge in full or in part',
    allow: FINANCE_ROLES,
    of: charge,
    handle: async (c) => give(c, await c.engine.idOf(charge, c.actor, c.params.id), c.input),
  }),
  routeWith(
    { charge: link(() => charge, { required: 'Please choose the charge to refund' }), ...asked },
    {
      method: 'POST',
      path: '/api/financial/refunds',
      title: 'Refund a charge in full or in part',
      allow: FINANCE_ROLES,
      handle: async (c) => give(c, c.input.charge, c.input),
    },
  ),
]
