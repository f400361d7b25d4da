import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { billingUrls } from '../places.ts'
import { SELLING_ROLES } from '../rights.ts'
import { type QuoteRow, quote } from './quote.ts'

export const quoteNotice = notificationType({
  kind: 'quote.decided',
  label: 'Quotes accepted or declined by customers',
  for: SELLING_ROLES,
  icon: 'money',
  of: quote,
  words: ({ company, decidedBy, reference, state }) =>
    `${company || decidedBy || 'The customer'} has ${state === 'accepted' ? 'accepted' : 'declined'} ${reference}`,
  path: ({ id }, _, { clientId }) => billingUrls(clientId).quote(id),
  mail: false,
})

export async function notifyQuoteOwner(c: Context, row: QuoteRow): Promise<void> {
  const [owner] = row.ownedBy ? await c.find(user, { username: row.ownedBy, isRetired: false }) : []
  if (owner) await notifyUsers(c, quoteNotice, [{ to: owner.id, about: row.id, since: row.decidedAt ?? undefined }])
}
