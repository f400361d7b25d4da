import { problem } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import { createSystemActor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { buildInvoiceDocument } from '../invoices/paper.ts'
import { ensurePayLink } from '../invoices/pay-link.server.ts'
import { createFinancialDocumentPdfResponse } from '../print/financial-document.server.ts'
import { quote, quoteStatusId } from '../quotes/quote.ts'
import { BILLING_ADMIN_ROLE } from '../rights.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { RECEIVED_INVOICE_PAYER_ROLE, RECEIVED_INVOICES_URL, type ReceivedInvoice } from './bill.ts'

/** Maximum number of invoices returned, latest first; older ones can be fetched by ID. */
const MAX_INVOICES = 500

/**
 * Query for the provider's invoices to the customers linked to this client. This is the client's only access to the
 * provider's books. The client comes from the session, not from the request. Only the provider's tenant is queried,
 * because other sellers' customers are not users of the portal.
 */
const OF_CLIENT = `SELECT i.id, i.number, i.date::text AS date, i.due_on::text AS "dueOn", i.currency, i.total::float AS total, i.amount_due::float AS "amountDue", i.state
  FROM invoice i JOIN customer k ON k.client_id = i.client_id AND k.id = i.customer_id
  WHERE i.client_id = ${PROVIDER_CLIENT_ID} AND k.account_id = $1 AND i.number <> ''`

type Row = Omit<ReceivedInvoice, '@id' | '@type'>
const billOf = (row: Row): ReceivedInvoice => ({ '@id': `${RECEIVED_INVOICES_URL}/${row.id}`, '@type': 'Bill', ...row })

const bills = (engine: Engine, clientId: number): Promise<ReceivedInvoice[]> =>
  engine.db.tx({ clientId: PROVIDER_CLIENT_ID }, async (tx) =>
    (await tx.rows<Row>(`${OF_CLIENT} ORDER BY i.date DESC, i.id DESC LIMIT ${MAX_INVOICES}`, [clientId])).map(billOf),
  )

/** Reads one received invoice. Throws 404 if it is not addressed to this client. */
async function billAt(engine: Engine, clientId: number, given: string | undefined): Promise<ReceivedInvoice> {
  const id = parseId(given)
  const [row] = id
    ? await engine.db.tx({ clientId: PROVIDER_CLIENT_ID }, (tx) =>
        tx.rows<Row>(`${OF_CLIENT} AND i.id = $2`, [clientId, id]),
      )
    : []
  if (!row) throw problem.notFound()
  return billOf(row)
}

/** The provider's invoices to a company. The company's administrator reads them, and pays through a payment link. */
const billRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: RECEIVED_INVOICES_URL,
    title: 'List the provider’s invoices to your company, latest first',
    allow: RECEIVED_INVOICE_PAYER_ROLE,
    listOf: 'objects',
    handle: async (c) => hydraCollection(await bills(c.engine, c.me.clientId)),
  },
  {
    method: 'GET',
    path: `${RECEIVED_INVOICES_URL}/{id}`,
    title: 'Get one of the provider’s invoices to your company',
    allow: RECEIVED_INVOICE_PAYER_ROLE,
    handle: async (c) => ({ ...(await billAt(c.engine, c.me.clientId, c.params.id)) }),
  },
  {
    method: 'GET',
    path: `${RECEIVED_INVOICES_URL}/{id}/pdf`,
    title: 'Get one of the provider’s invoices to your company as a PDF',
    allow: RECEIVED_INVOICE_PAYER_ROLE,
    file: ['application/pdf'],
    handle: async (c) => {
      const { id } = await billAt(c.engine, c.me.clientId, c.params.id)
      const row = await c.engine.readIn(PROVIDER_CLIENT_ID, 'read an invoice received from the provider', (r) =>
        r.get(invoice, id),
      )
      if (!row) throw problem.notFound()
      return createFinancialDocumentPdfResponse(c.engine, PROVIDER_CLIENT_ID, buildInvoiceDocument(row), true)
    },
  },
  {
    method: 'POST',
    path: `${RECEIVED_INVOICES_URL}/{id}/pay-link`,
    title: 'Create a payment link for one of the provider’s invoices',
    allow: RECEIVED_INVOICE_PAYER_ROLE,
    secret: true,
    handle: async (c) => {
      const { id, state } = await billAt(c.engine, c.me.clientId, c.params.id)
      if (state !== 'open')
        throw problem.conflict('This invoice is not open, so there is nothing to pay.', 'wrong_state')
      const why = {
        actor: createSystemActor(PROVIDER_CLIENT_ID, `client ${c.me.clientId} pays its invoice`),
        requestId: c.request.id,
      }
      return c.engine.inTenant(PROVIDER_CLIENT_ID, why, async (unit) => {
        const url = await ensurePayLink(unit, id)
        return () => ({ url })
      })
    },
  },
]

/** States of an issued invoice. */
const ISSUED_STATES = ['open', 'paid', 'void', 'uncollectible'] as const

/**
 * A customer who has bought something remains linked to their client, because the client reads the customer's invoices.
 * Only a billing administrator may remove a wrong link.
 */
const customerGuard = guard(customer, {
  change: {
    client: async (c, { id, client: from }, to) => {
      if (from === null || (to === null && hasRole(c.actor, BILLING_ADMIN_ROLE))) return
      const hasBought =
        (await c.exists(invoice, { customer: id, state: [...ISSUED_STATES] })) ||
        (await c.exists(quote, { customer: id, status: quoteStatusId('accepted') })) ||
        (await c.exists(subscription, { customer: id }))
      if (hasBought)
        throw problem.conflict(
          'This customer has bought something, and another client would read their invoices. Create a new customer for the other client. If the link is wrong, a billing administrator can remove it.',
          'in_use',
        )
    },
  },
})

export const receivedInvoices = feature({
  guards: [customerGuard],
  routes: billRoutes,
})
