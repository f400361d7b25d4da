import { problem } from '#kernel/errors.ts'
import { idByIri, readId } from '#kernel/iri.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { ifMatch } from '#server/http/request.ts'
import { customer } from '../customers/customer.ts'
import { pdfAnswer } from '../print/pdf.server.ts'
import { SELL } from '../rights.ts'
import { quoteLettersRoute } from './letters.server.ts'
import { previewRoute } from './preview.server.ts'
import { quote } from './quote.ts'

export const quoteRoutes: readonly Route[] = [
  quoteLettersRoute,
  previewRoute,
  listRoute(quote, '/api/financial/customers/{id}/quotes', 'List the quotes of a customer, newest first', async (c) => {
    const id = await c.engine.idOf(customer, c.actor, c.params.id)
    await c.engine.one(customer, c.actor, id)
    return { extra: [{ sql: (next) => `t.customer_id = ${next(id)}::bigint` }] }
  }),
  {
    method: 'PUT',
    path: '/api/financial/quotes',
    title: 'Change the quote named by "@id" or "id" in the body',
    allow: SELL,
    refuses: [412],
    handle: (c) => {
      const { '@id': iri, id } = c.body
      const named = typeof iri === 'string' ? idByIri(quote, iri) : readId(id)
      if (named === undefined)
        throw problem.badRequest('Name the quote with "@id", such as "/api/financial/quotes/12", or "id".')
      const matches = ifMatch(c.request, c.engine)
      return c.engine.update(quote, named, c.body, { actor: c.me, requestId: c.request.id, ...matches })
    },
  },
  {
    method: 'GET',
    path: '/api/financial/quotes/{id}/pdf',
    title: 'Get the quote as a PDF',
    allow: SELL,
    file: ['application/pdf'],
    handle: async (c) => {
      const q = await c.engine.one(quote, c.actor, await c.engine.idOf(quote, c.actor, c.params.id))
      return pdfAnswer(c.engine, c.me.clientId, q)
    },
  },
]
