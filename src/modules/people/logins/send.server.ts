import { problem } from '#kernel/errors.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { composeEmail, defineEmail, emailGreeting, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { tryConsumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailAccepted, emailRequested } from '#modules/portal/mail/letter.ts'
import { createPasswordLink, lockAccount, readPasswordLinkEpoch } from '#server/auth/credentials.ts'
import { hashSecret } from '#server/auth/secret.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { publicPageUrl } from '#server/engine/secret-links.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { employee } from '../employees/employee.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { FIRST_SIGN_IN_PATH } from '../nav.ts'
import { type EmployeeLogin, employeeLogin, LOGIN_DAYS } from './employee-login.ts'
import { prepareLoginAccount, requireLoginDelivery } from './recipient.server.ts'

interface LoginFacts {
  readonly clientId: number
  readonly company: string
  readonly name: string
  readonly username: string
}

export const loginDetailsEmail = defineEmail<LoginFacts>({
  name: 'employee.login-details',
  title: 'Login details of an employee',
  confidential: true,
  subject: ({ company }) => `Your login details from ${preventAutolinking(company)}`,
  paragraphs: ({ clientId, company, name, username }) => [
    emailGreeting(name),
    `${preventAutolinking(company)} gives you access to read and sign documents, request leave and report incidents on your phone.`,
    `Choose your password with this link. It works once, within ${LOGIN_DAYS} days:\n${SECRET_LINK_PLACEHOLDER}`,
    `Afterwards you sign in with your username ${username} and your client number ${clientId}.`,
    'The link is for you only: please forward it to nobody.',
  ],
  sample: { clientId: 1000, company: 'Acme Ltd', name: 'Ann Carter', username: 'ann.carter' },
})

/** Password link of an employee's account. Ended login details have none. */
export const loginLink: SecretLink = {
  kind: 'login details',
  make: (engine, clientId, { login, user: userId, epoch }) => {
    const change = { actor: createSystemActor(clientId, 'create the link of an employee'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const account = { clientId, userId: Number(userId), epoch: Number(epoch) }
      await readAcrossClients(c, (tx) => lockAccount(tx, account))
      const [row] = await c.lockAll(employeeLogin, { id: Number(login), endedAt: null })
      const token =
        row && (await readAcrossClients(c, (tx) => createPasswordLink(tx, account, 'invite', LOGIN_DAYS * 24 * 60)))
      if (!row || !token) return () => undefined
      const until = c.now.add({ hours: LOGIN_DAYS * 24 }).toString()
      await c.set(employeeLogin, row, { linkHash: hashSecret(token), until }, 'email')
      return () => publicPageUrl(engine.config, `${FIRST_SIGN_IN_PATH}/${token}`)
    })
  },
}

type Recipient = Pick<RowOf<typeof user>, 'id' | 'name' | 'username'>

/** Requests the e-mail of login details. */
async function requestLoginEmail(c: Context, { id, email }: EmployeeLogin, to: Recipient): Promise<void> {
  const ours = await c.once('company of login details', () => c.get(client, c.clientId))
  const epoch = await readPasswordLinkEpoch(c.work.tx, { clientId: c.clientId, userId: to.id })
  await c.emit(emailRequested, {
    to: email,
    ...composeEmail(loginDetailsEmail, { clientId: c.clientId, company: ours?.company ?? '', ...to }),
    link: { kind: loginLink.kind, about: { login: id, user: to.id, epoch } },
    about: iriOf(employeeLogin, id),
  })
}

export const sendBehaviour = behaviour(employeeRecord, {
  actions: {
    sendLoginDetails: async (c) => {
      const of = c.row
      const email = await requireLoginDelivery(c, of)
      if (!email) throw problem.conflict(`${of.name} has no e-mail address. Print a letter instead.`)
      const account = await prepareLoginAccount(c, of, email)
      const now = c.now.toString()
      const queuedAt = (await tryConsumeRecipientAllowance(c)) ? now : null
      const written = await c
        .withoutPermissionCheck('login details are logged')
        .create(employeeLogin, { employee: of.id, user: account.id, email, createdAt: now, queuedAt })
      const login = await written.saved()
      if (queuedAt) await requestLoginEmail(c, login, account)
      c.security('password-link', `to ${account.username}, as login details`)
      const isWaiting = queuedAt === null
      return { answer: () => ({ '@id': iriOf(employeeLogin, login.id), '@type': employeeLogin.type, isWaiting }) }
    },
  },
})

/** Records that a mail server has accepted the e-mail. */
export const markLoginSent = eventHandler(emailAccepted, {
  name: 'people.mark-login-sent',
  queue: 'events',
  run: async (c, { about, template, sentAt }) => {
    const id = idFromResourceIri(employeeLogin, about)
    if (template !== loginDetailsEmail.name || id === undefined) return
    const [row] = await c.lockAll(employeeLogin, { id })
    if (row && !row.sentAt) await c.set(employeeLogin, row, { sentAt }, 'email')
  },
})

/** Details of an earlier day whose company has e-mails left today, as a condition on `t`. */
export const MAY_BE_SENT = `t.created_at < london_today()::timestamp AT TIME ZONE '${LONDON_TIME_ZONE}'
  AND (SELECT k.${client.columns.lettersPerDay} FROM client k WHERE k.id = t.client_id)
    > coalesce((SELECT d.recipients FROM letter_day d WHERE d.client_id = t.client_id AND d.day = london_today()), 0)`

/** Sends login details that wait for a new day's e-mails, oldest first. */
export const sendWaitingLogins = schedule({
  name: 'people.send-waiting-logins',
  every: { minutes: 15 },
  run: (engine) =>
    processRowsForAllClients(
      engine,
      {
        of: employeeLogin,
        where: { method: 'email', queuedAt: null, endedAt: null },
        condition: () => MAY_BE_SENT,
        reason: 'people.send-waiting-logins',
      },
      async (c, row) => {
        const [of, account] = [await c.get(employee, row.employee), await c.get(user, row.user)]
        const now = c.now.toString()
        if (!of || of.retired || !account || account.isRetired)
          await c.set(employeeLogin, row, { endedAt: now }, 'leave')
        else if (await tryConsumeRecipientAllowance(c)) {
          await c.set(employeeLogin, row, { queuedAt: now }, 'email')
          await requestLoginEmail(c, row, account)
        }
      },
    ),
})
