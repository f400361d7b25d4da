import { moveClock } from '#server/engine/clock.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { clockOffsetFields } from './clock.ts'

const PATH = '/api/portal/clock'

const clockAnswer = ({ engine }: Pick<RouteContext, 'engine'>) => ({
  '@id': PATH,
  '@type': 'Clock',
  now: engine.clock.now().toString({ smallestUnit: 'second' }),
})

/**
 * Routes for the portal's clock. In a demo, users can set the clock ahead to try out reminders, expiry and due dates.
 */
const clockRoutes: Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'Get the portal’s time',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    handle: clockAnswer,
  },
  routeWithInput(clockOffsetFields, {
    method: 'POST',
    path: PATH,
    title: 'Set a demo portal’s clock a number of days ahead of the real date',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    handle: async (c) => {
      await moveClock(c.engine, c.input.days)
      return clockAnswer(c)
    },
  }),
]

export const clock = feature({
  routes: clockRoutes,
})
