import { iriOf } from '#kernel/resource.ts'
import { findEmailsAbout } from '#modules/portal/mail/about.server.ts'
import { type EmailRequest, emailRequested } from '#modules/portal/mail/letter.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { wholeList } from '#server/http/list-route.ts'
import { quoteSecretLink } from '../letters/letter.server.ts'
import { countCustomerMail, customerMailSender } from '../print/sender.server.ts'
import type { Supplier } from '../print/supplier.ts'
import { SELLING_ROLES } from '../rights.ts'
import { quote } from './quote.ts'

interface Posted {
  readonly id: number
  readonly emailTo: string
  readonly expiresAt: string | null
  readonly supplier: Supplier | null
}

/** Queues an e-mail about a quote. Its body contains the customer's link and is not stored. */
export const queueQuoteMail = async (
  c: Context,
  { id, emailTo, expiresAt, supplier }: Posted,
  mail: { subject: string; body: string },
  template: string,
  attachments: EmailRequest['attachments'] = [],
): Promise<void> => {
  const link = { kind: quoteSecretLink.kind, about: { quote: id, expiresAt: expiresAt ?? c.now.toString() } }
  await c.emit(emailRequested, {
    to: emailTo,
    ...mail,
    ...customerMailSender(c.clientId, supplier),
    confidential: true,
    template,
    link,
    about: iriOf(quote, id),
    attachments,
  })
  await countCustomerMail(c, emailTo)
}

/** Delivery status of the e-mails about a quote, for anybody who can read the quote. */
export const quoteMailsRoute: Route = {
  method: 'GET',
  path: `${quote.url}/{id}/letters`,
  title: 'List the e-mails to the customer about a quote with their delivery status, latest first',
  allow: SELLING_ROLES,
  listOf: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(quote, actor, await engine.idOf(quote, actor, params.id))
    return wholeList(await findEmailsAbout(engine, me.clientId, String(about)))
  },
}
