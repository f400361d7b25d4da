import { timingSafeEqual } from 'node:crypto'
import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { createBearerActor } from '#kernel/roles.ts'
import { normaliseEmail } from '#kernel/validate.ts'
import { findBrandName } from '#modules/portal/clients/client.server.ts'
import { findSuppressedAddresses, messageIdSecret } from '#modules/portal/mail/claim.server.ts'
import { parseUnsubscribeToken, type UnsubscribeToken } from '#modules/portal/mail/stop-link.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { type MailMergeKind, mergeTextError } from '../merge-fields/merge.ts'
import { emailSuppression, mailMessage } from './message.ts'
import { emailTemplate } from './template.ts'

/** Returns whether an address is suppressed, in any spelling. */
export const isSuppressedAddress = async (c: Pick<Context, 'work' | 'clientId'>, address: string): Promise<boolean> =>
  (await findSuppressedAddresses(c.work.tx, c.clientId, [address])).size > 0

/** Suppresses an address. Returns false if it is already suppressed. */
export async function suppressAddress(
  c: Context,
  {
    address,
    reason,
    detail,
    message,
  }: { address: string; reason: 'asked' | 'bounced'; detail: string; message: number },
): Promise<boolean> {
  // Mail programs may repeat a one-click request at once; the second request finds the row that the first has stored.
  const key = `suppression ${c.clientId} ${normaliseEmail(address)}`
  await c.work.tx.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
  if (await isSuppressedAddress(c, address)) return false
  await c
    .withoutPermissionCheck('recipients may opt out')
    .create(emailSuppression, { address: normaliseEmail(address), reason, detail, message })
  return true
}

export const mailBehaviours = [
  behaviour(emailSuppression, {
    beforeSave: async (c) => {
      if (!c.before && (await isSuppressedAddress(c, c.values.address ?? '')))
        throw problem.invalid([violation('address', 'This e-mail address has already opted out')])
      if (c.before && c.changes.address !== undefined && c.changes.address !== c.before.address)
        throw problem.conflict(
          'The e-mail address of an opt-out can’t be changed. Please lift this opt-out and add another.',
        )
      if (c.changes.retired && !c.values.liftedReason?.trim())
        throw problem.invalid([violation('liftedReason', 'Please explain why e-mails may be sent again')])
      return undefined
    },
  }),
  behaviour(emailTemplate, {
    beforeSave: ({ values }) => {
      const kind: MailMergeKind = values.kind ?? 'lead'
      const wrong = (['subject', 'body'] as const).flatMap((name) => {
        const refusal = mergeTextError(kind, values[name] ?? '')
        return refusal ? [violation(name, refusal)] : []
      })
      if (wrong.length) throw problem.invalid(wrong)
      return undefined
    },
  }),
]

/** Returns the e-mail with this ID, or `undefined` if `secretsOf` does not return the secret for the e-mail's token. */
async function findMessageBySecret(
  engine: Engine,
  named: UnsubscribeToken | undefined,
  secretsOf: (token: string) => readonly string[],
): Promise<RowOf<typeof mailMessage> | undefined> {
  if (!named) return undefined
  const row = await engine.readIn(named.clientId, 'find the e-mail that a reply answers', (c) =>
    c.get(mailMessage, named.id),
  )
  const given = Buffer.from(named.token)
  const isSame = (secret: Buffer) => secret.length === given.length && timingSafeEqual(secret, given)
  return row?.token && secretsOf(row.token).some((secret) => isSame(Buffer.from(secret))) ? row : undefined
}

/** Returns the e-mail with this message ID. Message IDs of earlier e-mails contain the token itself. */
export const findAnsweredMessage = (engine: Engine, named: UnsubscribeToken | undefined) =>
  findMessageBySecret(engine, named, (token) => [messageIdSecret(token), token])

/** Returns the e-mail to which an unsubscribe link belongs. Throws 404 if the link is invalid. */
async function letterOf({ engine, params }: RouteContext) {
  const named = parseUnsubscribeToken(params.token)
  const row = await findMessageBySecret(engine, named, (token) => [token])
  if (!named || !row?.stoppable || !row.recipient)
    throw problem.notFound('This link is incomplete or has been changed. Please open it from the e-mail again.')
  return { clientId: named.clientId, row, recipient: row.recipient }
}

const PATH = '/api/email/unsubscribe/{token}'

/** Masks an address, such as `a…@acme.example`, so that only its owner can recognise it. */
const veiled = (address: string): string => address.replace(/^(.).*(?=@)/, '$1…')

export const unsubscribeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'Get the recipient for an unsubscribe link, and whether the recipient has opted out',
    allow: 'anonymous',
    handle: async (c) => {
      const { clientId, recipient } = await letterOf(c)
      const from = await findBrandName(c.engine, clientId)
      const found = await c.engine.db.tx({ clientId }, (tx) => findSuppressedAddresses(tx, clientId, [recipient]))
      return { address: veiled(recipient), from, stopped: found.size > 0 }
    },
  },
  {
    method: 'POST',
    path: PATH,
    title: 'Opt out of e-mails, on the unsubscribe page or by a mail program’s one-click request (RFC 8058)',
    allow: 'anonymous',
    ignoreBody: true,
    handle: async (c) => {
      const { clientId, row, recipient } = await letterOf(c)
      const by = createBearerActor(clientId, { username: 'recipient', name: 'The recipient' }, [])
      await c.engine.inTenant(clientId, { actor: by, requestId: c.request.id }, async (unit) => {
        const isNew = await suppressAddress(unit, {
          address: recipient,
          reason: 'asked',
          detail: 'Opted out with the link in an e-mail',
          message: row.id,
        })
        if (isNew && row.contact !== null)
          await addNoteToContact(unit, row.contact, {
            notes: `${recipient} has opted out of e-mails`,
            about: iriOf(mailMessage, row.id),
          })
        return () => undefined
      })
      return { address: veiled(recipient), stopped: true }
    },
  },
]
