import { problem, violation } from '#kernel/errors.ts'
import { integer, text } from '#kernel/fields.ts'
import { EMPLOYEE_ROLE } from '#modules/identity/people/user.server.ts'
import { type FoundAccount, verifySignInCode } from '#server/auth/check-password.ts'
import {
  type Credential,
  createPasswordLink,
  lockAccount,
  lockPasswordLink,
  readPasswordLinkEpoch,
  requireLinkOwner,
} from '#server/auth/credentials.ts'
import { hashSecret } from '#server/auth/secret.ts'
import type { Tx } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { FIRST_SIGN_IN_URL } from './employee-login.ts'
import { normaliseLoginCode } from './login-code.ts'

/** Minutes in which a password is chosen after the code of a letter has been entered. */
const CHOOSING_MINUTES = 60

const openLinkRoute: Route = {
  method: 'GET',
  path: `${FIRST_SIGN_IN_URL}/{token}`,
  title: 'Open the link of login details',
  allow: 'anonymous',
  writesOnGet: true,
  refuses: [403, 409],
  handle: async (c) => {
    const token = c.params.token ?? ''
    const owner = await c.engine.db.tx('system', async (tx) => {
      const found = await lockPasswordLink(tx, token)
      if (!found) return undefined
      requireLinkOwner(c.actor, found)
      await tx.rows(
        'UPDATE employee_login SET opened_at = coalesce(opened_at, portal_now()) WHERE client_id = $1 AND link_hash = $2 AND ended_at IS NULL',
        [found.clientId, hashSecret(token)],
      )
      return found
    })
    if (!owner)
      throw problem.notFound(
        'This link has been used or has expired. Please ask your company to send your login details again.',
      )
    const { username, name, company, clientId, until } = owner
    return { '@type': 'FirstSignIn', username, name, company, client: clientId, expiresAt: until }
  },
}

/**
 * Finds the account of a letter, with the hash of its code. The code works until its owner chooses a password, and only
 * while the account has no other role.
 */
async function findLetterAccount(tx: Tx, username: string, clientId: number): Promise<FoundAccount> {
  const [found] = await tx.rows<Credential & { folded: string; userId: number | null }>(
    `SELECT n.folded, u.client_id AS "clientId", u.id AS "userId", u.code_hash AS hash, false AS demo, false AS known
     FROM (SELECT lower($1) AS folded) n LEFT JOIN LATERAL (
       SELECT p.client_id, p.id, l.code_hash FROM user_account p
       JOIN client k ON k.id = p.client_id
       JOIN employee_login l ON l.client_id = p.client_id AND l.user_id = p.id AND l.method = 'letter'
       JOIN employee e ON e.client_id = l.client_id AND e.id = l.employee_id
       WHERE lower(p.username) = n.folded AND p.client_id = $2 AND NOT p.is_retired AND NOT k.retired AND NOT e.retired
         AND l.ended_at IS NULL AND l.until > portal_now() AND p.last_login_at IS NULL AND p.roles <@ $3::text[]
         AND NOT EXISTS (SELECT FROM credential c WHERE c.client_id = p.client_id AND c.user_id = p.id AND c.changed_at > l.created_at)) u ON true`,
    [username, clientId, [EMPLOYEE_ROLE]],
  )
  return { folded: found?.folded ?? '', account: found?.userId ? found : undefined }
}

const WRONG =
  'The client number, username and code do not match a letter that still works. Please check all three, or ask your company for a new letter.'

/** Exchanges the code of a letter for a password link. */
const enterCodeRoute = routeWithInput(
  {
    client: integer({ required: 'Please enter the client number of your letter', min: 1, max: 2 ** 31 - 1 }),
    username: text({ required: 'Please enter the username of your letter', max: 100 }),
    code: text({ required: 'Please enter the code of your letter', max: 30 }),
  },
  {
    method: 'POST',
    path: FIRST_SIGN_IN_URL,
    title: 'Enter the one-time code of a letter, for a link to choose a password',
    allow: 'anonymous',
    takesOwnTurns: true,
    secret: true,
    refuses: [409, 429],
    handle: async (c) => {
      const { client, username, code } = c.input
      const { db, security } = c.engine
      const find = (tx: Tx) => findLetterAccount(tx, username.trim(), client)
      const given = { username, password: normaliseLoginCode(code), clientId: client, address: c.request.address }
      const account = await verifySignInCode(db, given, find, (tried) =>
        security.note('sign-in-failed', tried && { ...tried, username }, c.request, 'code of a letter'),
      )
      const wrong = problem.invalid([violation('code', WRONG)])
      if (!account) throw wrong
      const token = await db.tx('system', async (tx) => {
        await lockAccount(tx, account)
        const still = (await find(tx)).account
        if (still?.hash !== account.hash) throw wrong
        requireLinkOwner(c.actor, account)
        const epoch = await readPasswordLinkEpoch(tx, account)
        await tx.rows(
          `UPDATE employee_login SET opened_at = coalesce(opened_at, portal_now())
           WHERE client_id = $1 AND user_id = $2 AND ended_at IS NULL`,
          [account.clientId, account.userId],
        )
        return createPasswordLink(tx, { ...account, epoch }, 'invite', CHOOSING_MINUTES)
      })
      return { '@type': 'FirstSignInLink', token: token ?? null }
    },
  },
)

export const firstSignInRoutes: readonly Route[] = [openLinkRoute, enterCodeRoute]
