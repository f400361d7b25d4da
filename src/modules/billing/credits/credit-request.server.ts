import { problem, violation } from '#kernel/errors.ts'
import { choice, longText, typedJson } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import type { CreditRequestLine, financeRequest } from '../approvals/finance-request.ts'
import { needsSecondPerson, requestFinanceApproval } from '../approvals/money-limit.server.ts'
import { invoice, invoiceLine } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { type CreditToIssue, computeCredit } from './compute-credit.server.ts'
import { CREDIT_DESTINATIONS, creditNote } from './credit-note.ts'

/** Requests a second person's approval of a credit note for a locked invoice. Throws 409 if it needs no approval. */
async function requestCreditNote(
  c: Context,
  of: InvoiceRow,
  { reason, to, lines: given }: { readonly reason: string; readonly to: CreditToIssue['to']; readonly lines: unknown },
): Promise<void> {
  const lines = readRequestedLines(given)
  const { sums, decided } = await computeCredit(c, of, { lines, to })
  const { id, customer, currency } = of
  if (!(await needsSecondPerson(c, { customer, amount: decided })))
    throw problem.conflict('This credit note needs no approval, so you can create it.')
  await requestFinanceApproval(c, {
    kind: 'credit',
    customer,
    invoice: id,
    amount: sums.gross,
    currency,
    reason,
    credit: { to, lines },
  })
}

const MAX_REQUESTED_LINES = 1000

/** Returns the lines of a requested credit note. Throws 422 for an invalid one. */
function readRequestedLines(given: unknown): CreditRequestLine[] {
  const wrong = (at: string, message: string) => problem.invalid([violation(at, message)])
  if (given == null) return []
  if (!Array.isArray(given) || given.length > MAX_REQUESTED_LINES)
    throw wrong('lines', `This must be a list of at most ${MAX_REQUESTED_LINES} lines`)
  return given.map((one: unknown, i) => {
    const { line: iri, quantity = null, net = null } = (one ?? {}) as Readonly<Record<string, unknown>>
    const line = idFromIriOrNumber(invoiceLine, iri)
    if (line === undefined) throw wrong(`lines[${i}].line`, 'Please choose a line from this invoice')
    if (quantity !== null && !(typeof quantity === 'number' && quantity > 0))
      throw wrong(`lines[${i}].quantity`, 'Please enter a quantity greater than 0')
    if (net !== null && !(typeof net === 'number' && Number.isSafeInteger(net)))
      throw wrong(`lines[${i}].net`, 'Please enter an amount in pence')
    return { line, quantity, net }
  })
}

/** Issues the credit note of a request that is being approved. Throws 409 if its total has changed. */
export async function issueRequestedCreditNote(c: Context, of: RowOf<typeof financeRequest>): Promise<number> {
  const { id: financeRequestId, invoice: owed, credit, reason, amount, currency } = of
  if (owed === null || !credit) throw new Error(`Finance request ${financeRequestId} names no credit note`)
  const made = await c
    .withoutPermissionCheck('issue a credit note that a second person has approved')
    .create(creditNote, {
      invoice: owed,
      reason,
      to: credit.to,
      lines: [...credit.lines],
      financeRequest: financeRequestId,
    })
  const { id } = await made.saved()
  const note = await c.get(creditNote, id)
  if (note?.total !== amount)
    throw problem.conflict(
      `${formatMoney(amount, currency)} can no longer be credited. Decline this request, and request the credit note again if it is still needed.`,
      'due_changed',
    )
  return id
}

const ASK = 'request a second person’s approval of a credit note'

export const creditRequestRoute = routeWithInput(
  {
    reason: longText({ required: 'Please enter a reason', max: 1000 }),
    to: choice(CREDIT_DESTINATIONS, { default: 'balance', label: 'Amount already paid' }),
    lines: typedJson<readonly unknown[]>()({
      help: 'A list of {line, quantity, net}, as for a credit note. Without it, the remainder is credited.',
    }),
  },
  {
    method: 'POST',
    path: `${invoice.url}/{id}/ask-credit`,
    title: 'Request a second person’s approval of a credit note above the limit',
    allow: FINANCE_ROLES,
    refuses: [409],
    of: invoice,
    handle: async ({ engine, actor, me, params, change, input }) => {
      const id = await engine.idOf(invoice, actor, params.id)
      await engine.one(invoice, actor, id)
      return engine.inTenant(me.clientId, change(), async (c) => {
        const { reason, to, lines } = input
        await requestCreditNote(c, await c.withoutPermissionCheck(ASK).lock(invoice, id), {
          reason,
          to: to ?? 'balance',
          lines,
        })
        return () => engine.one(invoice, actor, id)
      })
    },
  },
)
