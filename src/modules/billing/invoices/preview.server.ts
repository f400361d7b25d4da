import { hash } from 'node:crypto'
import { problem, type Violation } from '#kernel/errors.ts'
import { date } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import { londonDate, readDay } from '#kernel/time.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Route } from '#server/engine/route.ts'
import { loadInvoiceRules } from '../client-invoicing/invoice-settings.server.ts'
import { SELLING_ROLES } from '../rights.ts'
import { findShortages } from '../stock/stock.server.ts'
import { invoice, invoiceLine } from './invoice.ts'
import { issuedEntries, issueProblems, prepareDraft } from './issue.server.ts'
import type { InvoiceRow } from './lines.server.ts'

/** Fingerprint of an invoice as it would be issued now; proves which preview the user saw. */
export function invoiceFingerprint({
  customer,
  currency,
  dueOn,
  taxPoint,
  poNumber,
  notes,
  lines,
  totals,
  sterlingTax,
  supplier,
  buyer,
}: InvoiceRow): string {
  const said = lines.map(({ description, quantity, unitAmount, taxCode, taxPercent, from, to, net, tax }) => [
    description,
    quantity,
    unitAmount,
    taxCode,
    taxPercent,
    from,
    to,
    net,
    tax,
  ])
  const whole = [customer, currency, dueOn, taxPoint, poNumber, notes, said, totals, sterlingTax, supplier, buyer]
  return hash('sha256', JSON.stringify(whole), 'base64url')
}

const said = ({ propertyPath, message }: Violation) => ({ propertyPath, message })

/** Carries the preview out of its transaction, which is rolled back. */
class Undone extends Error {
  readonly answer: ApiRecord
  constructor(answer: ApiRecord) {
    super('Preview: rolled back')
    this.answer = answer
  }
}

/**
 * `GET invoices/{id}/preview`: the invoice as issued now, its postings and any problems; saves nothing and uses no
 * number. `issue` takes its fingerprint.
 */
export const invoicePreviewRoute: Route = {
  method: 'GET',
  path: `${invoice.url}/{id}/preview`,
  title: 'Preview an invoice as it would be issued now, with its postings; `issue` takes its fingerprint',
  allow: SELLING_ROLES,
  query: { taxPoint: date({ help: 'Date of supply; defaults to today.' }) },
  refuses: [409],
  handle: async ({ engine, actor, me, params, query, request, now }) => {
    const id = await engine.idOf(invoice, actor, params.id)
    await engine.one(invoice, actor, id)
    const why = { actor: systemActor(me.clientId, 'preview an invoice'), requestId: request.id }
    const taxPoint = readDay(String(query.taxPoint ?? ''))
    const run = engine.inTenant<ApiRecord>(me.clientId, why, async (c) => {
      const row = await c.lock(invoice, id)
      if (row.state !== 'draft') throw problem.conflict(`${row.number} has already been issued.`, 'wrong_state')
      const ready = await prepareDraft(c, row, taxPoint ? { taxPoint } : {})
      const { stockRefused } = await loadInvoiceRules(c)
      const short = (await findShortages(c, ready.lines)).map(said)
      const entries = ready.lines.length ? issuedEntries(ready, londonDate(now).toString()) : []
      throw new Undone({
        '@id': `${iriOf(invoice, id)}/preview`,
        '@type': 'InvoicePreview',
        taxPoint: ready.taxPoint,
        total: ready.total,
        totals: ready.totals,
        exchangeRate: ready.exchangeRate,
        sterlingTax: ready.sterlingTax,
        supplier: ready.supplier,
        buyer: ready.buyer,
        lines: ready.lines.map(({ id: line, taxCode, taxPercent, net, tax }) => ({
          line: iriOf(invoiceLine, line),
          taxCode,
          taxPercent,
          net,
          tax,
        })),
        entries: entries
          .filter(({ amount }) => amount !== 0)
          .map(({ account, amount, taxCode = null }) => ({ account, amount, taxCode })),
        problems: [...issueProblems(ready).map(said), ...(stockRefused ? short : [])],
        /** Warnings that don't prevent issuing. */
        warnings: stockRefused ? [] : short,
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
