import { Problem } from '#kernel/errors.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { createSecretLink, openSecretLink, publicPageUrl } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { readAbsences } from '../leave/absences.server.ts'
import { addDays } from '../leave-rules/days.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { FEED_FILE_URL, FEED_URL, leaveFeed } from './feed.ts'
import { type FeedEvent, formatCalendar } from './ical.ts'
import { readLanes } from './lanes.server.ts'

const DAYS_BEFORE = 31
const DAYS_AHEAD = 366

const findFeed = async (c: Pick<Context, 'find'>, userId: number) =>
  (await c.find(leaveFeed, { user: userId, withdrawnAt: null }))[0]

async function withdrawFeed(c: Context): Promise<void> {
  const feed = await findFeed(c, c.actor.userId)
  if (feed) await c.set(leaveFeed, feed, { withdrawnAt: c.now.toString() }, 'withdraw')
}

const feedAnswer = (createdAt: string | null, address: string | null = null) => ({
  '@id': FEED_URL,
  '@type': 'LeaveFeed',
  createdAt,
  address,
})

export const feedRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: FEED_URL,
    title: 'Show whether I have a calendar feed',
    allow: EMPLOYEE_READER_ROLES,
    handle: ({ engine, me }) =>
      engine.readIn(me.clientId, 'people manage their own feed', async (c) =>
        feedAnswer((await findFeed(c, me.userId))?.createdAt ?? null),
      ),
  },
  {
    method: 'POST',
    path: FEED_URL,
    title: 'Create the secret address of my calendar feed, and withdraw the former one',
    allow: EMPLOYEE_READER_ROLES,
    secret: true,
    handle: ({ engine, me, change }) =>
      engine.inTenant(me.clientId, change(), async (c) => {
        await c.lock(user, me.userId, 'values')
        await withdrawFeed(c)
        const { hash, secret } = createSecretLink(engine.config)
        const written = await c
          .withoutPermissionCheck('people create their own feed')
          .create(leaveFeed, { user: me.userId, hash, createdAt: c.now.toString() })
        const { id, createdAt } = await written.saved()
        const path = `${FEED_FILE_URL}/${me.clientId}-${id}-${secret}`
        return () => feedAnswer(createdAt, publicPageUrl(engine.config, path))
      }),
  },
  {
    method: 'DELETE',
    path: FEED_URL,
    title: 'Withdraw my calendar feed',
    allow: EMPLOYEE_READER_ROLES,
    handle: ({ engine, me, change }) =>
      engine.inTenant(me.clientId, change(), async (c) => {
        await withdrawFeed(c)
        return () => feedAnswer(null)
      }),
  },
  {
    method: 'GET',
    path: `${FEED_FILE_URL}/{token}`,
    title: 'Read a calendar feed',
    allow: 'anonymous',
    file: ['text/calendar'],
    refuses: [410],
    handle: async ({ engine, params, now }) => {
      const events = await readFeed(engine, params.token, now)
      return new RouteResponse(200, Buffer.from(formatCalendar(events, now)), {
        'content-type': 'text/calendar; charset=utf-8',
        'cache-control': 'private, no-store',
      })
    },
  },
]

/** Reads the events of a feed: the owner's own leave, and for colleagues only that they are busy. */
async function readFeed(
  engine: Engine,
  token: RouteContext['params'][string] | undefined,
  now: Instant,
): Promise<FeedEvent[]> {
  const { clientId, userId } = await openSecretLink(engine, token, 'open a calendar feed', async (c, link) => {
    const feed = await c.get(leaveFeed, link.id)
    if (!feed || !link.hasHash(feed.hash)) return undefined
    const owner = await c.get(user, feed.user)
    const isActive = (await findPackState(c, link.clientId, 'holidays')) === 'active'
    if (feed.withdrawnAt || !owner || owner.isRetired || !isActive)
      throw new Problem(410, 'This calendar feed no longer works.')
    return { clientId: link.clientId, userId: feed.user }
  })
  const today = londonDate(now).toString()
  return engine.db.tx({ clientId }, async (tx) => {
    const lanes = await readLanes(tx, { clientId, userId, isHr: false })
    const span = { from: addDays(today, -DAYS_BEFORE), until: addDays(today, DAYS_AHEAD) }
    const absences = await readAbsences(
      tx,
      clientId,
      span,
      lanes.map(({ employee }) => employee),
    )
    const byEmployee = new Map(lanes.map((lane) => [lane.employee, lane]))
    return absences.flatMap((absence, n) => {
      const lane = byEmployee.get(absence.employee)
      const isWaiting = absence.state === 'requested'
      if (!lane || (isWaiting && !lane.isMe)) return []
      const title = lane.isMe ? (isWaiting ? 'Leave, waiting for approval' : 'Absent') : `${lane.name}: busy`
      const id = `${clientId}-${absence.employee}-${absence.firstDay}-${absence.request ?? 's'}-${n}@leave`
      return [{ ...absence, id, title, isTentative: isWaiting }]
    })
  })
}
