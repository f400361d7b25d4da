import { eventHandler } from '#server/engine/handler.ts'
import { invoice } from '../invoices/invoice.ts'
import { invoiceFactsOf, queueDocumentMail } from '../invoices/letters.server.ts'
import { creditNoteMail } from '../invoices/mail.ts'
import { creditSheet } from '../invoices/paper.ts'
import { creditNote } from './credit-note.ts'
import { creditIssued } from './events.ts'

/** E-mails a credit note to the recipient of its invoice. */
const sendCredit = eventHandler(creditIssued, {
  name: 'credit-note.send-issued',
  queue: 'events',
  send: async ({ engine, clientId }, { creditNote: id, invoice: of }) => {
    const [note, row] = await engine.readIn(clientId, 'e-mail a credit note to its customer', async (c) => [
      await c.get(creditNote, id),
      await c.get(invoice, of),
    ])
    if (!note || !row) return
    const { number, date } = row
    await queueDocumentMail(engine, clientId, {
      to: note.buyer.email,
      mail: creditNoteMail({ ...invoiceFactsOf(row), credit: note.number, credited: note.total, reason: note.reason }),
      sheet: creditSheet({ ...note, invoice: { number, date } }),
      from: note.supplier,
      about: { r: creditNote, id },
      template: 'credit-note',
      kept: true,
    })
  },
})

export const creditHandlers = [sendCredit]
