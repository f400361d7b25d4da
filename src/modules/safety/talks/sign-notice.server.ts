import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { prepare } from '#server/data/values.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import type { AttendeeDraft } from './people.server.ts'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import { attendeeWithTalk, talkAttendee } from './toolbox-talk.ts'

/** Notification: a listed attendee has not signed yet, or was absent and can sign late. */
export const talkSignNotice = notificationType({
  kind: 'talk.sign',
  label: 'Talks to sign as attendee',
  for: DOCUMENT_READERS,
  icon: 'checklist',
  of: attendeeWithTalk,
  words: ({ absence, presented: { title, presenter } }) =>
    absence?.trim()
      ? `Read “${title}” and sign late: you were absent when ${presenter} presented it`
      : `Sign that you attended “${title}”, presented by ${presenter}`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  waits: 'Safety',
  todo: 'to sign',
  mail: false,
})

/** True if the person has an account, was not absent and has not signed. */
const waits = ({ user, signedAt, absence }: AttendeeDraft) => Boolean(user) && !signedAt && !absence?.trim()

/** Notifies newly listed people who are to sign, except the author of the list. */
export async function notifyListedAttendees(
  c: Context,
  people: readonly AttendeeDraft[],
  former: readonly AttendeeDraft[] = [],
): Promise<void> {
  const known = new Map(former.flatMap((p) => (waits(p) ? [[p.id, p.user] as const] : [])))
  const told = people.filter((p) => waits(p) && p.user !== c.actor.userId && known.get(p.id) !== p.user)
  await notifyUsers(
    c,
    talkSignNotice,
    told.flatMap(({ id, user }) => (id && user ? [{ to: user, about: id }] : [])),
  )
}

/** Notifies them after a record was saved as a whole, once its rows have ids. */
export async function notifyAttendeesOfRecord(
  c: Context,
  record: number,
  former: readonly AttendeeDraft[],
): Promise<void> {
  await c.work.flush()
  await notifyListedAttendees(c, await c.find(talkAttendee, { presented: record }), former)
}

const CATCHING_UP = prepare(
  `SELECT a.id, a.user_id FROM talk_attendee a
   WHERE a.client_id = $1::int AND a.presented_id = $2::bigint AND a.user_id IS NOT NULL AND a.signed_at IS NULL AND talk_waits(a)`,
)

/** Notifies absent people once a record is closed, so that they can sign late. */
export async function notifyAbsentees(c: Context, record: number): Promise<void> {
  await c.work.flush()
  const waiting = (await c.work.tx.arrays(CATCHING_UP, [c.clientId, record])) as [number, number][]
  await notifyUsers(
    c,
    talkSignNotice,
    waiting.map(([about, to]) => ({ to, about })),
  )
}

export const ownTalksToSignRoute = listRoute(
  attendeeWithTalk,
  `${talkAttendee.url}/mine`,
  'List the records of talks in force for which the user is listed and has not signed, newest first: open ones, and closed ones for which the user was absent',
  ({ me, query }) => ({
    query: { 'order[id]': 'desc', ...query, user: String(me.userId), 'exists[signedAt]': 'false' },
    extra: [{ sql: () => 'talk_waits(t)' }],
  }),
  { allow: DOCUMENT_READERS },
)
