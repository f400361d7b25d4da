import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import {
  composeEmail,
  defineEmail,
  emailGreeting,
  PORTAL_NAME_PLACEHOLDER,
  SECRET_LINK_PLACEHOLDER,
} from '#kernel/system-email.ts'
import { consumeAccountEmailAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import type { AccountOwner } from '#server/auth/accounts.ts'
import { createPasswordLink, type PasswordLinkKind, readPasswordLinkEpoch } from '#server/auth/credentials.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { reloadActor } from '#server/auth/read-actor.ts'
import type { Tx } from '#server/db/db.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { publicPageUrl } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'
import { CLIENT_SETUP_ROLES } from '../people/user.server.ts'
import type { user } from '../people/user.ts'

/** Validity of a requested reset link and of an invitation link, in minutes. */
const LASTS: Readonly<Record<PasswordLinkKind, number>> = { reset: 60, invite: 7 * 24 * 60 }

/** Type of the single-use links that set a password. */
export const passwordLink: SecretLink = {
  kind: 'password',
  make: async (engine, clientId, { userId, lasts, epoch }) => {
    const kind: PasswordLinkKind = lasts === 'invite' ? 'invite' : 'reset'
    const account = { clientId, userId: Number(userId), epoch: Number(epoch ?? 0) }
    const token = await engine.db.tx('system', (tx) => createPasswordLink(tx, account, kind, LASTS[kind]))
    return token && publicPageUrl(engine.config, `/forgotten-my-password/${token}`)
  },
}

type LinkOwner = Pick<AccountOwner, 'clientId' | 'username' | 'name'>

const resetEmail = defineEmail<LinkOwner>({
  name: 'reset',
  title: 'Link to set a new password',
  confidential: true,
  subject: () => 'Set a new password',
  paragraphs: ({ name, username }) => [
    emailGreeting(name),
    `Somebody, hopefully you, asked to set a new password for ${username}. This link works once, for one hour:`,
    SECRET_LINK_PLACEHOLDER,
    'If this wasn’t you, ignore this e-mail: your password will stay the same.',
  ],
  sample: { clientId: 1000, username: 'ann.carter', name: 'Ann Carter' },
})

const inviteEmail = defineEmail<LinkOwner>({
  name: 'invite',
  title: 'Invitation to a new user',
  confidential: true,
  subject: () => `Your sign-in for the ${PORTAL_NAME_PLACEHOLDER} portal`,
  paragraphs: ({ clientId, name, username }) => [
    emailGreeting(name),
    `An account has been created for you. Your username is ${username}${clientId === PROVIDER_CLIENT_ID ? '' : ` and your client number ${clientId}`}. Choose your password with this link, within a week:`,
    SECRET_LINK_PLACEHOLDER,
  ],
  sample: { clientId: 1000, username: 'ann.carter', name: 'Ann Carter' },
})

export const passwordLinkEmails = [resetEmail, inviteEmail]

/** E-mails a single-use link that sets a password. */
export async function sendPasswordLink(
  engine: Engine,
  tx: Tx,
  to: AccountOwner,
  kind: PasswordLinkKind,
): Promise<void> {
  const about = { userId: to.userId, lasts: kind, epoch: await readPasswordLinkEpoch(tx, to) }
  const link = { kind: passwordLink.kind, about }
  await writeOutboxEvent(engine, tx, to.clientId, emailRequested, {
    to: to.email,
    ...composeEmail(kind === 'reset' ? resetEmail : inviteEmail, to),
    link,
  })
}

type Account = AccountOwner & { readonly isRetired: boolean; readonly seen: boolean }

/**
 * Sends a client's first administrator the link to choose a password. Throws 403 unless the caller is a provider user
 * who may set up clients, 404 if the account doesn't exist or is retired, and 409 if the administrator has already
 * signed in.
 */
export async function sendFirstLoginLink(c: RouteContext, clientId: number, userId: number): Promise<RouteResponse> {
  const answer = new RouteResponse(204)
  const username = await c.engine.db.tx('system', async (tx) => {
    const now = await reloadActor(tx, c.engine.config, c.me)
    if (now.original || now.clientId !== PROVIDER_CLIENT_ID || !hasRole(now, CLIENT_SETUP_ROLES))
      throw problem.forbidden()
    requireAccessProof(now)
    const [account] = await tx.rows<Account>(
      `SELECT u.client_id AS "clientId", u.id AS "userId", u.username, u.name, u.email, u.is_retired AS "isRetired",
         u.last_login_at IS NOT NULL AS seen FROM user_account u WHERE u.client_id = $1 AND u.id = $2 FOR SHARE`,
      [clientId, userId],
    )
    if (!account || account.isRetired) throw problem.notFound()
    if (account.seen) throw problem.conflict(`${account.name} has already signed in and has a password.`)
    if (!account.email) throw problem.invalid([violation('email', 'This user has no e-mail address yet')])
    await consumeAccountEmailAllowance(tx, c.me, clientId, c.now, 1)
    await sendPasswordLink(c.engine, tx, account, 'invite')
    await c.change().keep?.(tx, answer)
    return account.username
  })
  c.engine.notifyCommit(new Set(['outbox']))
  c.engine.security.note('password-link', c.me, c.request, `to ${username}, for the set-up of client ${clientId}`)
  return answer
}

/**
 * Sends a user created in this transaction the link to choose a password, once the transaction has been committed.
 * Throws 422 if the user has no e-mail address.
 */
export async function inviteNewUser(c: Context, person: RowOf<typeof user>): Promise<void> {
  if (!person.email) throw problem.invalid([violation('email', 'Please enter the e-mail address for the link')])
  const { id: userId, username, name, email } = person
  await sendPasswordLink(c.engine, c.work.tx, { clientId: c.clientId, userId, username, name, email }, 'invite')
  c.work.touched.add('outbox')
  c.security('password-link', `to ${username}, as an invitation`)
}

/** Reads a line from a terminal without displaying what is typed. */
export async function readHiddenLine(terminal: NodeJS.ReadableStream): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: terminal, output: nowhere, terminal: true })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
  }
}
