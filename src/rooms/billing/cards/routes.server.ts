import { problem, violation } from '#kernel/errors.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { moveClock } from '#server/engine/clock.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { customer } from '../customers/customer.ts'
import { idIn } from '../customers/id-in.server.ts'
import { SELL, SET_PRICES } from '../rights.ts'
import { addCard, detachCard, refreshCards, setUpCard } from './card.server.ts'
import { card } from './card.ts'
import { paymentGateway } from './payments.server.ts'

const requestOf = (c: RouteContext, change = c.change()) => ({
  engine: c.engine,
  actor: c.me,
  requestId: c.request.id,
  change,
})
const detach = async (c: RouteContext) => detachCard(requestOf(c), await c.engine.idOf(card, c.actor, c.params.id))

/** Throws 404 where real cards are taken: there is no clock to set. */
async function testOnly(c: RouteContext): Promise<void> {
  if ((await paymentGateway(c.engine)).name !== 'test')
    throw problem.notFound('Only the test gateway has a clock that can be set.')
}
const clock = ({ engine }: RouteContext) => ({ now: engine.clock.now().toString({ smallestUnit: 'second' }) })

export const cardRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/financial/cards/setup',
    title: 'How the browser may enter a card for a customer',
    allow: SELL,
    secret: true,
    handle: async (c) => ({ ...(await setUpCard(requestOf(c), idIn(c.body, 'customer', customer))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/cards',
    title: 'Keep a card that was entered with the payment gateway',
    allow: SELL,
    handle: async (c) => {
      const id = idIn(c.body, 'customer', customer)
      const token = c.body.card
      if (typeof token !== 'string' || !token.trim() || token.length > 255)
        throw problem.invalid([violation('card', 'Send what the payment gateway gave for the card')])
      if (/^[\d\s-]{12,}$/.test(token))
        throw problem.invalid([violation('card', 'Never send a card number here. Enter it with the payment gateway')])
      const answer = (made: RecordOf<typeof card>) => new RouteAnswer(201, made, { location: made['@id'] })
      return answer(await addCard(requestOf(c, c.change(answer)), id, token.trim()))
    },
  },
  {
    method: 'GET',
    path: '/api/financial/cards/detach/{id}',
    changes: true,
    title: 'Take a card away',
    allow: SELL,
    handle: detach,
  },
  {
    method: 'POST',
    path: '/api/financial/cards/{id}/detach',
    title: 'Take a card away',
    allow: SELL,
    handle: detach,
  },
  {
    method: 'POST',
    path: '/api/financial/customers/{id}/cards/refresh',
    title: 'Bring the list of cards up to what the payment gateway has',
    allow: SELL,
    handle: async (c) => {
      const id = await c.engine.idOf(customer, c.actor, c.params.id)
      await refreshCards(requestOf(c), id)
      return c.engine.one(customer, c.actor, id)
    },
  },
  {
    method: 'GET',
    path: '/api/financial/test_clock',
    title: 'The time at the test gateway',
    allow: SET_PRICES,
    provider: true,
    handle: async (c) => {
      await testOnly(c)
      return clock(c)
    },
  },
  {
    method: 'POST',
    path: '/api/financial/test_clock',
    title: 'Put the portal’s clock, which is the test gateway’s, some days ahead of the real one',
    allow: SET_PRICES,
    provider: true,
    handle: async (c) => {
      await testOnly(c)
      const { days } = c.body
      if (typeof days !== 'number' || !Number.isInteger(days) || days < 0 || days > 3650)
        throw problem.invalid([violation('days', 'Please enter whole days, from 0 to 3650')])
      await moveClock(c.engine, days)
      return clock(c)
    },
  },
]
