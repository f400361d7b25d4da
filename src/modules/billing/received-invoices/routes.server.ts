import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { PROVIDER, systemActor } from '#kernel/roles.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { wholeList } from '#server/http/list-route.ts'
import { invoice } from '../invoices/invoice.ts'
import { invoiceSheet } from '../invoices/paper.ts'
import { makePayLink } from '../pay-links/link.server.ts'
import { sheetAnswer } from '../print/sheet.server.ts'
import { BILLS, type Bill, PAYS } from './bill.ts'

/** Latest invoices returned; older ones are fetched by ID. */
const MOST = 500

/**
 * Reads the provider's invoices to the customers linked to this client: the only access of a client to the provider's
 * books. The client comes from the session, not from the request. Only the provider's tenant is read, as other sellers
 * have no clients here.
 */
const OF_CLIENT = `SELECT i.id, i.number, i.date::text AS date, i.due_on::text AS "dueOn", i.currency, i.total::float AS total, i.amount_due::float AS "amountDue", i.state
  FROM invoice i JOIN customer k ON k.client_id = i.client_id AND k.id = i.customer_id
  WHERE i.client_id = ${PROVIDER} AND k.account_id = $1 AND i.number <> ''`

type Row = Omit<Bill, '@id' | '@type'>
const billOf = (row: Row): Bill => ({ '@id': `${BILLS}/${row.id}`, '@type': 'Bill', ...row })

const bills = (engine: Engine, clientId: number): Promise<Bill[]> =>
  engine.db.tx({ clientId: PROVIDER }, async (tx) =>
    (await tx.rows<Row>(`${OF_CLIENT} ORDER BY i.date DESC, i.id DESC LIMIT ${MOST}`, [clientId])).map(billOf),
  )

/** One of them. Throws 404 for invoices that are not addressed to this client. */
async function billAt(engine: Engine, clientId: number, given: string | undefined): Promise<Bill> {
  const id = readId(given)
  const [row] = id
    ? await engine.db.tx({ clientId: PROVIDER }, (tx) => tx.rows<Row>(`${OF_CLIENT} AND i.id = $2`, [clientId, id]))
    : []
  if (!row) throw problem.notFound()
  return billOf(row)
}

/** The provider's invoices to a company: its administrator reads them, and pays by payment link. */
const billRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: BILLS,
    title: 'List the provider’s invoices to your own company, latest first',
    allow: PAYS,
    listOf: 'objects',
    handle: async (c) => wholeList(await bills(c.engine, c.me.clientId)),
  },
  {
    method: 'GET',
    path: `${BILLS}/{id}`,
    title: 'Get one of the provider’s invoices to your own company',
    allow: PAYS,
    handle: async (c) => ({ ...(await billAt(c.engine, c.me.clientId, c.params.id)) }),
  },
  {
    method: 'GET',
    path: `${BILLS}/{id}/pdf`,
    title: 'Get one of the provider’s invoices to your own company as a PDF',
    allow: PAYS,
    file: ['application/pdf'],
    handle: async (c) => {
      const { id } = await billAt(c.engine, c.me.clientId, c.params.id)
      const row = await c.engine.readIn(PROVIDER, 'read an invoice received from the provider', (r) =>
        r.get(invoice, id),
      )
      if (!row) throw problem.notFound()
      return sheetAnswer(c.engine, PROVIDER, invoiceSheet(row), true)
    },
  },
  {
    method: 'POST',
    path: `${BILLS}/{id}/pay-link`,
    title: 'Create a payment link for one of the provider’s invoices',
    allow: PAYS,
    secret: true,
    handle: async (c) => {
      const { id, state } = await billAt(c.engine, c.me.clientId, c.params.id)
      if (state !== 'open')
        throw problem.conflict('This invoice is not open, so there is nothing to pay.', 'wrong_state')
      const why = {
        actor: systemActor(PROVIDER, `client ${c.me.clientId} pays its invoice`),
        requestId: c.request.id,
      }
      return c.engine.inTenant(PROVIDER, why, async (unit) => {
        const url = await makePayLink(unit, id)
        return () => ({ url })
      })
    },
  },
]

export const receivedInvoices = feature({
  routes: billRoutes,
})
