import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { idFromIri, type Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import type { Query } from '#server/data/filters.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { card } from '../cards/card.ts'
import { coupon } from '../catalogue/coupon.ts'
import { PRICING_ROLES, SELLING_ROLES, STAFF_ROLE } from '../rights.ts'
import { customer } from './customer.ts'
import { completeCustomerBody } from './customer-from.server.ts'
import { insuranceSale } from './insurance-sale.ts'

/** Route for records below another record, for selling roles. */
const under = (
  path: string,
  title: string,
  of: Resource,
  r: Resource,
  where: (id: string) => string,
  { usual = {}, allow = SELLING_ROLES }: { readonly usual?: Query; readonly allow?: Roles } = {},
): Route => subListRoute({ path, title, of, r, where, defaults: usual, allow })

const madeAnswer = (made: { readonly '@id': string }) => new RouteResponse(201, made, { location: made['@id'] })

export const customerRoutes: readonly Route[] = [
  under(
    '/api/financial/customers/{id}/coupons',
    'Get the coupon of a customer',
    customer,
    coupon,
    (id) => `t.id = (SELECT c.coupon_id FROM customer c WHERE c.client_id = t.client_id AND c.id = ${id})`,
  ),
  under(
    '/api/financial/customers/{id}/cards',
    'List the active cards of a customer',
    customer,
    card,
    (id) => `t.customer_id = ${id}`,
    { usual: { retired: 'false' }, allow: STAFF_ROLE },
  ),
  under(
    '/api/crm/contacts/{id}/insurance_sales',
    'List the insurance policies sold to a contact, newest first',
    contact,
    insuranceSale,
    (id) => `t.contact_id = ${id}`,
    { allow: STAFF_ROLE },
  ),
  {
    method: 'GET',
    path: '/api/financial/coupons/detach/{id}',
    writesOnGet: true,
    title: 'Remove the coupon of the customer with this ID; with ?customer=, the ID is the coupon’s',
    query: { customer: text({ help: 'A customer, by IRI or ID.' }) },
    allow: SELLING_ROLES,
    handle: async (c) => {
      const given = c.params.id
      const named = typeof c.query.customer === 'string' ? c.query.customer : undefined
      const at = named === undefined ? given : (idFromIri(customer, named) ?? named)
      const id = await c.engine.idOf(customer, c.actor, at)
      if (named !== undefined) {
        const { coupon: held } = await c.engine.one(customer, c.actor, id)
        if (held?.id !== readId(given)) throw problem.conflict('This customer does not have that coupon.')
      }
      return c.engine.act(customer, 'detachCoupon', id, {}, c.change())
    },
  },
  {
    method: 'POST',
    path: '/api/financial/coupon',
    title: 'Create a coupon (the same as at /api/financial/coupons)',
    allow: PRICING_ROLES,
    handle: async (c) => madeAnswer(await c.engine.create(coupon, c.body, c.change(madeAnswer))),
  },
  {
    method: 'POST',
    path: '/api/financial/customers/from',
    title: 'Create a customer from a contact or a client',
    allow: STAFF_ROLE,
    handle: async (c) =>
      madeAnswer(
        await c.engine.create(customer, await completeCustomerBody(c.engine, c.me, c.body), c.change(madeAnswer)),
      ),
  },
]
