import { systemActor } from '#kernel/roles.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { card } from '../cards/card.ts'
import { invoiceIssued, invoiceSendRequested } from '../invoices/events.ts'
import { invoice } from '../invoices/invoice.ts'
import { invoiceFactsOf, queueDocumentMail } from '../invoices/letters.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { invoiceMail, proFormaMail } from '../invoices/mail.ts'
import { invoiceSheet } from '../invoices/paper.ts'
import { describeCard } from '../payments/names.ts'
import { dunningSituationOf } from './situation.server.ts'

/** The name of the card that is charged for an invoice, and the day; `undefined` where the customer pays it themselves. */
async function automaticChargeDate(
  c: Context,
  owed: InvoiceRow,
): Promise<{ readonly card: string; readonly on: string } | undefined> {
  const found = owed.state === 'open' ? await dunningSituationOf(c, owed) : undefined
  const next = found?.next.find(({ kind }) => kind === 'charge')
  const kept = next && found && found.card !== null ? await c.get(card, found.card) : undefined
  return next && kept ? { card: describeCard(kept), on: next.on } : undefined
}

/** Sends an invoice to its customer, with the day on which their card is charged for it. */
async function sendInvoice(engine: Engine, clientId: number, id: number, { again }: { again: boolean }): Promise<void> {
  const why = { actor: systemActor(clientId, 'e-mail an invoice to its customer'), requestId: 'letter' }
  const found = await engine.inTenant(clientId, why, async (c) => {
    const row = await c.get(invoice, id)
    const charged = row && (await automaticChargeDate(c, row))
    return () => row && { row, charged }
  })
  // Already sent, on a retry after a crash.
  if (!found || found.row.state === 'void' || (found.row.sentAt !== null && !again)) return
  const { row, charged } = found
  const isDraft = row.state === 'draft'
  await queueDocumentMail(engine, clientId, {
    to: row.buyer?.email ?? '',
    mail: isDraft ? proFormaMail(invoiceFactsOf(row)) : invoiceMail({ ...invoiceFactsOf(row), charged }),
    sheet: invoiceSheet(row),
    from: row.supplier,
    about: { r: invoice, id },
    template: isDraft ? 'pro-forma' : 'invoice',
    kept: !isDraft,
  })
}

export const sendIssued = eventHandler(invoiceIssued, {
  name: 'invoice.send-issued',
  queue: 'events',
  send: ({ engine, clientId }, { invoice: id }) => sendInvoice(engine, clientId, id, { again: false }),
})

export const sendAgain = eventHandler(invoiceSendRequested, {
  name: 'invoice.send-again',
  queue: 'events',
  send: ({ engine, clientId }, { invoice: id }) => sendInvoice(engine, clientId, id, { again: true }),
})
