import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import { hashPassword, passwordProblems, verifyPassword } from '#server/auth/passwords.ts'
import type { Sessions } from '#server/auth/sessions.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'
import { putEvent } from '#server/engine/put-event.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { keepsUsers } from '../people/user.server.ts'
import { user } from '../people/user.ts'
import { clientNumber, typedText } from '../sessions/sign-in.server.ts'

const RESET_MINUTES = 60
const INVITE_DAYS = 7
const FORGOT =
  'If that account exists and has an e-mail address, a link to set a new password is on its way. It works once, for one hour.'
const digest = (token: string) => hash('sha256', token, 'base64url')

interface Person {
  client_id: number
  id: number
  username: string
  name: string
  email: string
}

/** A link that sets a password once, put into the person's e-mail. */
async function sendLink(engine: Engine, tx: Tx, p: Person, kind: 'reset' | 'invite', minutes: number): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await tx.rows('UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL', [
    p.client_id,
    p.id,
  ])
  await tx.rows(
    'INSERT INTO password_reset (hash, client_id, user_id, expires_at) VALUES ($1, $2, $3, now() + make_interval(mins => $4))',
    [digest(token), p.client_id, p.id, minutes],
  )
  const link = `${engine.config.publicUrl ?? `http://${engine.config.host}:${engine.config.port}`}/forgotten-my-password/${token}`
  const words =
    kind === 'reset'
      ? {
          subject: 'Set a new password',
          body: `Hello ${p.name},\n\nSomebody, we hope you, asked to set a new password for ${p.username}. This link works once, for one hour:\n\n${link}\n\nIf it was not you, do nothing: your password stays as it is.`,
        }
      : {
          subject: `Your sign-in for the ${engine.config.provider} portal`,
          body: `Hello ${p.name},\n\nAn account has been made for you. Your username is ${p.username}${p.client_id === PROVIDER ? '' : ` and your client number ${p.client_id}`}. Choose your password with this link, within a week:\n\n${link}`,
        }
  await putEvent(engine, tx, p.client_id, letter, { to: p.email, ...words, confidential: true, template: kind })
}

/** Stores a new password; throws 422 for one that is too weak. */
export async function setPassword(
  tx: Tx,
  p: { clientId: number; userId: number },
  password: unknown,
  about: readonly string[],
  { demo = false } = {},
): Promise<void> {
  const wrong = passwordProblems(password, about)
  if (wrong.length && !demo) throw problem.invalid(wrong)
  await tx.rows(
    `INSERT INTO credential (client_id, user_id, hash, demo) VALUES ($1, $2, $3, $4)
     ON CONFLICT (client_id, user_id) DO UPDATE SET hash = EXCLUDED.hash, demo = EXCLUDED.demo, changed_at = now()`,
    [p.clientId, p.userId, await hashPassword(typedText(password)), demo],
  )
}

const accountRecord = z.object({
  id: z.int(),
  client: z.object({ id: z.int() }),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  isRetired: z.boolean(),
})

/** Whose account the address names, within the asker's reach. */
async function accountOf(c: RouteContext): Promise<Person & { retired: boolean }> {
  const found = await c.engine.one(user, c.me, await c.engine.idOf(user, c.me, c.params.id))
  const { client, isRetired, ...person } = accountRecord.parse(found)
  return { ...person, client_id: client.id, retired: isRetired }
}

/** That a password was changed, by whom; never what it is. */
const trail = (tx: Tx, c: RouteContext, p: Person, by: { id: number; username: string }) =>
  tx.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, request_id) VALUES ($1, 'User', $2, 'password', '{}', $3, $4, $5)`,
    [p.client_id, p.id, by.id, by.username, c.request.id],
  )

/** Forgotten, reset, set and invite. */
export function passwordRoutes(sessions: Sessions): Route[] {
  const byToken = async (tx: Tx, token: string) =>
    (
      await tx.rows<Person & { until: string }>(
        `SELECT u.client_id, u.id, u.username, u.name, u.email, to_char(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS until
         FROM password_reset r JOIN user_account u ON u.client_id = r.client_id AND u.id = r.user_id
         WHERE r.hash = $1 AND r.used_at IS NULL AND r.expires_at > now() AND NOT u.is_retired FOR UPDATE OF r`,
        [digest(token)],
      )
    )[0]
  const GONE = 'This link has been used or is too old. Please ask for a new one.'

  return [
    {
      method: 'POST',
      path: '/api/security/password/forgot',
      title: 'Ask for a link to set a new password',
      allow: 'anonymous',
      handle: async (c) => {
        const username = typedText(c.body.username).trim()
        const client = clientNumber(c.body.client)
        if (!username) throw problem.invalid([violation('username', 'Field required, please enter text')])
        await c.engine.db.tx('system', async (tx) => {
          const keys = [`forgot:${username.toLowerCase()}`, `forgot-address:${c.request.address}`]
          const [n] = await tx.rows<{ name: number; address: number }>(
            `SELECT count(*) FILTER (WHERE key = $1)::int AS name, count(*) FILTER (WHERE key = $2)::int AS address FROM login_attempt WHERE key IN ($1, $2) AND at > now() - interval '1 hour'`,
            keys,
          )
          if ((n?.address ?? 0) >= 30) throw problem.tooMany(3600)
          await tx.rows('INSERT INTO login_attempt (key) SELECT unnest($1::text[])', [keys])
          if ((n?.name ?? 0) >= 5) return
          const people = await tx.rows<Person>(
            `SELECT client_id, id, username, name, email FROM user_account WHERE (lower(username) = lower($1) OR lower(email) = lower($1)) AND email <> '' AND NOT is_retired AND ($2::int IS NULL OR client_id = $2) LIMIT 5`,
            // What is no client's number is nobody's.
            [username, client === undefined ? null : Number.isNaN(client) ? -1 : client],
          )
          for (const p of people) await sendLink(c.engine, tx, p, 'reset', RESET_MINUTES)
        })
        c.engine.tell(new Set(['outbox']))
        return new RouteAnswer(202, { message: FORGOT })
      },
    },
    {
      method: 'GET',
      path: '/api/portal/password/reset/{token}',
      title: 'Is this link still good?',
      allow: 'anonymous',
      handle: async (c) => {
        const p = await c.engine.db.tx('system', (tx) => byToken(tx, c.params.token ?? ''))
        if (!p) throw problem.notFound(GONE)
        return { username: p.username, expiresAt: p.until }
      },
    },
    {
      method: 'POST',
      path: '/api/portal/password/reset/{token}',
      title: 'Set a new password by a link',
      allow: 'anonymous',
      secret: true,
      handle: async (c) => {
        const person = await c.engine.db.tx('system', async (tx) => {
          const p = await byToken(tx, c.params.token ?? '')
          if (!p) throw problem.notFound(GONE)
          await setPassword(tx, { clientId: p.client_id, userId: p.id }, c.body.password, [p.username, p.name])
          await tx.rows(
            'UPDATE password_reset SET used_at = now() WHERE client_id = $1 AND user_id = $2 AND used_at IS NULL',
            [p.client_id, p.id],
          )
          await tx.rows('DELETE FROM login_attempt WHERE key = $1', [`account:${p.username.toLowerCase()}`])
          await trail(tx, c, p, p)
          return p
        })
        await sessions.revokeAll(person.client_id, person.id)
        return new RouteAnswer(204)
      },
    },
    {
      method: 'PUT',
      path: '/api/portal/users/{id}/password',
      title: 'Set a password',
      allow: 'member',
      handle: async (c) => {
        if (c.me.original) throw problem.forbidden('A password is set by its owner, not by a visitor.')
        const p = await accountOf(c)
        const self = p.id === c.me.userId
        if (!self && !keepsUsers(c.me)) throw problem.forbidden()
        const at = { clientId: p.client_id, userId: p.id }
        await c.engine.db.tx('system', async (tx) => {
          if (self) {
            const [held] = await tx.rows<{ hash: string }>(
              'SELECT hash FROM credential WHERE client_id = $1 AND user_id = $2',
              [p.client_id, p.id],
            )
            if (!(await verifyPassword(held?.hash, typedText(c.body.current))))
              throw problem.invalid([violation('current', 'That is not your present password')])
          }
          await setPassword(tx, at, c.body.password, [p.username, p.name])
          await trail(tx, c, p, { id: c.me.userId, username: c.me.username })
        })
        await sessions.revokeAll(p.client_id, p.id, self ? c.request.token : undefined)
        return new RouteAnswer(204)
      },
    },
    {
      method: 'POST',
      path: '/api/portal/users/{id}/invite',
      title: 'Send a person the link to choose their password',
      allow: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'],
      handle: async (c) => {
        if (!keepsUsers(c.me)) throw problem.forbidden()
        const p = await accountOf(c)
        if (p.retired) throw problem.conflict('This person is retired. Bring them back first.')
        if (!p.email) throw problem.invalid([violation('email', 'This person has no e-mail address yet')])
        const answer = new RouteAnswer(204)
        await c.engine.db.tx('system', async (tx) => {
          await sendLink(c.engine, tx, p, 'invite', INVITE_DAYS * 24 * 60)
          await c.change().keep?.(tx, answer)
        })
        c.engine.tell(new Set(['outbox']))
        return answer
      },
    },
  ]
}
