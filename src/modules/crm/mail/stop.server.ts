import { timingSafeEqual } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { bearerActor } from '#kernel/roles.ts'
import { findBrand } from '#modules/portal/clients/brand.server.ts'
import { parseUnsubscribeToken } from '#modules/portal/mail/stop-link.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { mailMessage } from './message.ts'
import { suppressAddress } from './suppression.server.ts'
import { emailSuppression } from './suppression.ts'

/** The e-mail with this id; `undefined` if the secret doesn't match. */
export async function findSignedMessage(
  engine: Engine,
  named: { readonly clientId: number; readonly id: number; readonly token: string } | undefined,
): Promise<RowOf<typeof mailMessage> | undefined> {
  if (!named) return undefined
  const row = await engine.readIn(named.clientId, 'find the e-mail of a reply', (c) => c.get(mailMessage, named.id))
  const [kept, given] = [Buffer.from(row?.token ?? ''), Buffer.from(named.token)]
  return row && kept.length === given.length && timingSafeEqual(kept, given) ? row : undefined
}

/** The e-mail of an unsubscribe link. Throws 404 for an invalid link. */
async function letterOf({ engine, params }: RouteContext) {
  const named = parseUnsubscribeToken(params.token)
  const row = await findSignedMessage(engine, named)
  if (!named || !row?.stoppable || !row.recipient)
    throw problem.notFound('This link is incomplete or has been changed. Please open it from the e-mail again.')
  return { clientId: named.clientId, row, recipient: row.recipient }
}

const PATH = '/api/email/unsubscribe/{token}'

/** `a…@acme.example`: recognisable to the recipient without revealing the address to others. */
const veiled = (address: string): string => address.replace(/^(.).*(?=@)/, '$1…')

export const unsubscribeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'Get the recipient of an unsubscribe link and whether they have opted out',
    allow: 'anonymous',
    handle: async (c) => {
      const { clientId, recipient } = await letterOf(c)
      const from = await findBrand(c.engine, clientId)
      const stopped = await c.engine.readIn(clientId, 'look up an opt-out', (r) =>
        r.exists(emailSuppression, { address: recipient, retired: false }),
      )
      return { address: veiled(recipient), from, stopped }
    },
  },
  {
    method: 'POST',
    path: PATH,
    title: 'Opt out of e-mails: by the page of the link, or by a mail program’s one-click request (RFC 8058)',
    allow: 'anonymous',
    ignoreBody: true,
    handle: async (c) => {
      const { clientId, row, recipient } = await letterOf(c)
      const by = bearerActor(clientId, { username: 'recipient', name: 'The recipient' }, [])
      await c.engine.inTenant(clientId, { actor: by, requestId: c.request.id }, async (unit) => {
        const isNew = await suppressAddress(unit, {
          address: recipient,
          reason: 'asked',
          detail: 'By the link in an e-mail',
          message: row.id,
        })
        if (isNew && row.contact !== null)
          await noteOnContact(unit, row.contact, {
            notes: `${recipient} has opted out of e-mails`,
            about: iriOf(mailMessage, row.id),
          })
        return () => undefined
      })
      return { address: veiled(recipient), stopped: true }
    },
  },
]
