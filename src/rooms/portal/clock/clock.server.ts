import { problem, violation } from '#kernel/errors.ts'
import { moveClock } from '#server/engine/clock.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'

const PATH = '/api/portal/clock'
const MOST_DAYS = 3650

const clockAnswer = ({ engine }: Pick<RouteContext, 'engine'>) => ({
  '@id': PATH,
  '@type': 'Clock',
  now: engine.clock.now().toString({ smallestUnit: 'second' }),
})

/** The portal's clock. In a demo world it can be put ahead, to see what happens by the clock: reminders, expiry, what falls due. */
export const clockRoutes: Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'The portal’s time',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    handle: clockAnswer,
  },
  {
    method: 'POST',
    path: PATH,
    title: 'Put the clock of a demo world some days ahead of the real one',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    handle: async (c) => {
      const { days } = c.body
      if (typeof days !== 'number' || !Number.isInteger(days) || days < 0 || days > MOST_DAYS)
        throw problem.invalid([violation('days', `Please enter whole days, from 0 to ${MOST_DAYS}`)])
      await moveClock(c.engine, days)
      return clockAnswer(c)
    },
  },
]
