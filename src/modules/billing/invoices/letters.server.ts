import { isEmail } from '#kernel/email.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import { findEmailsAbout } from '#modules/portal/mail/about.server.ts'
import { storeAttachment } from '#modules/portal/mail/attachment.server.ts'
import { emailRequested, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { wholeList } from '#server/http/list-route.ts'
import { customerMailSender } from '../print/sender.server.ts'
import { financialDocumentFileName, renderFinancialDocument } from '../print/sheet.server.ts'
import type { FinancialDocument } from '../print/sheet.ts'
import type { Supplier } from '../print/supplier.ts'
import { SELLING_ROLES } from '../rights.ts'
import { invoiceVoided } from './events.ts'
import { invoice } from './invoice.ts'
import type { InvoiceRow } from './lines.server.ts'
import { type InvoiceFacts, invoiceVoidMail } from './mail.ts'

export const invoiceFactsOf = (row: InvoiceRow): InvoiceFacts => ({ ...row, provider: PORTAL_NAME_PLACEHOLDER })

interface Posted {
  readonly to: string
  readonly mail: { readonly subject: string; readonly body: string }
  readonly sheet: FinancialDocument
  readonly from: Supplier | null
  /** Record concerned, and the template name of the e-mail. */
  readonly about: { readonly r: Resource; readonly id: number }
  readonly template: string
  readonly kept: boolean
}

/** Queues an e-mail with its PDF, rendered before the transaction starts. Invalid addresses get none. */
export async function queueDocumentMail(engine: Engine, clientId: number, p: Posted): Promise<void> {
  if (!isEmail(p.to)) return
  const bytes = await renderFinancialDocument(engine, clientId, p.sheet, p.kept)
  const why = { actor: systemActor(clientId, 'e-mail a document to a customer'), requestId: 'letter' }
  await engine.inTenant(clientId, why, async (c) => {
    const pdf = await storeAttachment(c, {
      filename: financialDocumentFileName(p.sheet),
      contentType: 'application/pdf',
      bytes,
    })
    await c.emit(emailRequested, {
      to: p.to,
      ...p.mail,
      ...customerMailSender(clientId, p.from),
      template: p.template,
      about: iriOf(p.about.r, p.about.id),
      attachments: [pdf],
    })
    // A pro forma does not mark the invoice as sent.
    if (p.about.r === invoice && p.kept) {
      const row = await c.lock(invoice, p.about.id)
      await c.set(invoice, row, { sentAt: c.now.toString() }, 'send')
    }
    return () => undefined
  })
}

/** Notifies recipients of an invoice that it is void. */
export const tellVoid = eventHandler(invoiceVoided, {
  name: 'invoice.tell-void',
  queue: 'events',
  run: async (c, { invoice: id }) => {
    const row = await c.get(invoice, id)
    const to = row?.buyer?.email ?? ''
    if (!row || !isEmail(to)) return
    await c.emit(emailRequested, {
      to,
      ...invoiceVoidMail({ ...invoiceFactsOf(row), reason: row.reason }),
      ...customerMailSender(c.clientId, row.supplier),
      template: 'invoice-void',
      about: iriOf(invoice, id),
    })
  },
})

export const invoiceMailsRoute: Route = {
  method: 'GET',
  path: `${invoice.url}/{id}/letters`,
  title: 'List the e-mails to the customer about an invoice, latest first, with their status',
  allow: SELLING_ROLES,
  listOf: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(invoice, actor, await engine.idOf(invoice, actor, params.id))
    return wholeList(await findEmailsAbout(engine, me.clientId, String(about)))
  },
}
