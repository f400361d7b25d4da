import { problem } from '#kernel/errors.ts'
import { flag, integer } from '#kernel/fields.ts'
import type { Actor } from '#kernel/roles.ts'
import { firstOf } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { schedule } from '#server/engine/schedule.ts'
import { wholeList } from '#server/http/list-route.ts'
import { sendDigests } from './digest.server.ts'
import { readInbox, readInboxSummary } from './inbox.server.ts'
import { eventStreamsOf } from './live.server.ts'
import { INBOX_PATH, INBOX_SUMMARY_PATH, NOTIFICATION_SETTINGS_PATH, notice, READ_ALL_PATH } from './notice.ts'
import { readNotificationSettings } from './settings.server.ts'

/** Throws 403 during impersonation: only the user marks their own notifications. */
function assertNotImpersonating({ original }: Pick<Actor, 'original'>): void {
  if (original)
    throw problem.forbidden(
      'You can’t mark notifications as read or unread while you work as somebody else.',
      'in_person',
    )
}

const noticeBehaviour = behaviour(notice, {
  actions: {
    markRead: ({ actor, row, now }) => {
      assertNotImpersonating(actor)
      return row.readAt === null ? { set: { readAt: now.toString() } } : {}
    },
    markUnread: ({ actor, row }) => {
      assertNotImpersonating(actor)
      return row.readAt === null ? {} : { set: { readAt: null } }
    },
  },
})

/** Days a notification is retained: once read with nothing left to do, and at most. */
const DAYS = { read: 30, all: 400 }

/** Deletes old notifications. Open tasks are counted as long as they are open. */
const notificationCleanupSchedule = schedule({
  name: 'notices.tidy',
  every: { daily: '03:45' },
  run: async (engine) => {
    const waits = [...registryOf(engine).notifications.values()].filter((kind) => kind.waits).map(({ kind }) => kind)
    await engine.db.tx('system', (tx) =>
      tx.rows(
        `DELETE FROM notice WHERE since < portal_now() - make_interval(days => $2)
           OR (read_at < portal_now() - make_interval(days => $3) AND (ended_at IS NOT NULL OR kind <> ALL ($1::text[])))`,
        [waits, DAYS.all, DAYS.read],
      ),
    )
  },
})

const EVENTS = 'text/event-stream'

const inbox: Route = {
  method: 'GET',
  path: INBOX_PATH,
  title: 'List the notifications of the current user, newest first, for records they may read',
  allow: 'member',
  listOf: 'objects',
  query: { unread: flag({ help: 'True returns only unread ones.' }), page: integer({ help: 'From 1.' }) },
  handle: async ({ engine, me, query }) => {
    const unread = firstOf(query.unread) === 'true'
    const page = Math.min(Math.max(1, Math.trunc(Number(firstOf(query.page))) || 1), 1000)
    const { entries, more } = await readInbox(engine, me, { unread, page })
    const next = `${INBOX_PATH}?${unread ? 'unread=true&' : ''}page=${page + 1}`
    const { 'hydra:totalItems': _, ...list } = wholeList(entries)
    return {
      ...list,
      ...(more
        ? { 'hydra:view': { '@id': INBOX_PATH, '@type': 'hydra:PartialCollectionView', 'hydra:next': next } }
        : {}),
    }
  },
}

const summary: Route = {
  method: 'GET',
  path: INBOX_SUMMARY_PATH,
  title: `Count unread notifications, and open tasks by area; as ${EVENTS} also after each change`,
  allow: 'member',
  file: [EVENTS],
  refuses: [429],
  handle: async ({ engine, me, request }) => {
    const accepts = String(request.headers.accept ?? '')
    if (!accepts.includes(EVENTS)) return { ...(await readInboxSummary(engine, me)) }
    assertNotImpersonating(me)
    return new RouteAnswer(200, eventStreamsOf(engine).open(me, request.token as string), {
      'content-type': EVENTS,
      'cache-control': 'no-store, no-transform',
      // Stops proxies from buffering the stream.
      'x-accel-buffering': 'no',
    })
  },
}

const readAll: Route = {
  method: 'POST',
  path: READ_ALL_PATH,
  title: 'Mark all notifications of the current user as read',
  allow: 'member',
  handle: ({ engine, me, change }) => {
    assertNotImpersonating(me)
    return engine.inTenant(me.clientId, change(), async ({ work }) => {
      const rows = await work.tx.rows(
        'UPDATE notice SET read_at = portal_now() WHERE client_id = $1 AND user_id = $2 AND read_at IS NULL RETURNING 1',
        [me.clientId, me.userId],
      )
      work.touched.add('notice')
      return () => ({ read: rows.length })
    })
  },
}

const settingOf = (kind: string) => `${NOTIFICATION_SETTINGS_PATH}/${kind}`

const settings: Route = {
  method: 'GET',
  path: NOTIFICATION_SETTINGS_PATH,
  title: 'List the notification settings of the current user',
  allow: 'member',
  listOf: 'objects',
  handle: async ({ engine, me }) =>
    wholeList(
      (await readNotificationSettings(engine, me)).map(({ kind: { kind, label, icon }, bell, mail }) => ({
        '@id': settingOf(kind),
        kind,
        label,
        icon,
        bell,
        mail,
      })),
    ),
}

const changeSetting = routeWith(
  { bell: flag({ label: 'Bell' }), mail: flag({ label: 'Daily e-mail' }) },
  {
    method: 'PUT',
    path: settingOf('{kind}'),
    title: 'Change the notification setting for a type',
    allow: 'member',
    handle: async ({ engine, me, params: { kind = '' }, input: { bell, mail }, change }) => {
      assertNotImpersonating(me)
      if (!registryOf(engine).notifications.has(kind)) throw problem.notFound()
      return engine.inTenant(me.clientId, change(), async ({ work }) => {
        await work.tx.rows(
          `INSERT INTO notice_setting (client_id, user_id, kind, bell, mail) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (client_id, user_id, kind) DO UPDATE SET bell = $4, mail = $5`,
          [me.clientId, me.userId, kind, bell, mail],
        )
        // The count may have changed.
        await work.tx.rows("SELECT pg_notify('notice', $1)", [`${me.clientId} ${me.userId}`])
        return () => ({ '@id': settingOf(kind), kind, bell, mail })
      })
    },
  },
)

const notificationRoutes: readonly Route[] = [inbox, summary, readAll, settings, changeSetting]

export const notices = feature({
  resources: [notice],
  behaviours: [noticeBehaviour],
  routes: notificationRoutes,
  schedules: [sendDigests, notificationCleanupSchedule],
})
