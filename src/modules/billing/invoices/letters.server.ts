import { isEmail } from '#kernel/email.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import { letter, PORTAL } from '#modules/portal/mail/letter.ts'
import { keepAttachment, lettersAbout } from '#modules/portal/offers.server.ts'
import type { Context } from '#server/engine/context.ts'
import type { Engine } from '#server/engine/engine.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { inNameOf } from '../print/sender.server.ts'
import { sheetName, sheetPdf } from '../print/sheet.server.ts'
import type { Sheet } from '../print/sheet.ts'
import type { Supplier } from '../print/supplier.ts'
import { SELL } from '../rights.ts'
import { invoiceIssued, invoiceSent, invoiceVoided } from './events.ts'
import { invoice } from './invoice.ts'
import type { InvoiceRow } from './lines.server.ts'
import { type InvoiceFacts, invoiceMail, proFormaMail, voidMail } from './mail.ts'
import { invoiceSheet } from './paper.ts'

export const factsOf = (row: InvoiceRow): InvoiceFacts => ({ ...row, provider: PORTAL })

interface Posted {
  readonly to: string
  readonly mail: { readonly subject: string; readonly body: string }
  readonly sheet: Sheet
  readonly from: Supplier | null
  /** What it is about, and what the portal calls such a letter. */
  readonly about: { readonly r: Resource; readonly id: number }
  readonly template: string
  readonly kept: boolean
}

/** Puts a letter with its paper into the outbox, made before the transaction that queues it. Whom nobody writes to gets none. */
export async function postSheet(engine: Engine, clientId: number, p: Posted): Promise<void> {
  if (!isEmail(p.to)) return
  const bytes = await sheetPdf(engine, clientId, p.sheet, p.kept)
  const why = { actor: systemActor(clientId, 'a customer is sent a paper'), requestId: 'letter' }
  await engine.inTenant(clientId, why, async (c) => {
    const pdf = await keepAttachment(c, { filename: sheetName(p.sheet), contentType: 'application/pdf', bytes })
    await c.emit(letter, {
      to: p.to,
      ...p.mail,
      ...inNameOf(clientId, p.from),
      template: p.template,
      about: iriOf(p.about.r, p.about.id),
      attachments: [pdf],
    })
    // A pro forma is no invoice that has gone out.
    if (p.about.r === invoice && p.kept) {
      const row = await c.lock(invoice, p.about.id)
      await c.set(invoice, row, { sentAt: c.now.toString() }, 'send')
    }
    return () => undefined
  })
}

const rowOf = (engine: Engine, clientId: number, id: number): Promise<InvoiceRow | undefined> =>
  engine.readIn(clientId, 'an invoice goes to its customer', (c) => c.get(invoice, id))

/** The name and day of a card that is charged for an invoice by itself; nothing where the customer pays it themselves. */
export type ChargedOn = (
  c: Context,
  row: InvoiceRow,
) => Promise<{ readonly card: string; readonly on: string } | undefined>

async function sendInvoice(
  engine: Engine,
  clientId: number,
  { id, again, chargedOn }: { readonly id: number; readonly again: boolean; readonly chargedOn: ChargedOn },
): Promise<void> {
  const row = await rowOf(engine, clientId, id)
  // Tried again after a crash, it has gone already.
  if (!row || row.state === 'void' || (row.sentAt !== null && !again)) return
  const to = row.buyer?.email ?? ''
  if (!isEmail(to)) return
  const isDraft = row.state === 'draft'
  const why = { actor: systemActor(clientId, 'an invoice goes to its customer'), requestId: 'letter' }
  const charged = await engine.inTenant(clientId, why, async (c) => {
    const found = await chargedOn(c, row)
    return () => found
  })
  await postSheet(engine, clientId, {
    to,
    mail: isDraft ? proFormaMail(factsOf(row)) : invoiceMail({ ...factsOf(row), charged }),
    sheet: invoiceSheet(row),
    from: row.supplier,
    about: { r: invoice, id },
    template: isDraft ? 'pro-forma' : 'invoice',
    kept: !isDraft,
  })
}

const sending = (chargedOn: ChargedOn) => [
  eventHandler(invoiceIssued, {
    name: 'invoice.send-issued',
    queue: 'events',
    send: ({ engine, clientId }, { invoice: id }) => sendInvoice(engine, clientId, { id, again: false, chargedOn }),
  }),
  eventHandler(invoiceSent, {
    name: 'invoice.send-again',
    queue: 'events',
    send: ({ engine, clientId }, { invoice: id }) => sendInvoice(engine, clientId, { id, again: true, chargedOn }),
  }),
]

/** Whoever was sent an invoice hears that it is void. */
const tellVoid = eventHandler(invoiceVoided, {
  name: 'invoice.tell-void',
  queue: 'events',
  run: async (c, { invoice: id }) => {
    const row = await c.get(invoice, id)
    const to = row?.buyer?.email ?? ''
    if (!row || !isEmail(to)) return
    await c.emit(letter, {
      to,
      ...voidMail({ ...factsOf(row), reason: row.reason }),
      ...inNameOf(c.clientId, row.supplier),
      template: 'invoice-void',
      about: iriOf(invoice, id),
    })
  },
})

export const invoiceListeners = (chargedOn: ChargedOn) => [...sending(chargedOn), tellVoid]

export const invoiceLettersRoute: Route = {
  method: 'GET',
  path: `${invoice.url}/{id}/letters`,
  title: 'The e-mails to the customer about an invoice, the latest first, and what became of each',
  allow: SELL,
  listOf: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(invoice, actor, await engine.idOf(invoice, actor, params.id))
    return wholeList(await lettersAbout(engine, me.clientId, String(about)))
  },
}
