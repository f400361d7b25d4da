import { hash } from 'node:crypto'
import type { Violation } from '#kernel/errors.ts'
import { problem, violation } from '#kernel/errors.ts'
import { date } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { formatIsoDateAsUk, londonDate, parseLeadingDate } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { ResourceBehaviour } from '#server/engine/behaviour.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { needsSecondPerson, requestFinanceApproval, requireWithinLimit } from '../approvals/money-limit.server.ts'
import { loadInvoiceSettings } from '../client-invoicing/invoice-settings.server.ts'
import { refuseRepeatedEmail } from '../emails/emails.server.ts'
import { lockBuyer, postTransaction } from '../ledger/ledger.server.ts'
import { pickLineVat } from '../lines/line-vat.ts'
import { countTowardsDailyMailLimit } from '../print/financial-document.server.ts'
import { SELLING_ROLES } from '../rights.ts'
import { findStockShortages, returnStockForInvoice } from '../stock/stock.server.ts'
import { findLateInvoiceWarning } from './amounts.ts'
import { deferredIncome } from './deferred-income.ts'
import { invoiceSendRequested, invoiceStateChanged, invoiceVoided } from './events.ts'
import { invoice, invoiceLine } from './invoice.ts'
import {
  findInvoiceIssuingProblems,
  invoiceIssueLedgerEntries,
  invoiceLedgerEntries,
  issuePreparedDraft,
  prepareInvoiceDraft,
} from './issue.server.ts'
import type { InvoiceRow } from './lines.server.ts'
import { canPayByCard } from './pay-link.server.ts'
import { applyCustomerCredits, reinstateInvoice, writeOffOrRequest } from './settle.server.ts'

/**
 * Returns a fingerprint of the invoice as it would be issued now. The fingerprint proves which preview the user saw.
 */
function invoiceFingerprint({
  customer,
  currency,
  dueOn,
  taxPoint,
  suppliedOn,
  poNumber,
  notes,
  lines,
  totals,
  sterlingTax,
  supplier,
  buyer,
}: InvoiceRow): string {
  const said = lines.map(({ description, quantity, unitAmount, discountPercent, from, to, net, tax, ...line }) => [
    description,
    quantity,
    unitAmount,
    discountPercent,
    ...Object.values(pickLineVat(line)),
    from,
    to,
    net,
    tax,
  ])
  const whole = [
    customer,
    currency,
    dueOn,
    taxPoint,
    suppliedOn,
    poNumber,
    notes,
    said,
    totals,
    sterlingTax,
    supplier,
    buyer,
  ]
  return hash('sha256', JSON.stringify(whole), 'base64url')
}

const said = ({ propertyPath, message }: Violation) => ({ propertyPath, message })

/** Returns a warning if the customer will have no way to pay: neither card payments nor bank details are set up. */
const paymentWarnings = ({ total, supplier }: InvoiceRow, isCardAccepted: boolean) =>
  total > 0 && !supplier?.bank && !isCardAccepted
    ? [
        {
          propertyPath: 'supplier',
          message:
            'Neither card payments nor bank details are set up, so the invoice does not say how to pay. Enter your bank details in the invoice settings.',
        },
      ]
    : []

/** Error that carries the preview out of its transaction, so that the transaction is rolled back. */
class Undone extends Error {
  readonly answer: ApiRecord
  constructor(answer: ApiRecord) {
    super('The preview was rolled back')
    this.answer = answer
  }
}

/**
 * `GET invoices/{id}/preview`: returns the invoice as it would be issued now, with its postings and any problems. Saves
 * nothing and uses no invoice number. `issue` takes the fingerprint from this preview.
 */
export const invoicePreviewRoute: Route = {
  method: 'GET',
  path: `${invoice.url}/{id}/preview`,
  title: 'Preview an invoice as it would be issued now, with its ledger entries and the fingerprint for `issue`',
  allow: SELLING_ROLES,
  query: { taxPoint: date({ help: 'Date of supply; defaults to today.' }) },
  refuses: [409],
  handle: async ({ engine, actor, me, params, query, request, now }) => {
    const id = await engine.idOf(invoice, actor, params.id)
    await engine.one(invoice, actor, id)
    const why = { actor: createSystemActor(me.clientId, 'preview an invoice'), requestId: request.id }
    const taxPoint = parseLeadingDate(String(query.taxPoint ?? ''))
    const isCardAccepted = await canPayByCard(engine, me.clientId)
    const run = engine.inTenant<ApiRecord>(me.clientId, why, async (c) => {
      const row = await c.lock(invoice, id)
      if (row.state !== 'draft') throw problem.conflict(`${row.number} has already been issued.`, 'wrong_state')
      const ready = await prepareInvoiceDraft(c, row, taxPoint ? { taxPoint } : {})
      const { stockRefused } = await loadInvoiceSettings(c)
      const short = (await findStockShortages(c, ready.lines)).map(said)
      const late = taxPoint ? findLateInvoiceWarning(taxPoint, londonDate(now).toString()) : undefined
      const entries = ready.lines.length ? invoiceIssueLedgerEntries(ready, londonDate(now).toString()) : []
      throw new Undone({
        '@id': `${iriOf(invoice, id)}/preview`,
        '@type': 'InvoicePreview',
        taxPoint: ready.taxPoint,
        suppliedOn: ready.suppliedOn,
        total: ready.total,
        totals: ready.totals,
        exchangeRate: ready.exchangeRate,
        sterlingTax: ready.sterlingTax,
        supplier: ready.supplier,
        buyer: ready.buyer,
        lines: ready.lines.map((line) => ({
          line: iriOf(invoiceLine, line.id),
          ...pickLineVat(line),
          reversePercent: line.reversePercent,
          net: line.net,
          tax: line.tax,
        })),
        entries: entries
          .filter(({ amount }) => amount !== 0)
          .map(({ account, amount, taxCode = null }) => ({ account, amount, taxCode })),
        problems: [...findInvoiceIssuingProblems(ready).map(said), ...(stockRefused ? short : [])],
        /** Warnings that don't prevent issuing. */
        warnings: [
          ...(stockRefused ? [] : short),
          ...paymentWarnings(ready, isCardAccepted),
          ...(late && ready.supplier?.vatNumber ? [{ propertyPath: 'taxPoint', message: late }] : []),
        ],
        fingerprint: invoiceFingerprint(ready),
      })
    })
    return run.catch((e: unknown) => {
      const cause = e instanceof Error && e.cause instanceof Undone ? e.cause : e
      if (cause instanceof Undone) return cause.answer
      throw e
    })
  },
}

const REVERSAL_REASON = 'reverse the ledger entries of a void invoice'

/** Throws 409 for an invoice with payments or credits, which can't be voided. */
function assertVoidable(row: InvoiceRow): void {
  if (row.amountPaid || row.amountCredited)
    throw problem.conflict(
      `${row.number} has been partly ${row.amountPaid ? 'paid' : 'credited'}. Create a credit note for the remaining amount.`,
      'wrong_state',
    )
}

/** Voids an invoice. The invoice keeps its number. Returns the values to save. */
export async function voidInvoice(c: Context, row: InvoiceRow, reason: string) {
  assertVoidable(row)
  const right = c.withoutPermissionCheck(REVERSAL_REASON)
  const held = await right.lockAll(deferredIncome, { invoice: row.id })
  const lines = row.lines.map((line) => {
    const later = held.find((one) => one.line === line.id)
    const { net, tax, product } = line
    return { net, tax, ...pickLineVat(line), product, deferred: later ? later.net - later.earned : 0 }
  })
  await postTransaction(c, {
    kind: 'void',
    description: `Invoice ${row.number} voided: ${reason}`.slice(0, 500),
    currency: row.currency,
    customer: row.customer,
    source: { type: invoice.type, id: row.id },
    entries: invoiceLedgerEntries(lines, row.id, -1),
  })
  for (const one of held) await right.set(deferredIncome, one, { net: 0, earned: 0 }, 'void')
  await c.emit(invoiceStateChanged, { invoice: row.id })
  await returnStockForInvoice(c, row)
  if (row.mailQueuedAt) await c.emit(invoiceVoided, { invoice: row.id })
  return { state: 'void', amountDue: 0, reason } as const
}

/** Throws 409 for a customer who has since been retired or is billed in another currency. Locks the customer. */
async function requireUnchangedBuyer(c: Context, { customer: id, currency }: InvoiceRow): Promise<void> {
  const buyer = await lockBuyer(c, id, 'reopen an invoice')
  if (buyer?.retired) throw problem.conflict('This customer is retired. Restore the customer first.')
  if (buyer && buyer.currency !== currency)
    throw problem.conflict(`This customer is now billed in ${buyer.currency}. Change the customer’s currency first.`)
}

type Actions = NonNullable<ResourceBehaviour<typeof invoice>['actions']>

/** Maximum period by which a tax point may precede today. */
const FURTHEST_BACK = { years: 1 }

function checkTaxPoint({ now }: Context, taxPoint: string | null | undefined): void {
  if (!taxPoint) return
  const today = londonDate(now)
  if (taxPoint > today.toString())
    throw problem.invalid([violation('taxPoint', 'The tax point can’t be in the future')])
  if (taxPoint < today.subtract(FURTHEST_BACK).toString())
    throw problem.invalid([
      violation(
        'taxPoint',
        `The tax point can’t be before ${formatIsoDateAsUk(today.subtract(FURTHEST_BACK).toString())}`,
      ),
    ])
}

/**
 * Throws 409 unless the invoice is the version that the user previewed. Compares the fingerprint or, if none was sent,
 * the total of the saved draft.
 */
function assertSeen(row: InvoiceRow, ready: InvoiceRow, fingerprint: string | null | undefined): void {
  if (fingerprint ? fingerprint === invoiceFingerprint(ready) : ready.total === row.total) return
  const [now, then] = [ready, row].map(({ total, currency }) => formatMoney(total, currency))
  throw problem.conflict(
    now === then
      ? 'This invoice has changed since you previewed it. Preview it again before you issue it. Nothing was issued.'
      : `The total is now ${now}, not ${then}: prices or VAT have changed. Preview the invoice again before you issue it. Nothing was issued.`,
    'preview_outdated',
  )
}

/** Returns an action result that responds with the current record. The action has already saved everything itself. */
const asWritten = (c: Context & { row: InvoiceRow }) => ({
  answer: () => c.engine.one(invoice, c.actor, c.row.id),
})

export const invoiceActionHandlers: Actions = {
  issue: async (c) => {
    const { row, input } = c
    checkTaxPoint(c, input.taxPoint)
    const ready = await prepareInvoiceDraft(c, row, input.taxPoint ? { taxPoint: input.taxPoint } : {})
    assertSeen(row, ready, input.fingerprint)
    await issuePreparedDraft(c, ready)
    await countTowardsDailyMailLimit(c, ready.buyer?.email)
    return asWritten(c)
  },
  send: async (c) => {
    const { row, input } = c
    if (!isEmail(row.buyer?.email ?? ''))
      throw problem.conflict('This customer has no e-mail address for invoices. Enter one on the customer’s page.')
    if (row.state === 'draft' && !row.lines.length)
      throw problem.conflict('This invoice has no lines yet. Add a line first.')
    if (!input.again) await refuseRepeatedEmail(c, invoice, row.id, 'send')
    await c.set(invoice, row, {}, 'send')
    await c.emit(invoiceSendRequested, { invoice: row.id })
    await countTowardsDailyMailLimit(c, row.buyer?.email)
    return {}
  },
  void: async (c) => {
    const { row, input } = c
    const { customer, amountDue: amount, currency } = row
    assertVoidable(row)
    if (!input.askApproval) await requireWithinLimit(c, 'void', { customer, amount })
    if (!(await needsSecondPerson(c, { customer, amount }))) return { set: await voidInvoice(c, row, input.reason) }
    await requestFinanceApproval(c, { kind: 'void', customer, invoice: row.id, amount, currency, reason: input.reason })
    return asWritten(c)
  },
  writeOff: async (c) => {
    const { row, input } = c
    if (!input.askApproval) await requireWithinLimit(c, 'write-off', { customer: row.customer, amount: row.amountDue })
    await writeOffOrRequest(c, row, input.reason)
    return asWritten(c)
  },
  reopen: async (c) => {
    await requireUnchangedBuyer(c, c.row)
    await reinstateInvoice(c, c.row)
    return asWritten(c)
  },
  useCredit: async (c) => {
    const { row } = c
    const [after] = await applyCustomerCredits(c, [row])
    if (after?.amountDue === row.amountDue) throw problem.conflict('This customer has no credit to apply.')
    return asWritten(c)
  },
}
