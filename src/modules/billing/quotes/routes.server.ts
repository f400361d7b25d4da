import { problem } from '#kernel/errors.ts'
import { idByIri, readId } from '#kernel/iri.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { ifMatch } from '#server/http/request.ts'
import { customer } from '../customers/customer.ts'
import { quotePdfResponse } from '../print/pdf.server.ts'
import { SELLING_ROLES } from '../rights.ts'
import { quoteMailsRoute } from './letters.server.ts'
import { quotePreviewRoute } from './preview.server.ts'
import { quote } from './quote.ts'

export const quoteRoutes: readonly Route[] = [
  quoteMailsRoute,
  quotePreviewRoute,
  listRoute(quote, '/api/financial/customers/{id}/quotes', 'List the quotes of a customer, newest first', async (c) => {
    const id = await c.engine.idOf(customer, c.actor, c.params.id)
    await c.engine.one(customer, c.actor, id)
    return { extra: [{ sql: (next) => `t.customer_id = ${next(id)}::bigint` }] }
  }),
  {
    method: 'PUT',
    path: '/api/financial/quotes',
    title: 'Change the quote named by "@id" or "id" in the body',
    allow: SELLING_ROLES,
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
    allow: SELLING_ROLES,
    file: ['application/pdf'],
    handle: async (c) => {
      const q = await c.engine.one(quote, c.actor, await c.engine.idOf(quote, c.actor, c.params.id))
      return quotePdfResponse(c.engine, c.me.clientId, q)
    },
  },
]
