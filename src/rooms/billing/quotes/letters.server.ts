import { iriOf } from '#kernel/resource.ts'
import { type Letter, letter } from '#rooms/portal/mail/letter.ts'
import { lettersAbout } from '#rooms/portal/offers.server.ts'
import type { Context } from '#server/engine/context.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { customersLink } from '../letters/letter.server.ts'
import { SELL } from '../rights.ts'
import { quote } from './quote.ts'

/** Puts a letter about a quote into the outbox. It carries the customer's link, so the portal keeps it without its body. */
export const post = (
  c: Pick<Context, 'after' | 'now'>,
  { id, emailTo, expiresAt }: { readonly id: number; readonly emailTo: string; readonly expiresAt: string | null },
  mail: { subject: string; body: string },
  template: string,
  attachments: Letter['attachments'] = [],
): Promise<void> => {
  const link = { kind: customersLink.kind, about: { quote: id, expiresAt: expiresAt ?? c.now.toString() } }
  return c.after(letter, {
    to: emailTo,
    ...mail,
    confidential: true,
    template,
    link,
    about: iriOf(quote, id),
    attachments,
  })
}

/** What became of the letters to a quote's customer, for whoever may read the quote. */
export const quoteLettersRoute: Route = {
  method: 'GET',
  path: `${quote.url}/{id}/letters`,
  title: 'The e-mails to the customer about a quote, the latest first, and what became of each',
  allow: SELL,
  lists: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(quote, actor, await engine.idOf(quote, actor, params.id))
    return wholeList(await lettersAbout(engine, me.clientId, String(about)))
  },
}
