import { problem, violation } from '#kernel/errors.ts'
import { countAttempts, forgetAttempts, noteAttempts } from '#server/auth/attempts.ts'
import { type Account, isPasswordOf, setPassword } from '#server/auth/credentials.ts'
import { requireProof } from '#server/auth/proof.ts'
import { endResetLinks, lockResetLink } from '#server/auth/reset-links.ts'
import { leaveTrace, type Traced } from '#server/data/trail.ts'
import type { Tx } from '#server/db/db.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { keepsUsers } from '../people/user.server.ts'
import { user } from '../people/user.ts'
import { clientNumber, typedText } from '../sessions/sign-in.server.ts'
import { type Addressee, sendLink } from './letters.server.ts'

/** How often a link may be asked for within an hour: for an account, and from an address. */
const PER_ACCOUNT = 5
const PER_ADDRESS = 30
const FORGOT =
  'If that account exists and has an e-mail address, a link to set a new password is on its way. It works once, for one hour.'
const GONE = 'This link has been used or is too old. Please ask for a new one.'

/** Whose account the address names, within the asker's reach. */
async function accountOf(c: RouteContext): Promise<Addressee & { readonly isRetired: boolean }> {
  const found = await c.engine.one(user, c.me, await c.engine.idOf(user, c.me, c.params.id))
  const { id, client, username, name, email, isRetired } = found
  if (!client) throw problem.notFound()
  return { userId: id, clientId: client.id, username, name, email, isRetired }
}

/** The accounts that somebody may mean who has forgotten their password; a client that is none has none. */
const findForgotten = (tx: Tx, name: string, clientId: number | undefined): Promise<Addressee[]> =>
  tx.rows<Addressee>(
    `SELECT client_id AS "clientId", id AS "userId", username, name, email FROM user_account
     WHERE (lower(username) = lower($1) OR lower(email) = lower($1)) AND email <> '' AND NOT is_retired AND ($2::int IS NULL OR client_id = $2) LIMIT 5`,
    [name, clientId === undefined ? null : Number.isNaN(clientId) ? -1 : clientId],
  )

/** Writes down that a password was changed, by whom; never what it is. */
const tellOfPassword = (tx: Tx, c: RouteContext, { clientId, userId }: Account, by: Traced): Promise<void> =>
  leaveTrace(tx, by, {
    clientId,
    type: user.type,
    rowId: userId,
    verb: 'password',
    changes: {},
    requestId: c.request.id,
  })

/** Forgotten, reset, set and invite. */
export const passwordRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/security/password/forgot',
    title: 'Ask for a link to set a new password',
    allow: 'anonymous',
    handle: async (c) => {
      const username = typedText(c.body.username).trim()
      if (!username) throw problem.invalid([violation('username', 'Field required, please enter text')])
      await c.engine.db.tx('system', async (tx) => {
        const keys = [`forgot:${username.toLowerCase()}`, `forgot-address:${c.request.address}`]
        const [account = 0, address = 0] = await countAttempts(tx, keys, 60)
        if (address >= PER_ADDRESS) throw problem.tooMany(3600)
        await noteAttempts(tx, keys)
        if (account >= PER_ACCOUNT) return
        for (const person of await findForgotten(tx, username, clientNumber(c.body.client)))
          await sendLink(c.engine, tx, person, 'reset')
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
      const owner = await c.engine.db.tx('system', (tx) => lockResetLink(tx, c.params.token ?? ''))
      if (!owner) throw problem.notFound(GONE)
      return { username: owner.username, expiresAt: owner.until }
    },
  },
  {
    method: 'POST',
    path: '/api/portal/password/reset/{token}',
    title: 'Set a new password by a link',
    allow: 'anonymous',
    secret: true,
    handle: async (c) => {
      const owner = await c.engine.db.tx('system', async (tx) => {
        const found = await lockResetLink(tx, c.params.token ?? '')
        if (!found) throw problem.notFound(GONE)
        await setPassword(tx, found, c.body.password, [found.username, found.name])
        await endResetLinks(tx, found)
        await forgetAttempts(tx, `account:${found.username.toLowerCase()}`)
        await tellOfPassword(tx, c, found, found)
        return found
      })
      await c.engine.sessions.revokeAll(owner.clientId, owner.userId)
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
      const account = await accountOf(c)
      const self = account.userId === c.me.userId
      if (!self && !keepsUsers(c.me)) throw problem.forbidden()
      if (!self) requireProof(c.me)
      await c.engine.db.tx('system', async (tx) => {
        if (self && !(await isPasswordOf(tx, account, typedText(c.body.current))))
          throw problem.invalid([violation('current', 'That is not your present password')])
        await setPassword(tx, account, c.body.password, [account.username, account.name])
        await tellOfPassword(tx, c, account, c.me)
      })
      await c.engine.sessions.revokeAll(account.clientId, account.userId, self ? c.request.token : undefined)
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
      requireProof(c.me)
      const account = await accountOf(c)
      if (account.isRetired) throw problem.conflict('This person is retired. Bring them back first.')
      if (!account.email) throw problem.invalid([violation('email', 'This person has no e-mail address yet')])
      const answer = new RouteAnswer(204)
      await c.engine.db.tx('system', async (tx) => {
        await sendLink(c.engine, tx, account, 'invite')
        await c.change().keep?.(tx, answer)
      })
      c.engine.tell(new Set(['outbox']))
      return answer
    },
  },
]
