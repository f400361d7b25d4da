import { iriOf } from '#kernel/resource.ts'
import { lettersAbout } from '#modules/portal/mail/about.server.ts'
import { type Letter, letter } from '#modules/portal/mail/letter.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { wholeList } from '#server/http/list-route.ts'
import { customersLink } from '../letters/letter.server.ts'
import { countLetter, inNameOf } from '../print/sender.server.ts'
import type { Supplier } from '../print/supplier.ts'
import { SELL } from '../rights.ts'
import { quote } from './quote.ts'

interface Posted {
  readonly id: number
  readonly emailTo: string
  readonly expiresAt: string | null
  readonly supplier: Supplier | null
}

/** Queues an e-mail about a quote. Its body contains the customer's link and is not stored. */
export const post = async (
  c: Context,
  { id, emailTo, expiresAt, supplier }: Posted,
  mail: { subject: string; body: string },
  template: string,
  attachments: Letter['attachments'] = [],
): Promise<void> => {
  const link = { kind: customersLink.kind, about: { quote: id, expiresAt: expiresAt ?? c.now.toString() } }
  await c.emit(letter, {
    to: emailTo,
    ...mail,
    ...inNameOf(c.clientId, supplier),
    confidential: true,
    template,
    link,
    about: iriOf(quote, id),
    attachments,
  })
  await countLetter(c, emailTo)
}

/** Delivery status of the e-mails about a quote, for anybody who can read the quote. */
export const quoteLettersRoute: Route = {
  method: 'GET',
  path: `${quote.url}/{id}/letters`,
  title: 'List the e-mails to the customer about a quote with their delivery status, latest first',
  allow: SELL,
  listOf: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(quote, actor, await engine.idOf(quote, actor, params.id))
    return wholeList(await lettersAbout(engine, me.clientId, String(about)))
  },
}
