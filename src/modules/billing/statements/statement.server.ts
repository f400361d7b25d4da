import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { choice, date } from '#kernel/fields.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { composeEmail, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk, londonDate, parseLeadingDate } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { storeAttachment } from '#modules/portal/mail/claim.server.ts'
import { type EmailRequest, emailRequested } from '#modules/portal/mail/letter.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { type ExternalHandlerContext, eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { loadAgedDebts } from '../debtors/debtors.server.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import {
  countTowardsDailyMailLimit,
  createFinancialDocumentPdfResponse,
  customerMailSender,
  formatFinancialDocumentFileName,
  loadSupplier,
  renderFinancialDocument,
} from '../print/financial-document.server.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import {
  buildCustomerStatementDocument,
  type CustomerStatement,
  describeStatementMovement,
  statementEmail,
  statementMail,
} from './statement.ts'

const USUAL_DAYS = 90

/**
 * Account movements in one currency. All movements before the first day become one undated row; each later movement
 * has the balance after it.
 */
const MOVES = `SELECT NULL AS day, 0::bigint AS id, '' AS description, '' AS kind, '' AS source, '' AS method, '' AS reference,
      coalesce(sum(e.amount), 0)::bigint AS amount
    FROM ledger_entry e
    WHERE e.client_id = $1 AND e.customer_id = $2 AND e.account = 'receivable' AND e.day < $3::date AND e.currency = $5
  UNION ALL
  SELECT t.day::text, t.id, t.description, t.kind, t.source, coalesce(k.method, ''), coalesce(k.reference, ''), sum(e.amount)::bigint
    FROM ledger_entry e JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
    LEFT JOIN refund r ON t.source = 'Refund' AND r.client_id = t.client_id AND r.id = t.source_id
    LEFT JOIN charge k ON t.source IN ('Charge', 'Refund') AND k.client_id = t.client_id AND k.id = coalesce(r.charge_id, t.source_id)
    WHERE e.client_id = $1 AND e.customer_id = $2 AND e.account = 'receivable' AND e.day BETWEEN $3::date AND $4::date AND e.currency = $5
    GROUP BY t.day, t.id, t.description, t.kind, t.source, k.method, k.reference HAVING sum(e.amount) <> 0
  ORDER BY 1 NULLS FIRST, 2`

interface Move {
  readonly day: string | null
  readonly description: string
  readonly kind: string
  readonly source: string
  readonly method: string
  readonly reference: string
  readonly amount: number | string
}

const CURRENCIES_OF = `SELECT DISTINCT currency FROM ledger_entry WHERE client_id = $1 AND customer_id = $2 AND account = 'receivable'
    AND day <= $3::date ORDER BY 1`

/** Returns the currencies of a customer's entries up to a day; the customer's own currency comes first. */
async function currenciesOf(c: Context, of: RowOf<typeof customer>, to: string): Promise<readonly Currency[]> {
  const found = await c.work.tx.rows<{ currency: Currency }>(CURRENCIES_OF, [c.clientId, of.id, to])
  const all = found.map(({ currency }) => currency)
  return [...all.filter((one) => one === of.currency), ...all.filter((one) => one !== of.currency)]
}

interface Period {
  readonly from: string
  readonly to: string
}

async function statementOf(
  c: Context,
  of: RowOf<typeof customer>,
  { from, to }: Period,
  currency: Currency,
  currencies: readonly Currency[],
): Promise<CustomerStatement> {
  const { tx } = c.work
  const [moved, debts, supplier, buyer] = await settleAll(
    tx.rows<Move>(MOVES, [c.clientId, of.id, from, to, currency]),
    loadAgedDebts(tx, c.clientId, to, of.id),
    loadSupplier(c, c),
    loadInvoiceBuyer(c, of),
  )
  const [before, ...moves] = moved
  const opening = Number(before?.amount ?? 0)
  let balance = opening
  const lines = moves.map(({ day, amount, ...move }) => {
    balance += Number(amount)
    const description = describeStatementMovement({ ...move, day: day ?? from })
    return { day: day ?? from, description, amount: Number(amount), balance }
  })
  const late = debts.filter((debt) => debt.days > 0 && debt.currency === currency)
  return {
    currency,
    currencies,
    from,
    to,
    opening,
    lines,
    closing: balance,
    overdue: late.reduce((sum, { amount }) => sum + amount, 0),
    supplier,
    buyer,
  }
}

/** Returns the period of a statement, by default the 90 days to today. Throws 422 if it ends before it starts. */
function periodOf({ now }: Pick<Context, 'now'>, given: { readonly from?: unknown; readonly to?: unknown }): Period {
  const to = parseLeadingDate(toText(given.to)) ?? londonDate(now).toString()
  const from =
    parseLeadingDate(toText(given.from)) ?? Temporal.PlainDate.from(to).subtract({ days: USUAL_DAYS }).toString()
  if (from > to) throw problem.invalid([violation('to', 'The last day can’t be before the first day')])
  return { from, to }
}

/** Returns a statement to users who can read the customer. */
async function read(c: RouteContext): Promise<{ id: number; statement: CustomerStatement }> {
  const { engine, actor, me, params, query, request } = c
  const id = await engine.idOf(customer, actor, params.id)
  await engine.one(customer, actor, id)
  const period = periodOf(c, query)
  const asked = firstQueryValue(query.currency)
  if (asked && !CURRENCIES.some((one) => one === asked))
    throw problem.badRequest(`"currency" must be one of: ${CURRENCIES.join(', ')}.`)
  const statement = await engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (unit) => {
    const of = await unit.get(customer, id)
    const currencies = of && (await currenciesOf(unit, of, period.to))
    const found = of && (await statementOf(unit, of, period, (asked || of.currency) as Currency, currencies ?? []))
    return () => found
  })
  if (!statement) throw problem.notFound()
  return { id, statement }
}

const QUERY = {
  from: date({ help: 'First day; defaults to 90 days before the last day.' }),
  to: date({ help: 'Last day; defaults to today.' }),
  currency: choice(CURRENCIES, { help: 'Defaults to the customer’s currency.' }),
}

const statementRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/financial/customers/{id}/statement',
    title: 'Get a customer’s opening balance, transactions and closing balance in one currency',
    allow: SELLING_ROLES,
    query: QUERY,
    refuses: [422],
    handle: async (c) => {
      const { id, statement } = await read(c)
      return { '@id': `${iriOf(customer, id)}/statement`, '@type': 'Statement', ...statement }
    },
  },
  {
    method: 'GET',
    path: '/api/financial/customers/{id}/statement/pdf',
    title: 'Get a customer’s statement in one currency as a PDF',
    allow: SELLING_ROLES,
    query: QUERY,
    refuses: [422],
    file: ['application/pdf'],
    handle: async (c) =>
      createFinancialDocumentPdfResponse(
        c.engine,
        c.me.clientId,
        buildCustomerStatementDocument((await read(c)).statement),
        false,
      ),
  },
]

const statementRequested = defineEvent({
  kind: 'statement.send',
  version: 1,
  payload: z.object({ statement: z.int() }),
})

interface StatementRequest {
  readonly from?: string | null
  readonly to?: string | null
  readonly again?: boolean | null
}

/**
 * Requests an e-mail with a customer's statements. The customer's row is locked. Throws 409 if the customer has no
 * transactions or no e-mail address or, unless `again` is set, if the same statement has already been requested.
 */
export async function requestStatementEmail(
  c: Context,
  of: RowOf<typeof customer>,
  { again, ...given }: StatementRequest,
): Promise<void> {
  const period = periodOf(c, given)
  if (!(await currenciesOf(c, of, period.to)).length)
    throw problem.conflict('There are no transactions on this account, so there is no statement to send.')
  const recipient = (await loadInvoiceBuyer(c, of)).email
  if (!isEmail(recipient))
    throw problem.conflict('This customer has no e-mail address for invoices. Enter one on the customer’s page.')
  const former = await c.find(statementEmail, { customer: of.id, to: period.to })
  if (!again && former.length)
    throw problem.conflict(
      `A statement to ${formatIsoDateAsUk(period.to)} has already been requested for this customer. To send it again, choose “Send again”.`,
      'already_there',
    )
  const made = await c.withoutPermissionCheck('record a statement that is to be e-mailed').create(statementEmail, {
    customer: of.id,
    company: of.companyName ?? '',
    recipient,
    ...period,
    createdAt: c.now.toString(),
  })
  await c.emit(statementRequested, { statement: (await made.saved()).id })
  await countTowardsDailyMailLimit(c, recipient)
}

/** Prints the statements and queues one e-mail with them. A repeated call queues nothing more. */
async function sendStatement({ engine, clientId }: ExternalHandlerContext, id: number): Promise<void> {
  const why = { actor: createSystemActor(clientId, 'e-mail a statement to a customer'), requestId: 'letter' }
  const found = await engine.inTenant(clientId, why, async (c) => {
    const row = await c.get(statementEmail, id)
    const of = row && row.queuedAt === null ? await c.get(customer, row.customer) : undefined
    const all: CustomerStatement[] = []
    const currencies = row && of ? await currenciesOf(c, of, row.to) : []
    if (row && of) for (const currency of currencies) all.push(await statementOf(c, of, row, currency, currencies))
    return () => row && { row, all }
  })
  const [first] = found?.all ?? []
  if (!found || !first) return
  const { row } = found
  // A currency that was settled before the period no longer has a statement.
  const moved = found.all.filter(({ lines, opening }) => lines.length > 0 || opening !== 0)
  const all = moved.length ? moved : [first]
  const files: Parameters<typeof storeAttachment>[1][] = []
  for (const sheet of all.map(buildCustomerStatementDocument))
    files.push({
      filename: formatFinancialDocumentFileName(sheet),
      contentType: 'application/pdf',
      bytes: await renderFinancialDocument(engine, clientId, sheet, false),
    })
  await engine.inTenant(clientId, why, async (c) => {
    const locked = await c.lock(statementEmail, id)
    if (locked.queuedAt !== null) return () => undefined
    const attachments: EmailRequest['attachments'] = []
    for (const file of files) attachments.push(await storeAttachment(c, file))
    const facts = { ...first, to: row.to, balances: all, provider: PORTAL_NAME_PLACEHOLDER }
    await c.emit(emailRequested, {
      to: row.recipient,
      ...composeEmail(statementMail, facts),
      ...customerMailSender(clientId, first.supplier),
      about: iriOf(statementEmail, id),
      attachments,
    })
    await c.set(statementEmail, locked, { queuedAt: c.now.toString() }, 'queue')
    return () => undefined
  })
}

export const statements = feature({
  pack: INVOICING_PACK,
  resources: [statementEmail],
  routes: statementRoutes,
  handlers: [
    eventHandler(statementRequested, {
      name: 'statement.send',
      queue: 'events',
      send: (to, { statement }) => sendStatement(to, statement),
    }),
  ],
  emails: [statementMail],
})
