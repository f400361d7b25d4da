import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { composeEmail } from '#kernel/system-email.ts'
import { isEmail, normaliseEmail } from '#kernel/validate.ts'
import { consumeAccountEmailAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { findAccountsByUsernameOrEmail } from '#server/auth/accounts.ts'
import {
  type AttemptLimit,
  AttemptTooEarlyProblem,
  clearAttempts,
  countAttempt,
  networkForAddress,
} from '#server/auth/attempts.ts'
import { verifyOwnPassword } from '#server/auth/check-password.ts'
import {
  type Account,
  type CheckedAccount,
  lockAccount,
  lockCheckedAccount,
  lockPasswordLink,
  readTemporaryPasswordHash,
  requireLinkOwner,
  revokeAccessAfterCredentialChange,
  setPassword,
} from '#server/auth/credentials.ts'
import { verifyPassword } from '#server/auth/passwords.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { reloadActor } from '#server/auth/read-actor.ts'
import { type AuditActor, writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import type { Tx } from '#server/db/db.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'
import { isOnlyUser, passwordChangedEmail, passwordChosenEmail } from '../people/account-changes.server.ts'
import { canManageUsers, findRequestedAccount } from '../people/accounts.server.ts'
import { isUsername } from '../people/user.server.ts'
import { USER_MANAGER_ROLES, user } from '../people/user.ts'
import { parseClientNumber, textOrEmpty } from '../sessions/second-step-routes.server.ts'
import { passwordLink, passwordLinkEmails, sendPasswordLink } from './first-login.server.ts'

/** Limit on reset requests from one network, for all accounts together. */
const FROM_NETWORK: AttemptLimit = { free: 30, most: 30, minutes: 60 }
/** Limit on reset e-mails to one account. The link in each e-mail is valid for an hour. */
const TO_ACCOUNT: AttemptLimit = { free: 5, most: 5, minutes: 60 }
/** Maximum length of an e-mail address, in characters. */
const MAX_ADDRESS_LENGTH = 254
const SENT =
  'If that account exists and has an e-mail address, we have sent a link to set a new password. It works once, for one hour.'
const NO_MAIL_SERVER_MESSAGE =
  'No mail server is set up, so no link can be sent. Please ask your administrator to set a password for you.'

/**
 * Event: a password reset was requested. Contains the typed text, and the request's origin for the security log. The
 * text is blank if it can be neither a username nor an e-mail address.
 */
const forgotten = defineEvent({
  kind: 'password.forgotten',
  version: 1,
  payload: z.object({
    username: z.string(),
    client: z.number().nullable(),
    from: z.object({ id: z.string(), address: z.string(), agent: z.string() }).optional(),
  }),
})

/** Returns the rate-limit key for an account's reset e-mails. The count is reset once a link has been used. */
const passwordEmailsKey = ({ clientId, userId }: Account): string => `forgotten:${clientId}.${userId}`

/**
 * Sends links to matching accounts after the response has been sent, so that response times don't reveal which accounts
 * exist.
 */
const sendResetLinks = eventHandler(forgotten, {
  name: 'password.send-forgotten',
  queue: 'mail',
  send: async ({ engine }, { username, client, from }) => {
    const meant = await engine.db.tx('system', (tx) => findAccountsByUsernameOrEmail(tx, username, client))
    if (!meant.length) engine.security.note('password-link', undefined, from, 'password reset: no such user')
    for (const person of meant)
      await engine.db
        .tx('system', async (tx) => {
          await countAttempt(tx, [{ key: passwordEmailsKey(person), pace: TO_ACCOUNT }])
          await sendPasswordLink(engine, tx, person, 'reset')
        })
        .then(() => engine.security.note('password-link', person, from, 'forgotten'))
        .catch((e: unknown) => {
          if (!(e instanceof AttemptTooEarlyProblem)) throw e
          engine.security.note('locked', person, from, 'too many password e-mails')
        })
    engine.notifyCommit(new Set(['outbox']))
  },
})

const forgottenPasswordRoute: Route = {
  method: 'POST',
  path: '/api/security/password/forgot',
  title: 'Request a link to set a new password',
  allow: 'anonymous',
  handle: async (c) => {
    const username = normaliseEmail(textOrEmpty(c.body.username))
    const client = parseClientNumber(c.body.client)
    const wrong = username ? 'Please enter a shorter username or e-mail address' : 'Field required, please enter text'
    if (!username || username.length > MAX_ADDRESS_LENGTH) throw problem.invalid([violation('username', wrong)])
    await c.engine.db.tx('system', async (tx) => {
      await countAttempt(tx, [{ key: `forgotten-from:${networkForAddress(c.request.address)}`, pace: FROM_NETWORK }])
      await writeOutboxEvent(c.engine, tx, PROVIDER_CLIENT_ID, forgotten, {
        // Users sometimes type their password here by mistake. Text that can be neither a username nor an e-mail
        // address is therefore not stored.
        username: isUsername(username) || isEmail(username) ? username : '',
        client: client === undefined ? null : Number.isNaN(client) ? -1 : client,
        from: { id: c.request.id, address: c.request.address, agent: c.request.agent },
      })
    })
    c.engine.notifyCommit(new Set(['outbox']))
    return new RouteResponse(202, { message: c.engine.config.smtpUrl ? SENT : NO_MAIL_SERVER_MESSAGE })
  },
}

/** Limit on passwords set without a link, per account and per user who sets them. */
const SETTING: AttemptLimit = { free: 10, most: 10, minutes: 60 }
const LINK_EXPIRED_MESSAGE = 'This link has been used or has expired. Please request a new one.'

/** Checks the current password typed by the account's owner. Throws 422 if the password is wrong. */
async function checkPresent(c: RouteContext, account: Account): Promise<CheckedAccount> {
  const checked = await verifyOwnPassword(c.engine.db, account, textOrEmpty(c.body.current), c.me.session?.id)
  if (checked) return checked
  c.engine.security.note('sign-in-failed', c.me, c.request, 'current password')
  throw problem.invalid([violation('current', 'This is not your current password')])
}

/** Records in the audit trail who changed a password, never the password itself. */
const tellOfPassword = (tx: Tx, c: RouteContext, { clientId, userId }: Account, by: AuditActor): Promise<void> =>
  writeAuditEvent(tx, by, {
    clientId,
    type: user.type,
    rowId: userId,
    verb: 'password',
    changes: {},
    requestId: c.request.id,
  })

/** Routes to request, reset and set passwords, and to invite users. */
const passwordRoutes: readonly Route[] = [
  forgottenPasswordRoute,
  {
    method: 'GET',
    path: '/api/portal/password/reset/{token}',
    title: 'Check whether a link is still valid',
    allow: 'anonymous',
    handle: async (c) => {
      const owner = await c.engine.db.tx('system', (tx) => lockPasswordLink(tx, c.params.token ?? ''))
      if (!owner) throw problem.notFound(LINK_EXPIRED_MESSAGE)
      return { username: owner.username, expiresAt: owner.until }
    },
  },
  {
    method: 'POST',
    path: '/api/portal/password/reset/{token}',
    title: 'Set a new password with a link',
    allow: 'anonymous',
    secret: true,
    refuses: [409],
    handle: async (c) => {
      const { owner, isChoice } = await c.engine.db.tx('system', async (tx) => {
        const found = await lockPasswordLink(tx, c.params.token ?? '')
        if (!found) throw problem.notFound(LINK_EXPIRED_MESSAGE)
        requireLinkOwner(c.actor, found)
        const temporary = await readTemporaryPasswordHash(tx, found)
        if (temporary && (await verifyPassword(temporary, textOrEmpty(c.body.password))))
          throw problem.invalid([violation('password', 'Please choose a password that nobody else knows')])
        await setPassword(tx, found, c.body.password, [
          found.username,
          found.name,
          found.company,
          c.engine.config.provider,
        ])
        await revokeAccessAfterCredentialChange(tx, found, 'password')
        await clearAttempts(tx, [passwordEmailsKey(found)])
        await tellOfPassword(tx, c, found, found)
        if (temporary && found.email)
          await writeOutboxEvent(c.engine, tx, found.clientId, emailRequested, {
            to: found.email,
            ...composeEmail(passwordChosenEmail, found),
          })
        return { owner: found, isChoice: temporary !== undefined }
      })
      if (isChoice) c.engine.notifyCommit(new Set(['outbox']))
      c.engine.security.note(
        'password',
        owner,
        c.request,
        isChoice ? 'chosen in place of one that another person had set' : 'set with a link',
      )
      c.engine.sessions.forgetPerson(owner)
      return new RouteResponse(204)
    },
  },
  {
    method: 'PUT',
    path: '/api/portal/users/{id}/password',
    title: 'Set a password. Another user’s password is temporary: its owner must choose another one to sign in',
    allow: 'member',
    handle: async (c) => {
      const account = await findRequestedAccount(c)
      const self = account.userId === c.me.userId
      if (!self && !canManageUsers(c.me)) throw problem.forbidden()
      const isOfOtherCompany = c.me.clientId !== account.clientId
      const isHeld = !self && (account.isProtected || isOfOtherCompany)
      if (isHeld && !(await c.engine.db.tx('system', (tx) => isOnlyUser(tx, account.clientId, c.me))))
        throw problem.conflict(
          account.isProtected
            ? `${account.name} has, or had within the last day, a role that controls money, access or confidential data, so nobody else can set their password. Send them a link to choose one.`
            : `Only an administrator of ${account.company} can set ${account.name}’s password. Send them a link to choose one.`,
        )
      // The user's own current password is sufficient proof of identity, unless the user has a second factor.
      if (!self || c.me.proof?.kind === 'factor') requireAccessProof(c.me)
      const checked = self ? await checkPresent(c, account) : undefined
      await c.engine.db.tx('system', async (tx) => {
        await (checked ? lockCheckedAccount(tx, checked) : lockAccount(tx, account))
        const now = await reloadActor(tx, c.engine.config, c.me)
        if (!self && !canManageUsers(now)) throw problem.forbidden()
        if (!self || now.proof?.kind === 'factor') requireAccessProof(now)
        await countAttempt(tx, [
          { key: `set-password:${account.clientId}.${account.userId}`, pace: SETTING },
          { key: `set-password-by:${c.me.clientId}.${c.me.userId}`, pace: SETTING },
        ])
        await setPassword(
          tx,
          account,
          c.body.password,
          [account.username, account.name, account.company, c.engine.config.provider],
          { temporary: !self },
        )
        await revokeAccessAfterCredentialChange(tx, account, 'password', self ? c.me.session?.id : undefined)
        await tellOfPassword(tx, c, account, c.me)
        if (!self && account.email)
          await writeOutboxEvent(c.engine, tx, account.clientId, emailRequested, {
            to: account.email,
            ...composeEmail(passwordChangedEmail, { ...account, by: c.me.name }),
          })
      })
      c.engine.notifyCommit(new Set(['outbox']))
      c.engine.security.note('password', { ...c.me, clientId: account.clientId }, c.request, `of ${account.username}`)
      c.engine.sessions.forgetPerson(account, self ? c.me.session?.id : undefined)
      return new RouteResponse(204)
    },
  },
  {
    method: 'POST',
    path: '/api/portal/users/{id}/invite',
    title: 'Send a user the link to choose a password',
    allow: USER_MANAGER_ROLES,
    handle: async (c) => {
      if (!canManageUsers(c.me)) throw problem.forbidden()
      requireAccessProof(c.me)
      const account = await findRequestedAccount(c)
      if (account.isRetired) throw problem.conflict('This user is retired. Restore the user first.')
      if (!account.email) throw problem.invalid([violation('email', 'This user has no e-mail address yet')])
      const answer = new RouteResponse(204)
      await c.engine.db.tx('system', async (tx) => {
        const now = await reloadActor(tx, c.engine.config, c.me)
        if (!canManageUsers(now)) throw problem.forbidden()
        requireAccessProof(now)
        await consumeAccountEmailAllowance(tx, c.me, account.clientId, c.now, 1)
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
  emails: passwordLinkEmails,
  links: [passwordLink],
  commands: [
    {
      name: 'user create',
      help: `  user create --username NAME --client 0 --roles ROLE_STAFF,… [--name "…"] [--email …] [--password …]
                              without --password it is prompted for, or read from standard input`,
      load: async () => (await import('./create-user.server.ts')).runCreateUserCommand,
    },
  ],
})
