import { problem } from '#kernel/errors.ts'
import { flag, integer, text } from '#kernel/fields.ts'
import { systemActor } from '#kernel/roles.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Engine } from '#server/engine/types.ts'
import { addCard, setUpCard, takesCards } from '../cards/card.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge, MAX_PAYMENT_PENCE } from '../payments/charge.ts'
import { PAY_LINK_AUTHOR } from '../payments/names.ts'
import { takePayment } from '../payments/take.server.ts'
import { bankLines } from '../print/supplier.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { enteredCardSchedules, finishEnteredCard } from './entered.server.ts'
import { createPayLink, invoicePaySecretLink, resolvePayLink } from './link.server.ts'
import { payLink } from './pay-link.ts'
import type { PaymentPageData } from './payment-page.ts'

const PAGE = '/api/financial/payments/{token}'

const ofLink = new ConcurrencyLimiter(1)
/** Declined cards per hour after which card testing with stolen cards is suspected. */
const DECLINED = 10

/** Actor for the bearer of a payment link, with the rights to pay. */
const payer = (clientId: number) => ({
  ...systemActor(clientId, 'pay by payment link'),
  username: PAY_LINK_AUTHOR,
})

async function present(engine: Engine, token: string | undefined): Promise<PaymentPageData> {
  const { clientId, owed } = await resolvePayLink(engine, token)
  if (owed.state === 'draft') throw problem.notFound()
  const underWay = await engine.readIn(clientId, 'open a payment link', (c) =>
    c.exists(charge, { invoice: owed.id, state: 'pending' }),
  )
  const { number, company, date, dueOn, currency, total, amountDue, state, supplier } = owed
  return {
    '@id': PAGE.replace('{token}', token ?? ''),
    '@type': 'PaymentPage',
    provider: supplier?.name || engine.config.provider,
    number,
    company,
    date,
    dueOn,
    currency,
    total,
    amountDue,
    state,
    underWay,
    card: await takesCards(engine, clientId),
    bank: supplier?.bank ? bankLines(supplier.bank) : [],
  }
}

const askedBy = (c: RouteContext, clientId: number) => {
  const change = { actor: payer(clientId), requestId: c.request.id }
  return { engine: c.engine, ...change, change, finish: change }
}

/** Throws 429 once too many cards have been declined. */
async function refuseTrying(engine: Engine, clientId: number, id: number): Promise<void> {
  const since = engine.clock.now().subtract({ hours: 1 })
  const failed = await engine.readIn(clientId, 'open a payment link', (c) =>
    c.find(charge, { invoice: id, state: 'failed' }),
  )
  const lately = failed.filter((one) => Temporal.Instant.compare(Temporal.Instant.from(one.createdAt), since) > 0)
  if (lately.length >= DECLINED) throw problem.tooMany(3600)
}

const payLinkRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PAGE,
    title: 'Get the invoice behind a payment link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await present(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${PAGE}/card`,
    title: 'Set up card entry for a payment',
    allow: 'anonymous',
    secret: true,
    handle: async (c) => {
      const { clientId, owed } = await resolvePayLink(c.engine, c.params.token)
      await refuseTrying(c.engine, clientId, owed.id)
      return { ...(await setUpCard(askedBy(c, clientId), owed.customer, 'pay')) }
    },
  },
  routeWith(
    {
      card: text({ required: 'Please enter a card' }),
      keep: flag({ help: 'Save the card and charge later invoices to it.' }),
      amountDue: integer({
        required: true,
        min: 1,
        max: MAX_PAYMENT_PENCE,
        help: 'Amount due as shown on the page; answers 409 if it differs.',
      }),
    },
    {
      method: 'POST',
      path: `${PAGE}/pay`,
      title: 'Pay the amount due with a card just entered',
      allow: 'anonymous',
      handle: async (c) => {
        const { clientId, owed } = await resolvePayLink(c.engine, c.params.token)
        return ofLink.run(`${clientId} ${owed.id}`, async () => {
          await refuseTrying(c.engine, clientId, owed.id)
          const asked = askedBy(c, clientId)
          const { id: entered } = await addCard(asked, owed.customer, c.input.card, c.input.keep ? 'ifPaid' : 'no')
          try {
            await takePayment(asked, {
              customer: owed.customer,
              invoice: owed.id,
              card: entered,
              method: 'card',
              amount: c.input.amountDue,
              amountDue: c.input.amountDue,
              currency: null,
              reference: '',
              receivedAt: null,
              notes: 'Paid by payment link',
              keepBoth: false,
              byHolder: true,
            })
          } finally {
            await finishEnteredCard(asked, entered)
          }
          return { ...(await present(c.engine, c.params.token)) }
        })
      },
    },
  ),
  {
    method: 'POST',
    path: '/api/financial/invoices/{id}/pay-link',
    title: 'Create a payment link for an invoice',
    allow: SELLING_ROLES,
    secret: true,
    handle: async (c) => {
      const id = await c.engine.idOf(invoice, c.actor, c.params.id)
      const { state } = await c.engine.one(invoice, c.actor, id)
      if (state !== 'open')
        throw problem.conflict('This invoice is not open, so there is nothing to pay.', 'wrong_state')
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const url = await createPayLink(unit, id)
        return () => ({ url })
      })
    },
  },
]

export const payLinks = feature({
  pack: INVOICING_PACK,
  resources: [payLink],
  routes: payLinkRoutes,
  schedules: enteredCardSchedules,
  links: [invoicePaySecretLink],
})
