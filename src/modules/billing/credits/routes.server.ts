import type { Route } from '#server/engine/route.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { invoice } from '../invoices/invoice.ts'
import { buildCreditNoteDocument } from '../invoices/paper.ts'
import { financialDocumentResponse } from '../print/sheet.server.ts'
import { SELLING_ROLES } from '../rights.ts'
import { creditNote } from './credit-note.ts'

export const creditRoutes: readonly Route[] = [
  subListRoute({
    path: '/api/financial/invoices/{id}/credit_notes',
    title: 'List the credit notes of an invoice, latest first',
    of: invoice,
    r: creditNote,
    where: (id) => `t.invoice_id = ${id}`,
    allow: SELLING_ROLES,
  }),
  {
    method: 'GET',
    path: '/api/financial/credit_notes/{id}/pdf',
    title: 'Get a credit note as a PDF',
    allow: SELLING_ROLES,
    file: ['application/pdf'],
    handle: async (c) => {
      const note = await c.engine.one(creditNote, c.actor, await c.engine.idOf(creditNote, c.actor, c.params.id))
      return financialDocumentResponse(c.engine, c.me.clientId, buildCreditNoteDocument(note), true)
    },
  },
]
