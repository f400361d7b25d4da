import { Problem } from '#kernel/errors.ts'
import { packState } from '#kernel/packs.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { addDays, type Instant, londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { readActor } from '#server/auth/read-actor.ts'
import type { Tx } from '#server/db/db.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { createSecretLink, openSecretLink, publicPageUrl } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { readAbsences } from '../leave/absences.server.ts'
import { MINUTES_PER_DAY, minuteOfDayOf } from '../leave-rules/days.ts'
import type { RequestPart } from '../leave-rules/request-part.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { FEED_FILE_URL, FEED_URL, leaveFeed } from './feed.ts'
import { type FeedEvent, formatCalendar } from './ical.ts'
import { readLanes } from './lanes.server.ts'

const DAYS_BEFORE = 31
const DAYS_AHEAD = 366

/** Minute of the first day at which an absence starts. */
const startMinuteOf = ({ portion, from }: RequestPart): number =>
  portion === 'afternoon' ? MINUTES_PER_DAY / 2 : portion === 'hours' ? minuteOfDayOf(from ?? '00:00') : 0

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

/**
 * Returns whether the owner of a feed may read the calendar now, and could sign in ever since they created the feed: an
 * address that has ended stays closed if the account is restored.
 */
async function isFeedOpen(tx: Tx, clientId: number, feed: RowOf<typeof leaveFeed>): Promise<boolean> {
  if (feed.withdrawnAt) return false
  const owner = await readActor(tx, clientId, feed.user)
  if (!hasRole(owner, EMPLOYEE_READER_ROLES) || packState(owner, 'holidays') !== 'active') return false
  const retirements = await tx.rows(
    `SELECT 1 FROM audit WHERE client_id = $1 AND type = '${user.type}' AND row_id = $2 AND at >= $3::timestamptz
       AND changes -> 'isRetired' -> 1 = 'true' LIMIT 1`,
    [clientId, feed.user, feed.createdAt],
  )
  return retirements.length === 0
}

/** Reads the events of a feed: the owner's own leave, and for colleagues only that they are busy. */
async function readFeed(
  engine: Engine,
  token: RouteContext['params'][string] | undefined,
  now: Instant,
): Promise<FeedEvent[]> {
  const { clientId, feed } = await openSecretLink(engine, token, 'open a calendar feed', async (c, link) => {
    const found = await c.get(leaveFeed, link.id)
    return found && link.hasHash(found.hash) ? { clientId: link.clientId, feed: found } : undefined
  })
  if (!(await engine.db.tx('system', (tx) => isFeedOpen(tx, clientId, feed))))
    throw new Problem(410, 'This calendar feed no longer works.')
  const userId = feed.user
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
    const starts = new Map<string, number>()
    return absences.flatMap((absence) => {
      const lane = byEmployee.get(absence.employee)
      const isWaiting = absence.state === 'requested'
      if (!lane || (isWaiting && !lane.isMe)) return []
      const title = lane.isMe ? (isWaiting ? 'Leave, waiting for approval' : 'Absent') : `${lane.name}: busy`
      // The same for leave and sickness, and while the absence lasts.
      const start = `${clientId}-${absence.employee}-${absence.firstDay}-${startMinuteOf(absence)}`
      const earlier = starts.get(start) ?? 0
      starts.set(start, earlier + 1)
      const id = `${start}-${earlier}@leave`
      return [{ ...absence, id, title, isTentative: isWaiting }]
    })
  })
}
