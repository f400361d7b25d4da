import { text } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { firstOf } from '#server/data/filters.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { SELLER_ROLE } from '../rights.ts'
import { countedSale } from './counted-sale.ts'

const { day, seller, amount, currency, what, product, contact, company, sale, notes } = countedSale.fields
const input = { day, seller, amount, currency, what, product, contact, company, sale, notes }

/** Sales under the addresses of the sales service: the same records and rules. */
export const saleRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/sales/sales/create',
    title: 'Enter a sale by hand; a deal that is already counted returns its sale',
    allow: SELLER_ROLE,
    input,
    handle: async (c) => {
      const named = typeof c.body.sale === 'string' || typeof c.body.sale === 'number' ? String(c.body.sale) : ''
      const query = { sale: named, retired: 'false' }
      const known = named
        ? (await c.engine.list(countedSale, c.me, query, { limit: 1, offset: 0 }, { count: false })).members[0]
        : undefined
      if (known) return new RouteAnswer(200, { ...known }, { location: iriOf(countedSale, known.id) })
      const answer = (made: { readonly '@id': string }) => new RouteAnswer(201, { ...made }, { location: made['@id'] })
      return answer(await c.engine.create(countedSale, c.body, c.change(answer)))
    },
  },
  {
    method: 'PUT',
    path: '/api/sales/sales_stats/update/{id}',
    title: 'Change a counted sale',
    allow: SELLER_ROLE,
    input,
    refuses: [403, 409],
    handle: async (c) => {
      const id = await c.engine.idOf(countedSale, c.me, c.params.id)
      return c.engine.update(countedSale, id, c.body, c.change())
    },
  },
  {
    method: 'DELETE',
    path: '/api/sales/sales_stats/delete/{id}',
    title: 'Remove a sale from the figures; its commission is clawed back',
    allow: SELLER_ROLE,
    query: { reason: text({ help: 'Reason, shown in the seller’s commission.' }) },
    refuses: [403, 409],
    handle: async (c) => {
      const id = await c.engine.idOf(countedSale, c.me, c.params.id)
      const reason = firstOf(c.query.reason) || 'Deleted'
      const gone = () => new RouteAnswer(204)
      await c.engine.act(countedSale, 'retire', id, { reason }, c.change(gone))
      return gone()
    },
  },
]
