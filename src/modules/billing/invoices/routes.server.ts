import type { Route } from '#server/engine/route.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { sheetAnswer } from '../print/sheet.server.ts'
import { SELL } from '../rights.ts'
import { invoice } from './invoice.ts'
import { invoiceLettersRoute } from './letters.server.ts'
import { invoiceSheet } from './paper.ts'
import { previewRoute } from './preview.server.ts'

export const invoiceRoutes: readonly Route[] = [
  invoiceLettersRoute,
  previewRoute,
  subListRoute({
    path: '/api/financial/customers/{id}/invoices',
    title: 'The invoices of a customer, the latest first',
    of: customer,
    r: invoice,
    where: (id) => `t.customer_id = ${id}`,
    allow: SELL,
  }),
  {
    method: 'GET',
    path: '/api/financial/invoices/{id}/pdf',
    title: 'The invoice as a PDF; a draft as a pro forma',
    allow: SELL,
    file: ['application/pdf'],
    handle: async (c) => {
      const row = await c.engine.one(invoice, c.actor, await c.engine.idOf(invoice, c.actor, c.params.id))
      return sheetAnswer(c.engine, c.me.clientId, invoiceSheet(row), row.state !== 'draft')
    },
  },
]
