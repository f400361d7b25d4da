import { problem, violation } from '#kernel/errors.ts'
import { takeAccountEmailAllowance } from '#modules/portal/mail/allowance.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { type AttemptLimit, clearAttempts, countAttempt } from '#server/auth/attempts.ts'
import { checkOwnPassword } from '#server/auth/check-password.ts'
import {
  type Account,
  type CheckedAccount,
  lockAccount,
  lockCheckedAccount,
  setPassword,
} from '#server/auth/credentials.ts'
import { reloadActor } from '#server/auth/look-again.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { lockResetLink } from '#server/auth/reset-links.ts'
import { revokeFormerAccess } from '#server/auth/ways-in.ts'
import { type AuditActor, writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import type { Tx } from '#server/db/db.ts'
import { feature } from '#server/engine/module.ts'
import { putEvent } from '#server/engine/put-event.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { findRequestedAccount } from '../people/account.server.ts'
import { passwordChangedEmail } from '../people/told.server.ts'
import { managesUsers } from '../people/user.server.ts'
import { user } from '../people/user.ts'
import { typedText } from '../sessions/sign-in.server.ts'
import { forgottenPasswordRoute, passwordEmailsKey, sendResetLinks } from './forgotten.server.ts'
import { passwordLink, sendPasswordLink } from './letters.server.ts'

/** Limit of passwords set without a link, per account and per person. */
const SETTING: AttemptLimit = { free: 10, most: 10, minutes: 60 }
const GONE = 'This link has been used or has expired. Please request a new one.'

/** Checks the current password typed by its owner; throws 422 if it is wrong. */
async function checkPresent(c: RouteContext, account: Account): Promise<CheckedAccount> {
  const checked = await checkOwnPassword(c.engine.db, account, typedText(c.body.current), c.me.session?.id)
  if (checked) return checked
  c.engine.security.note('sign-in-failed', c.me, c.request, 'current password')
  throw problem.invalid([violation('current', 'This is not your current password')])
}

/** Records in the audit trail that a password was changed, and by whom; never the password. */
const tellOfPassword = (tx: Tx, c: RouteContext, { clientId, userId }: Account, by: AuditActor): Promise<void> =>
  writeAuditTrace(tx, by, {
    clientId,
    type: user.type,
    rowId: userId,
    verb: 'password',
    changes: {},
    requestId: c.request.id,
  })

/** Routes to request, reset, set and invite. */
const passwordRoutes: readonly Route[] = [
  forgottenPasswordRoute,
  {
    method: 'GET',
    path: '/api/portal/password/reset/{token}',
    title: 'Check whether a link is still valid',
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
    title: 'Set a new password with a link',
    allow: 'anonymous',
    secret: true,
    handle: async (c) => {
      const owner = await c.engine.db.tx('system', async (tx) => {
        const found = await lockResetLink(tx, c.params.token ?? '')
        if (!found) throw problem.notFound(GONE)
        await setPassword(tx, found, c.body.password, [
          found.username,
          found.name,
          found.company,
          c.engine.config.provider,
        ])
        await revokeFormerAccess(tx, found, 'password')
        await clearAttempts(tx, [passwordEmailsKey(found)])
        await tellOfPassword(tx, c, found, found)
        return found
      })
      c.engine.security.note('password', owner, c.request, 'by a link')
      c.engine.sessions.forgetPerson(owner)
      return new RouteAnswer(204)
    },
  },
  {
    method: 'PUT',
    path: '/api/portal/users/{id}/password',
    title: 'Set a password',
    allow: 'member',
    handle: async (c) => {
      if (c.me.original)
        throw problem.forbidden('Only its owner can set a password. Stop working as somebody else first.')
      const account = await findRequestedAccount(c)
      const self = account.userId === c.me.userId
      if (!self && !managesUsers(c.me)) throw problem.forbidden()
      // One's own current password is sufficient proof, unless there is a second factor.
      if (!self || c.me.proof?.kind === 'factor') requireAccessProof(c.me)
      const checked = self ? await checkPresent(c, account) : undefined
      await c.engine.db.tx('system', async (tx) => {
        await (checked ? lockCheckedAccount(tx, checked) : lockAccount(tx, account))
        const now = await reloadActor(tx, c.engine.config, c.me)
        if (!self && !managesUsers(now)) throw problem.forbidden()
        if (!self || now.proof?.kind === 'factor') requireAccessProof(now)
        await countAttempt(tx, [
          { key: `set-password:${account.clientId}.${account.userId}`, pace: SETTING },
          { key: `set-password-by:${c.me.clientId}.${c.me.userId}`, pace: SETTING },
        ])
        await setPassword(tx, account, c.body.password, [
          account.username,
          account.name,
          account.company,
          c.engine.config.provider,
        ])
        await revokeFormerAccess(tx, account, 'password', self ? c.me.session?.id : undefined)
        await tellOfPassword(tx, c, account, c.me)
        if (!self && account.email)
          await putEvent(c.engine, tx, account.clientId, emailRequested, passwordChangedEmail(account, c.me.name))
      })
      c.engine.notifyCommit(new Set(['outbox']))
      c.engine.security.note('password', { ...c.me, clientId: account.clientId }, c.request, `of ${account.username}`)
      c.engine.sessions.forgetPerson(account, self ? c.me.session?.id : undefined)
      return new RouteAnswer(204)
    },
  },
  {
    method: 'POST',
    path: '/api/portal/users/{id}/invite',
    title: 'Send a user the link to choose a password',
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'],
    handle: async (c) => {
      if (!managesUsers(c.me)) throw problem.forbidden()
      if (c.me.original)
        throw problem.forbidden('Users are invited by their own administrators. Stop working as somebody else first.')
      requireAccessProof(c.me)
      const account = await findRequestedAccount(c)
      if (account.isRetired) throw problem.conflict('This user is retired. Restore them first.')
      if (!account.email) throw problem.invalid([violation('email', 'This user has no e-mail address yet')])
      const answer = new RouteAnswer(204)
      await c.engine.db.tx('system', async (tx) => {
        const now = await reloadActor(tx, c.engine.config, c.me)
        if (!managesUsers(now)) throw problem.forbidden()
        requireAccessProof(now)
        await takeAccountEmailAllowance(tx, c.me, account.clientId, c.now, 1)
        await sendPasswordLink(c.engine, tx, account, 'invite')
        await c.change().keep?.(tx, answer)
      })
      c.engine.notifyCommit(new Set(['outbox']))
      c.engine.security.note('password-link', c.me, c.request, `to ${account.username}, as an invitation`)
      return answer
    },
  },
]

export const passwords = feature({
  routes: passwordRoutes,
  handlers: [sendResetLinks],
  links: [passwordLink],
  commands: [
    {
      name: 'user create',
      help: `  user create --username NAME --client 0 --roles ROLE_STAFF,… [--name "…"] [--email …] [--password …]
                              without --password it is prompted for, or read from standard input`,
      load: async () => (await import('./create-user.server.ts')).runCreateUser,
    },
  ],
})
