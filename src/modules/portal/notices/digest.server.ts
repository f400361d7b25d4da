import { systemActor } from '#kernel/roles.ts'
import { breakLinksInText } from '#kernel/text/letter-words.ts'
import { readActor } from '#server/auth/person.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { emailRequested } from '../mail/letter.ts'
import { type InboxEntry, listNotificationRows, notificationTypeCondition, renderInboxEntries } from './inbox.server.ts'
import { readNotificationSettings } from './settings.server.ts'

const WHY = 'notices.digest'
const PAGE = 500
/** Maximum notifications listed in an e-mail; the rest are counted. */
const SHOWN = 20

interface Reader {
  readonly client: number
  readonly user: number
  readonly email: string
}

/**
 * Each morning sends one e-mail to every user with unread notifications of the types they want by e-mail. Each
 * notification is sent once.
 */
export const sendDigests = schedule({
  name: WHY,
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
    if (failed[0]) throw new Error(`${failed.length} could not be e-mailed; ${failed[0].message}`, { cause: failed[0] })
  },
})

/** Users with their own address, confirmed by having signed in. */
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
  await engine.inTenant(client, { actor: systemActor(client, WHY), requestId: `${WHY} ${user}` }, async (c) => {
    const fresh = await c.work.tx.rows<{ id: number }>(
      'UPDATE notice SET mailed_at = portal_now() WHERE client_id = $1 AND id = ANY($2::bigint[]) AND mailed_at IS NULL AND read_at IS NULL RETURNING id',
      [client, entries.map(({ id }) => id)],
    )
    const told = entries.filter(({ id }) => fresh.some((one) => one.id === id))
    if (told.length)
      await c.emit(emailRequested, { to: email, ...wordsOf(told, engine.config.publicUrl), template: WHY })
    return () => undefined
  })
}

function wordsOf(told: readonly InboxEntry[], publicUrl: string | undefined): { subject: string; body: string } {
  const lines = told
    .slice(0, SHOWN)
    .map(({ words, path }) => `${breakLinksInText(words)}${publicUrl ? `\n${publicUrl}${path}` : ''}`)
  const more = told.length > SHOWN ? [`And ${told.length - SHOWN} more.`] : []
  const settings = publicUrl ? `\n${publicUrl}/profile` : ''
  return {
    subject: told.length === 1 ? '1 new notification' : `${told.length} new notifications`,
    body: [...lines, ...more, `You can choose the notifications you get by e-mail on your profile.${settings}`].join(
      '\n\n',
    ),
  }
}
