import { READERS } from '#modules/documents/rights.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { prepare } from '#server/data/values.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import type { Person } from './people.server.ts'
import { PRESENTED } from './talk-info.ts'
import { attendee, namedForTalk } from './toolbox-talk.ts'

/** Notification: a listed attendee has not signed yet, or was absent and can sign late. */
export const talkNotice = notificationType({
  kind: 'talk.sign',
  label: 'Talks to sign as attendee',
  for: READERS,
  icon: 'checklist',
  of: namedForTalk,
  words: ({ absence, presented: { title, presenter } }) =>
    absence?.trim()
      ? `Read “${title}” and sign late: you were absent when ${presenter} presented it`
      : `Sign that you attended “${title}”, presented by ${presenter}`,
  path: ({ presented }) => `${PRESENTED}/${presented.id}`,
  waits: 'Safety',
  todo: 'to sign',
  mail: false,
})

/** True if the person has an account, was not absent and has not signed. */
const waits = ({ user, signedAt, absence }: Person) => Boolean(user) && !signedAt && !absence?.trim()

/** Notifies newly listed people who are to sign, except the author of the list. */
export async function tellNamed(c: Context, people: readonly Person[], former: readonly Person[] = []): Promise<void> {
  const known = new Map(former.flatMap((p) => (waits(p) ? [[p.id, p.user] as const] : [])))
  const told = people.filter((p) => waits(p) && p.user !== c.actor.userId && known.get(p.id) !== p.user)
  await notify(
    c,
    talkNotice,
    told.flatMap(({ id, user }) => (id && user ? [{ to: user, about: id }] : [])),
  )
}

/** Notifies them after a record was saved as a whole, once its rows have ids. */
export async function tellNamedIn(c: Context, record: number, former: readonly Person[]): Promise<void> {
  await c.work.flush()
  await tellNamed(c, await c.find(attendee, { presented: record }), former)
}

const CATCHING_UP = prepare(
  `SELECT a.id, a.user_id FROM talk_attendee a
   WHERE a.client_id = $1::int AND a.presented_id = $2::bigint AND a.user_id IS NOT NULL AND a.signed_at IS NULL AND talk_waits(a)`,
)

/** Notifies absent people once a record is closed, so that they can sign late. */
export async function tellAbsent(c: Context, record: number): Promise<void> {
  await c.work.flush()
  const waiting = (await c.work.tx.arrays(CATCHING_UP, [c.clientId, record])) as [number, number][]
  await notify(
    c,
    talkNotice,
    waiting.map(([about, to]) => ({ to, about })),
  )
}

export const ownTalks = listRoute(
  namedForTalk,
  `${attendee.url}/mine`,
  'List the records of talks in force for which the user is listed and has not signed, newest first: open ones, and closed ones for which the user was absent',
  ({ me, query }) => ({
    query: { 'order[id]': 'desc', ...query, user: String(me.userId), 'exists[signedAt]': 'false' },
    extra: [{ sql: () => 'talk_waits(t)' }],
  }),
  { allow: READERS },
)
