import { z } from 'zod'
import { isEmail } from '#kernel/email.ts'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { findAccountsByNameOrEmail } from '#server/auth/accounts.ts'
import { type AttemptLimit, AttemptTooEarly, countAttempt } from '#server/auth/attempts.ts'
import type { Account } from '#server/auth/credentials.ts'
import { networkOf } from '#server/auth/network.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { putEvent } from '#server/engine/put-event.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { isUsername } from '../people/username.server.ts'
import { parseClientNumber, typedText } from '../sessions/sign-in.server.ts'
import { sendPasswordLink } from './letters.server.ts'

/** Limit of requests per network, for any account. */
const FROM_NETWORK: AttemptLimit = { free: 30, most: 30, minutes: 60 }
/** Limit of e-mails per account, each with a link valid for an hour. */
const TO_ACCOUNT: AttemptLimit = { free: 5, most: 5, minutes: 60 }
/** Maximum length of an e-mail address. */
const LONGEST = 254
const SENT =
  'If that account exists and has an e-mail address, we have sent a link to set a new password. It works once, for one hour.'
const KEPT =
  'No mail server is set up, so no link can be sent. Please ask your administrator to set a password for you.'

/**
 * Event: a password reset was requested. Holds the text typed, empty if it can be neither a username nor an address,
 * and the origin, for the security log.
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

/** Rate-limit key of an account's e-mails; reset once a link has been used. */
export const passwordEmailsKey = ({ clientId, userId }: Account): string => `forgotten:${clientId}.${userId}`

/** Sends links to matching accounts, after the response: it takes equally long for everybody. */
export const sendResetLinks = eventHandler(forgotten, {
  name: 'password.send-forgotten',
  queue: 'mail',
  send: async ({ engine }, { username, client, from }) => {
    const meant = await engine.db.tx('system', (tx) => findAccountsByNameOrEmail(tx, username, client))
    if (!meant.length) engine.security.note('password-link', undefined, from, 'forgotten: no such user')
    for (const person of meant)
      await engine.db
        .tx('system', async (tx) => {
          await countAttempt(tx, [{ key: passwordEmailsKey(person), pace: TO_ACCOUNT }])
          await sendPasswordLink(engine, tx, person, 'reset')
        })
        .then(() => engine.security.note('password-link', person, from, 'forgotten'))
        .catch((e: unknown) => {
          if (!(e instanceof AttemptTooEarly)) throw e
          engine.security.note('locked', person, from, 'password e-mails')
        })
    engine.notifyCommit(new Set(['outbox']))
  },
})

export const forgottenPasswordRoute: Route = {
  method: 'POST',
  path: '/api/security/password/forgot',
  title: 'Request a link to set a new password',
  allow: 'anonymous',
  handle: async (c) => {
    const username = typedText(c.body.username).trim()
    const client = parseClientNumber(c.body.client)
    const wrong = username
      ? 'Usernames and e-mail addresses are shorter than this'
      : 'Field required, please enter text'
    if (!username || username.length > LONGEST) throw problem.invalid([violation('username', wrong)])
    await c.engine.db.tx('system', async (tx) => {
      await countAttempt(tx, [{ key: `forgotten-from:${networkOf(c.request.address)}`, pace: FROM_NETWORK }])
      await putEvent(c.engine, tx, PROVIDER, forgotten, {
        // People type passwords here: text that can't be a username is not stored.
        username: isUsername(username) || isEmail(username) ? username : '',
        client: client === undefined ? null : Number.isNaN(client) ? -1 : client,
        from: { id: c.request.id, address: c.request.address, agent: c.request.agent },
      })
    })
    c.engine.notifyCommit(new Set(['outbox']))
    return new RouteAnswer(202, { message: c.engine.config.smtpUrl ? SENT : KEPT })
  },
}
