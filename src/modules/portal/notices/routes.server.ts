import { problem } from '#kernel/errors.ts'
import { flag, integer } from '#kernel/fields.ts'
import type { Actor } from '#kernel/roles.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { composeEmail, defineEmail } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { readActor } from '#server/auth/read-actor.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { emailRequested } from '../mail/letter.ts'
import {
  getEventStreams,
  type InboxEntry,
  listNotificationRows,
  notificationTypeCondition,
  readInbox,
  readInboxSummary,
  renderInboxEntries,
} from './live.server.ts'
import { INBOX_PATH, INBOX_SUMMARY_PATH, MARK_ALL_READ_PATH, NOTIFICATION_SETTINGS_PATH, notice } from './notice.ts'
import { readNotificationSettings } from './notify.server.ts'

const DIGEST_PURPOSE = 'notices.digest'
const PAGE = 500
/** Maximum number of notifications listed in an e-mail; further ones are only counted. */
const MAX_LISTED_NOTICES = 20

interface Reader {
  readonly client: number
  readonly user: number
  readonly email: string
}

/**
 * Each morning, sends one e-mail to every user who has unread notifications of the types chosen for e-mail. Each
 * notification is e-mailed only once.
 */
const sendDigests = schedule({
  name: DIGEST_PURPOSE,
  every: { daily: '07:30' },
  run: async (engine) => {
    const failed: Error[] = []
    for (let after = { client: -1, user: 0 }; ; ) {
      const page = await findReaders(engine, after)
      for (const reader of page) await writeTo(engine, reader).catch((e: Error) => failed.push(e))
      const last = page.at(-1)
      if (!last || page.length < PAGE) break
      after = last
    }
    if (failed[0])
      throw new Error(
        `Daily e-mails that could not be sent: ${failed.length}. The first error was: ${failed[0].message}`,
        { cause: failed[0] },
      )
  },
})

/**
 * Finds users with unsent unread notifications and a confirmed e-mail address. An address is treated as confirmed once
 * its user has signed in.
 */
const findReaders = (engine: Engine, after: { client: number; user: number }): Promise<Reader[]> =>
  engine.db.tx('system', (tx) =>
    tx.rows<Reader>(
      `SELECT u.client_id AS client, u.id AS user, u.email FROM user_account u
       WHERE (u.client_id, u.id) > ($1::int, $2::bigint) AND NOT u.is_retired AND u.last_login_at IS NOT NULL AND u.email LIKE '%@%'
         AND EXISTS (SELECT FROM notice n WHERE n.client_id = u.client_id AND n.user_id = u.id AND n.read_at IS NULL AND n.mailed_at IS NULL)
       ORDER BY u.client_id, u.id LIMIT ${PAGE}`,
      [after.client, after.user],
    ),
  )

async function writeTo(engine: Engine, { client, user, email }: Reader): Promise<void> {
  const person = await engine.db.tx('system', (tx) => readActor(tx, client, user))
  if (!person) return
  const kinds = (await readNotificationSettings(engine, person)).filter(({ mail }) => mail).map(({ kind }) => kind)
  if (!kinds.length) return
  const isNew = { sql: () => 't.read_at IS NULL AND t.mailed_at IS NULL' }
  const rows = await listNotificationRows(engine, person, [notificationTypeCondition(kinds), isNew], {
    offset: 0,
    limit: 100,
  })
  const entries = await renderInboxEntries(engine, person, kinds, rows)
  if (!entries.length) return
  await engine.inTenant(
    client,
    { actor: createSystemActor(client, DIGEST_PURPOSE), requestId: `${DIGEST_PURPOSE} ${user}` },
    async (c) => {
      const fresh = await c.work.tx.rows<{ id: number }>(
        'UPDATE notice SET mailed_at = portal_now() WHERE client_id = $1 AND id = ANY($2::bigint[]) AND mailed_at IS NULL AND read_at IS NULL RETURNING id',
        [client, entries.map(({ id }) => id)],
      )
      const told = entries.filter(({ id }) => fresh.some((one) => one.id === id))
      if (told.length)
        await c.emit(emailRequested, {
          to: email,
          ...composeEmail(digestEmail, { entries: told, publicUrl: engine.config.publicUrl }),
        })
      return () => undefined
    },
  )
}

interface DigestFacts {
  readonly entries: readonly Pick<InboxEntry, 'words' | 'path'>[]
  readonly publicUrl: string | undefined
}

const digestEmail = defineEmail<DigestFacts>({
  name: DIGEST_PURPOSE,
  title: 'Daily e-mail with unread notifications',
  subject: ({ entries: { length } }) => (length === 1 ? '1 new notification' : `${length} new notifications`),
  paragraphs: ({ entries, publicUrl }) => [
    ...entries
      .slice(0, MAX_LISTED_NOTICES)
      .map(({ words, path }) => `${preventAutolinking(words)}${publicUrl ? `\n${publicUrl}${path}` : ''}`),
    entries.length > MAX_LISTED_NOTICES && `And ${entries.length - MAX_LISTED_NOTICES} more.`,
    `You can choose under “My notifications” which notifications you get by e-mail.${publicUrl ? `\n${publicUrl}/profile/notices` : ''}`,
  ],
  sample: {
    entries: [{ words: 'Corrective action CA-00012, due 20/03/2026: Replace the guard rail', path: '/actions/12' }],
    publicUrl: 'https://portal.example',
  },
})

/** Throws 403 during impersonation. Only users themselves may mark their notifications as read or unread. */
function assertNotImpersonating({ original }: Pick<Actor, 'original'>): void {
  if (original)
    throw problem.forbidden(
      'You can’t mark notifications as read or unread while you work as another user.',
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

/**
 * Days for which a notification is retained: at most `all`, or `read` days after it was read if nothing is left to do.
 */
const DAYS = { read: 30, all: 400 }

/**
 * Schedule that deletes old notifications. Notifications of open tasks are retained for the maximum time even if they
 * have been read, because they are still counted.
 */
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
  title: 'List the current user’s notifications, newest first, for records the user may read',
  allow: 'member',
  listOf: 'objects',
  query: { unread: flag({ help: 'If true, returns only unread notifications.' }), page: integer({ help: 'From 1.' }) },
  handle: async ({ engine, me, query }) => {
    const unread = firstQueryValue(query.unread) === 'true'
    const page = Math.min(Math.max(1, Math.trunc(Number(firstQueryValue(query.page))) || 1), 1000)
    const { entries, more } = await readInbox(engine, me, { unread, page })
    const next = `${INBOX_PATH}?${unread ? 'unread=true&' : ''}page=${page + 1}`
    const { 'hydra:totalItems': _, ...list } = hydraCollection(entries)
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
  title: `Count unread notifications, and open tasks by area. As ${EVENTS}, the counts are sent again after each change`,
  allow: 'member',
  file: [EVENTS],
  refuses: [429],
  handle: async ({ engine, me, request }) => {
    const accepts = String(request.headers.accept ?? '')
    if (!accepts.includes(EVENTS)) return { ...(await readInboxSummary(engine, me)) }
    if (me.original)
      throw problem.forbidden(
        'Notifications aren’t streamed while you work as another user. Request their counts as JSON.',
        'in_person',
      )
    return new RouteResponse(200, getEventStreams(engine).open(me, request.token as string), {
      'content-type': EVENTS,
      'cache-control': 'no-store, no-transform',
      // Stops proxies from buffering the stream.
      'x-accel-buffering': 'no',
    })
  },
}

const readAll: Route = {
  method: 'POST',
  path: MARK_ALL_READ_PATH,
  title: 'Mark all the current user’s notifications as read',
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
  title: 'List the current user’s notification settings',
  allow: 'member',
  listOf: 'objects',
  handle: async ({ engine, me }) =>
    hydraCollection(
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

const changeSetting = routeWithInput(
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
        // Notifies the user's streams, because the count may have changed.
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
  emails: [digestEmail],
})
