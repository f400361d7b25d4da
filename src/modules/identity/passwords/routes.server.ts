import { problem, violation } from '#kernel/errors.ts'
import { takeAccountLetters } from '#modules/portal/mail/allowance.server.ts'
import { letter } from '#modules/portal/mail/letter.ts'
import { countTry, forgetTries, type Pace } from '#server/auth/attempts.ts'
import { checkOwnPassword } from '#server/auth/check-password.ts'
import { type Account, type Checked, lockAccount, lockChecked, setPassword } from '#server/auth/credentials.ts'
import { lookAgain } from '#server/auth/look-again.ts'
import { requireProof } from '#server/auth/proof.ts'
import { lockResetLink } from '#server/auth/reset-links.ts'
import { endWaysIn } from '#server/auth/ways-in.ts'
import { type AuditActor, writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import type { Tx } from '#server/db/db.ts'
import { feature } from '#server/engine/module.ts'
import { putEvent } from '#server/engine/put-event.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { accountOf } from '../people/account.server.ts'
import { passwordLetter } from '../people/told.server.ts'
import { keepsUsers } from '../people/user.server.ts'
import { user } from '../people/user.ts'
import { typedText } from '../sessions/sign-in.server.ts'
import { forgottenRoute, lettersTo, sendForgotten } from './forgotten.server.ts'
import { passwordLink, sendLink } from './letters.server.ts'

/** Limit of passwords set without a link, per account and per person. */
const SETTING: Pace = { free: 10, most: 10, minutes: 60 }
const GONE = 'This link has been used or has expired. Please request a new one.'

/** Checks the current password typed by its owner; throws 422 if it is wrong. */
async function checkPresent(c: RouteContext, account: Account): Promise<Checked> {
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
  forgottenRoute,
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
        await endWaysIn(tx, found, 'password')
        await forgetTries(tx, [lettersTo(found)])
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
      const account = await accountOf(c)
      const self = account.userId === c.me.userId
      if (!self && !keepsUsers(c.me)) throw problem.forbidden()
      // One's own current password is sufficient proof, unless there is a second factor.
      if (!self || c.me.proof?.kind === 'factor') requireProof(c.me)
      const checked = self ? await checkPresent(c, account) : undefined
      await c.engine.db.tx('system', async (tx) => {
        await (checked ? lockChecked(tx, checked) : lockAccount(tx, account))
        const now = await lookAgain(tx, c.engine.config, c.me)
        if (!self && !keepsUsers(now)) throw problem.forbidden()
        if (!self || now.proof?.kind === 'factor') requireProof(now)
        await countTry(tx, [
          { key: `set-password:${account.clientId}.${account.userId}`, pace: SETTING },
          { key: `set-password-by:${c.me.clientId}.${c.me.userId}`, pace: SETTING },
        ])
        await setPassword(tx, account, c.body.password, [
          account.username,
          account.name,
          account.company,
          c.engine.config.provider,
        ])
        await endWaysIn(tx, account, 'password', self ? c.me.session?.id : undefined)
        await tellOfPassword(tx, c, account, c.me)
        if (!self && account.email)
          await putEvent(c.engine, tx, account.clientId, letter, passwordLetter(account, c.me.name))
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
      if (!keepsUsers(c.me)) throw problem.forbidden()
      if (c.me.original)
        throw problem.forbidden('Users are invited by their own administrators. Stop working as somebody else first.')
      requireProof(c.me)
      const account = await accountOf(c)
      if (account.isRetired) throw problem.conflict('This user is retired. Restore them first.')
      if (!account.email) throw problem.invalid([violation('email', 'This user has no e-mail address yet')])
      const answer = new RouteAnswer(204)
      await c.engine.db.tx('system', async (tx) => {
        const now = await lookAgain(tx, c.engine.config, c.me)
        if (!keepsUsers(now)) throw problem.forbidden()
        requireProof(now)
        await takeAccountLetters(tx, c.me, account.clientId, c.now, 1)
        await sendLink(c.engine, tx, account, 'invite')
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
  handlers: [sendForgotten],
  links: [passwordLink],
  commands: [
    {
      name: 'user create',
      help: `  user create --username NAME --client 0 --roles ROLE_STAFF,… [--name "…"] [--email …] [--password …]
                              without --password it is prompted for, or read from standard input`,
      load: () => import('./create-user.server.ts'),
    },
  ],
})
