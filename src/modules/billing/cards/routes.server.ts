import { problem } from '#kernel/errors.ts'
import { link, text } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { clockOffset } from '#modules/portal/clock/clock.ts'
import { moveClock } from '#server/engine/clock.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { customer } from '../customers/customer.ts'
import { BILLING_ADMIN_ROLE, INVOICING_PACK, STAFF_ROLE } from '../rights.ts'
import { addCard, cardBehaviour, detachCard, setUpCard, syncCards } from './card.server.ts'
import { card } from './card.ts'
import { payPages } from './pay-page.server.ts'
import { paymentGateway } from './payments.server.ts'

const requestOf = (c: RouteContext, change = c.change()) => ({
  engine: c.engine,
  actor: c.me,
  requestId: c.request.id,
  change,
})
const detach = async (c: RouteContext) => detachCard(requestOf(c), await c.engine.idOf(card, c.actor, c.params.id))

/** Throws 404 with real cards: there is no clock to set. */
async function testOnly(c: RouteContext): Promise<void> {
  if ((await paymentGateway(c.engine)).name !== 'test')
    throw problem.notFound('Only the test gateway has a clock that can be set.')
}
const clock = ({ engine }: RouteContext) => ({ now: engine.clock.now().toString({ smallestUnit: 'second' }) })

const ofCustomer = link(() => customer, { required: 'Field required, select an option' })
const cardToken = text({
  required: 'Send the card ID from the payment gateway',
  pattern: {
    regex: /^(?![\d\s-]{12,}$)/,
    message: 'Never send a card number here. Enter the card with the payment gateway',
  },
})

const cardRoutes: readonly Route[] = [
  routeWith(
    { customer: ofCustomer },
    {
      method: 'POST',
      path: '/api/financial/cards/setup',
      title: 'Set up card entry for a customer',
      allow: STAFF_ROLE,
      secret: true,
      handle: async (c) => ({ ...(await setUpCard(requestOf(c), c.input.customer)) }),
    },
  ),
  routeWith(
    { customer: ofCustomer, card: cardToken },
    {
      method: 'POST',
      path: '/api/financial/cards',
      title: 'Save a card entered with the payment gateway',
      allow: STAFF_ROLE,
      handle: async (c) => {
        const answer = (made: RecordOf<typeof card>) => new RouteAnswer(201, made, { location: made['@id'] })
        return answer(await addCard(requestOf(c, c.change(answer)), c.input.customer, c.input.card))
      },
    },
  ),
  {
    method: 'GET',
    path: '/api/financial/cards/detach/{id}',
    writesOnGet: true,
    title: 'Remove a card',
    allow: STAFF_ROLE,
    handle: detach,
  },
  {
    method: 'POST',
    path: '/api/financial/cards/{id}/detach',
    title: 'Remove a card',
    allow: STAFF_ROLE,
    handle: detach,
  },
  {
    method: 'POST',
    path: '/api/financial/customers/{id}/cards/refresh',
    title: 'Synchronise the cards with the payment gateway',
    allow: STAFF_ROLE,
    handle: async (c) => {
      const id = await c.engine.idOf(customer, c.actor, c.params.id)
      await syncCards(requestOf(c), id)
      return c.engine.one(customer, c.actor, id)
    },
  },
  {
    method: 'GET',
    path: '/api/financial/test_clock',
    title: 'Get the test gateway’s time',
    allow: BILLING_ADMIN_ROLE,
    provider: true,
    handle: async (c) => {
      await testOnly(c)
      return clock(c)
    },
  },
  routeWith(clockOffset, {
    method: 'POST',
    path: '/api/financial/test_clock',
    title: 'Move the clock of the portal and its test gateway some days ahead',
    allow: BILLING_ADMIN_ROLE,
    provider: true,
    handle: async (c) => {
      await testOnly(c)
      await moveClock(c.engine, c.input.days)
      return clock(c)
    },
  }),
]

export const cards = feature({
  pack: INVOICING_PACK,
  resources: [card],
  behaviours: [cardBehaviour],
  routes: [...cardRoutes, ...payPages],
  seeds: () => import('./demo.server.ts'),
})
