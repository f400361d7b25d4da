import { problem, violation } from '#kernel/errors.ts'
import { date } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { londonDate, parseLeadingDate } from '#kernel/time.ts'
import { prepareSql } from '#server/data/values.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { loadAgedDebts } from '../debtors/debtors.server.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { financialDocumentPdfResponse, loadSupplier } from '../print/financial-document.server.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { buildCustomerStatementDocument, type CustomerStatement } from './statement.ts'

const USUAL_DAYS = 90

/**
 * Account movements in one query. All movements before the first day become one undated row; each later movement has
 * the balance after it.
 */
const MOVES =
  prepareSql(`SELECT NULL AS day, 0::bigint AS id, '' AS description, coalesce(sum(e.amount), 0)::bigint AS amount
    FROM ledger_entry e WHERE e.client_id = $1 AND e.customer_id = $2 AND e.account = 'receivable' AND e.day < $3::date
  UNION ALL
  SELECT t.day::text, t.id, t.description, sum(e.amount)::bigint
    FROM ledger_entry e JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
    WHERE e.client_id = $1 AND e.customer_id = $2 AND e.account = 'receivable' AND e.day BETWEEN $3::date AND $4::date
    GROUP BY t.day, t.id, t.description HAVING sum(e.amount) <> 0
  ORDER BY 1 NULLS FIRST, 2`)

type Move = readonly [day: string | null, id: unknown, description: string, amount: number | string]

async function statementOf(c: Context, id: number, from: string, to: string): Promise<CustomerStatement | undefined> {
  const { tx } = c.work
  const [of, moved, debts, supplier] = await settleAll(
    c.get(customer, id),
    tx.arrays(MOVES, [c.clientId, id, from, to]),
    loadAgedDebts(tx, c.clientId, to, id),
    loadSupplier(c, c),
  )
  if (!of) return undefined
  const [before, ...moves] = moved as unknown as readonly Move[]
  const opening = Number(before?.[3] ?? 0)
  let balance = opening
  const lines = moves.map(([day, , description, amount]) => {
    balance += Number(amount)
    return { day: day ?? from, description, amount: Number(amount), balance }
  })
  return {
    currency: of.currency,
    from,
    to,
    opening,
    lines,
    closing: balance,
    overdue: debts.reduce(
      (sum, { days, currency, amount }) => (days > 0 && currency === of.currency ? sum + amount : sum),
      0,
    ),
    supplier,
    buyer: await loadInvoiceBuyer(c, of),
  }
}

/** Returns a statement to users who can read the customer. */
async function read({
  engine,
  actor,
  me,
  params,
  query,
  now,
  request,
}: RouteContext): Promise<{ id: number; statement: CustomerStatement }> {
  const id = await engine.idOf(customer, actor, params.id)
  await engine.one(customer, actor, id)
  const to = parseLeadingDate(String(query.to ?? '')) ?? londonDate(now).toString()
  const from =
    parseLeadingDate(String(query.from ?? '')) ?? Temporal.PlainDate.from(to).subtract({ days: USUAL_DAYS }).toString()
  if (from > to) throw problem.invalid([violation('to', 'The last day can’t be before the first day')])
  const statement = await engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    const found = await statementOf(c, id, from, to)
    return () => found
  })
  if (!statement) throw problem.notFound()
  return { id, statement }
}

const PERIOD = {
  from: date({ help: 'First day; defaults to 90 days before the last day.' }),
  to: date({ help: 'Last day; defaults to today.' }),
}

const statementRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/financial/customers/{id}/statement',
    title: 'Get a customer’s opening balance, transactions and closing balance',
    allow: SELLING_ROLES,
    query: PERIOD,
    refuses: [422],
    handle: async (c) => {
      const { id, statement } = await read(c)
      return { '@id': `${iriOf(customer, id)}/statement`, '@type': 'Statement', ...statement }
    },
  },
  {
    method: 'GET',
    path: '/api/financial/customers/{id}/statement/pdf',
    title: 'Get a customer’s statement as a PDF',
    allow: SELLING_ROLES,
    query: PERIOD,
    refuses: [422],
    file: ['application/pdf'],
    handle: async (c) =>
      financialDocumentPdfResponse(
        c.engine,
        c.me.clientId,
        buildCustomerStatementDocument((await read(c)).statement),
        false,
      ),
  },
]

export const statements = feature({
  pack: INVOICING_PACK,
  routes: statementRoutes,
})
