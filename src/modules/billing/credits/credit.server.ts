import { z } from 'zod'
import { problem, type Violation, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { composeEmail } from '#kernel/system-email.ts'
import { londonDate } from '#kernel/time.ts'
import { findEmailsAboutRecord } from '#modules/portal/mail/claim.server.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { type AfterSaveInput, type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { hydraCollection, subListRoute } from '#server/http/list-route.ts'
import { needsSecondPerson, requireWithinLimit } from '../approvals/money-limit.server.ts'
import { applyClientNumbering, loadInvoiceSettings } from '../client-invoicing/invoice-settings.server.ts'
import {
  type CreditAmounts,
  type CreditableLine,
  type CreditNoteTotals,
  computeCreditByNet,
  computeCreditByQuantity,
  computeRemainingCredit,
  computeReverseCharge,
  convertTaxToSterling,
  earnedAmount,
  remainingCreditableAmounts,
  remainingCreditableQuantity,
} from '../invoices/amounts.ts'
import { deferredIncome } from '../invoices/deferred-income.ts'
import { creditNoteEmail } from '../invoices/emails.ts'
import { invoice } from '../invoices/invoice.ts'
import { invoiceLedgerEntries } from '../invoices/issue.server.ts'
import type { InvoiceLineRow, InvoiceRow } from '../invoices/lines.server.ts'
import { queueFinancialDocumentMail, toInvoiceMailFacts } from '../invoices/lines.server.ts'
import { buildCreditNoteDocument } from '../invoices/paper.ts'
import { saveInvoiceBalance } from '../invoices/settle.server.ts'
import { postTransaction } from '../ledger/ledger.server.ts'
import { lineVatKey, pickLineVat, toTaxTotalRate } from '../lines/line-vat.ts'
import { charge } from '../payments/charge.ts'
import { queueRefund } from '../payments/refund.server.ts'
import { financialDocumentPdfResponse } from '../print/financial-document.server.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { returnStockForInvoice } from '../stock/stock.server.ts'
import { creditNote, creditNoteLine, creditNoteNumberSequence } from './credit-note.ts'

const creditNoteRoutes: readonly Route[] = [
  subListRoute({
    path: '/api/financial/invoices/{id}/credit_notes',
    title: 'List an invoice’s credit notes, latest first',
    of: invoice,
    r: creditNote,
    where: (id) => `t.invoice_id = ${id}`,
    allow: SELLING_ROLES,
  }),
  {
    method: 'GET',
    path: '/api/financial/credit_notes/{id}/pdf',
    title: 'Get a credit note as a PDF',
    allow: SELLING_ROLES,
    file: ['application/pdf'],
    handle: async (c) => {
      const note = await c.engine.one(creditNote, c.actor, await c.engine.idOf(creditNote, c.actor, c.params.id))
      return financialDocumentPdfResponse(c.engine, c.me.clientId, buildCreditNoteDocument(note), true)
    },
  },
  {
    method: 'GET',
    path: '/api/financial/credit_notes/{id}/letters',
    title: 'List the e-mails to the customer about a credit note and their status, latest first',
    allow: SELLING_ROLES,
    listOf: 'objects',
    handle: async ({ engine, actor, me, params }) => {
      const { '@id': about } = await engine.one(creditNote, actor, await engine.idOf(creditNote, actor, params.id))
      return hydraCollection(await findEmailsAboutRecord(engine, me.clientId, String(about)))
    },
  },
]

/** Emitted when a credit note has been issued. IDs belong to the event's client. */
const creditIssued = defineEvent({
  kind: 'credit-note.issued',
  version: 1,
  payload: z.object({ creditNote: z.int(), number: z.string(), invoice: z.int() }),
})

interface PaidBack {
  readonly note: { readonly id: number; readonly number: string; readonly reason: string }
  readonly invoice: RowOf<typeof invoice>
  readonly pence: number
}

/**
 * Refunds a credit note against the invoice's payments, latest first. Above the limit, all parts await approval. Throws 409 if the full amount can't be refunded;
 * in that case, nothing is credited either.
 */
async function refundCreditNote(c: Context, { note, invoice: of, pence }: PaidBack): Promise<void> {
  let left = pence
  const state = (await needsSecondPerson(c, { customer: of.customer, amount: pence })) ? 'waiting' : 'pending'
  for (const one of (await c.find(charge, { invoice: of.id, state: 'succeeded' })).toReversed()) {
    const free = Math.min(one.amountSettled, one.amount - one.amountRefunded - one.amountRefunding)
    const amount = Math.min(left, free)
    if (amount <= 0) continue
    const reason = `Credit note ${note.number}: ${note.reason}`.slice(0, 500)
    await queueRefund(c, { charge: one.id, creditNote: note.id, amount, reason, notes: '' }, state)
    left -= amount
  }
  if (left > 0)
    throw problem.conflict(
      `${formatMoney(left, of.currency)} of this credit can’t be refunded because the payments for ${of.number} don’t cover it. Add this amount to the customer’s credit instead.`,
    )
}

/** E-mails a credit note to the recipient of the invoice. */
const sendCredit = eventHandler(creditIssued, {
  name: 'credit-note.send-issued',
  queue: 'events',
  send: async ({ engine, clientId }, { creditNote: id, invoice: of }) => {
    const [note, row] = await engine.readIn(clientId, 'e-mail a credit note to its customer', async (c) => [
      await c.get(creditNote, id),
      await c.get(invoice, of),
    ])
    if (!note || !row) return
    const { number, date } = row
    await queueFinancialDocumentMail(engine, clientId, {
      to: note.buyer.email,
      email: composeEmail(creditNoteEmail, {
        ...toInvoiceMailFacts(row),
        credit: note.number,
        credited: note.total,
        reason: note.reason,
      }),
      sheet: buildCreditNoteDocument({ ...note, invoice: { number, date } }),
      from: note.supplier,
      about: { r: creditNote, id },
      kept: true,
    })
  },
})

const creditHandlers = [sendCredit]

type NoteLine = Partial<RowOf<typeof creditNoteLine>>
type Save = Context & BeforeSaveInput<typeof creditNote>

const POSTING_REASON = 'post a credit note against its invoice'

/** An invoice line with its earlier credits. */
interface Known extends CreditableLine {
  readonly line: InvoiceLineRow
}

const creditBehaviour = behaviour(creditNote, { beforeSave: prepareNote, afterSave: carryOut })

async function prepareNote(c: Save): Promise<ValuesOf<typeof creditNote> | undefined> {
  const { values } = c
  if (typeof values.invoice !== 'number') return undefined
  const of = await c.withoutPermissionCheck(POSTING_REASON).lock(invoice, values.invoice)
  const { supplier, buyer } = of
  if (of.state === 'draft' || of.state === 'void' || !supplier || !buyer)
    throw problem.conflict(
      of.state === 'draft'
        ? 'This invoice is a draft. Edit it instead of crediting it.'
        : `${of.number} is void, so there is nothing to credit.`,
      'wrong_state',
    )
  const known = await knownLines(c, of)
  const { lines, wrong } = creditedLines(values.lines ?? [], known)
  if (wrong.length) throw problem.invalid(wrong)
  const add = (key: 'net' | 'tax') => lines.reduce((all, l) => all + (l[key] ?? 0), 0)
  const sums: CreditNoteTotals = {
    currency: of.currency,
    net: add('net'),
    tax: add('tax'),
    gross: add('net') + add('tax'),
    taxByRate: taxByRate(lines),
    ...computeReverseCharge(lines.map((line) => ({ ...line, net: line.net ?? null }))),
  }
  const left = of.total - of.amountCredited
  if (sums.gross <= 0) throw problem.conflict(`${of.number} has already been credited in full.`, 'wrong_state')
  if (sums.gross > left)
    throw problem.invalid([
      violation('lines', `At most ${formatMoney(left, of.currency)} of ${of.number} can still be credited, incl. VAT`),
    ])
  const over = overOf(of, sums.gross)
  const paidBack = values.to === 'refund' ? over : 0
  if (values.to !== 'refund')
    await requireWithinLimit(
      c,
      'credit',
      { customer: of.customer, amount: over },
      'Choose a refund instead: a second person then approves it, or declines it so that it stays the customer’s credit.',
    )
  else if (paidBack === 0)
    throw problem.invalid([
      violation('to', `This credit only reduces the amount due on ${of.number}, so there is nothing to refund`),
    ])
  const { creditPrefix } = await loadInvoiceSettings(c)
  const { text: number } = await issueSequenceNumber(c, applyClientNumbering(creditNoteNumberSequence, creditPrefix))
  return {
    number,
    customer: of.customer,
    company: of.company,
    date: londonDate(c.now).toString(),
    currency: of.currency,
    lines,
    net: sums.net,
    tax: sums.tax,
    total: sums.gross,
    totals: sums,
    amountToRefund: paidBack,
    exchangeRate: of.exchangeRate,
    sterlingTax: of.exchangeRate === null ? null : convertTaxToSterling(sums.tax, of.exchangeRate),
    supplier,
    buyer,
    poNumber: of.poNumber,
  }
}

/** Returns the part of a credit that exceeds the amount due. The customer has already paid this part. */
const overOf = (of: InvoiceRow, gross: number) =>
  Math.max(0, Math.min(of.amountPaid, gross - of.amountDue - of.amountWrittenOff))

async function knownLines(c: Context, of: InvoiceRow): Promise<Map<number, Known>> {
  const before = await c.find(creditNoteLine, { line: of.lines.map((l) => l.id) })
  return new Map(
    of.lines.map((line) => {
      const credited = before
        .filter((one) => one.line === line.id)
        .map(({ quantity, net, tax }) => ({ quantity, net: net ?? 0, tax: tax ?? 0 }))
      return [line.id, { line, quantity: line.quantity, net: line.net, tax: line.tax, credited }]
    }),
  )
}

/**
 * Returns the lines to credit with their amounts in pence, and any violations. Credits the requested lines or, by
 * default, the entire remainder of the invoice.
 */
function creditedLines(
  given: readonly NoteLine[],
  known: ReadonlyMap<number, Known>,
): { lines: NoteLine[]; wrong: Violation[] } {
  if (!given.length)
    return {
      wrong: [],
      lines: [...known.values()].flatMap((of) => {
        const all = computeRemainingCredit(of)
        return all.net === 0 && all.tax === 0 ? [] : [lineOf(of, all)]
      }),
    }
  const wrong: Violation[] = []
  const seen = new Set<number>()
  const lines = given.flatMap((asked, i) => {
    const of = known.get(asked.line ?? 0)
    const refuse = (field: string, why: string) => {
      wrong.push(violation(`lines[${i}].${field}`, why))
      return []
    }
    if (!of) return refuse('line', 'Please choose a line from this invoice')
    if (seen.has(of.line.id)) return refuse('line', 'Each line can be credited only once')
    seen.add(of.line.id)
    const amounts = amountsOf(of, asked)
    return typeof amounts === 'string' ? refuse(asked.net == null ? 'quantity' : 'net', amounts) : [lineOf(of, amounts)]
  })
  return { lines, wrong }
}

/** Returns the amounts to credit on a line, or the reason why the line can't be credited. */
function amountsOf(of: Known, { quantity, net }: NoteLine): CreditAmounts | string {
  const left = remainingCreditableAmounts(of)
  if (quantity == null && net == null)
    return left.net === 0 && left.tax === 0 ? 'This line has already been credited in full' : computeRemainingCredit(of)
  if (of.net <= 0) return 'A negative line can only be credited with the whole invoice'
  if (quantity != null && net != null) return 'Enter a quantity or an amount, not both'
  if (quantity != null && quantity > remainingCreditableQuantity(of))
    return `The quantity that can still be credited on this line is ${remainingCreditableQuantity(of)}`
  const amounts = quantity != null ? computeCreditByQuantity(of, quantity) : computeCreditByNet(of, net ?? 0)
  if (amounts.net <= 0) return 'Please enter an amount greater than 0'
  if (amounts.net > left.net)
    return `At most ${formatMoney(left.net, of.line.currency ?? 'GBP')} of this line can still be credited, excl. VAT`
  return amounts
}

const lineOf = ({ line }: Known, amounts: CreditAmounts): NoteLine => ({
  line: line.id,
  description: line.description,
  ...pickLineVat(line),
  reversePercent: line.reversePercent,
  product: line.product,
  ...amounts,
})

function taxByRate(lines: readonly NoteLine[]): CreditNoteTotals['taxByRate'] {
  const alike = Map.groupBy(lines, lineVatKey)
  return [...alike.values()]
    .map((same) => ({
      ...toTaxTotalRate(same[0] ?? {}),
      net: same.reduce((all, l) => all + (l.net ?? 0), 0),
      tax: same.reduce((all, l) => all + (l.tax ?? 0), 0),
    }))
    .toSorted((a, b) => b.percent - a.percent)
}

/** Posts the credit, updates the invoice balance and queues the e-mail. */
async function carryOut(c: Context & AfterSaveInput<typeof creditNote>): Promise<void> {
  const note = await c.get(creditNote, (await c.written.saved()).id)
  if (!note) return
  const right = c.withoutPermissionCheck(POSTING_REASON)
  const of = await right.lock(invoice, note.invoice)
  const held = await right.lockAll(deferredIncome, { invoice: of.id })
  const posted = []
  for (const line of note.lines) {
    const later = held.find((one) => one.line === line.line)
    const net = line.net ?? 0
    const lowered = later
      ? { net: later.net - net, earned: earnedAmount(later.net - net, later, later.earnedOn ?? note.date) }
      : undefined
    posted.push({
      net,
      tax: line.tax ?? 0,
      // Income already earned remains earned; the credit reduces deferred income.
      deferred: later && lowered ? later.net - later.earned - (lowered.net - lowered.earned) : 0,
      ...pickLineVat(line),
      product: line.product,
    })
    if (later && lowered) await right.set(deferredIncome, later, lowered, 'credit')
  }
  // A written-off amount that is now credited was never owed, so the credit reduces bad debt.
  const neverOwed = Math.min(of.amountWrittenOff, note.total)
  await postTransaction(c, {
    kind: 'credit',
    day: note.date,
    description: `Credit note ${note.number} for ${of.number}: ${note.reason}`.slice(0, 500),
    currency: note.currency,
    customer: note.customer,
    source: { type: creditNote.type, id: note.id },
    entries: [
      ...invoiceLedgerEntries(posted, of.id, -1),
      { account: 'receivable', amount: neverOwed, invoice: of.id },
      { account: 'badDebt', amount: -neverOwed, invoice: of.id },
    ],
  })
  const after = await saveInvoiceBalance(c, of, { credited: note.total, writtenOff: -neverOwed }, 'credit')
  await returnStockForInvoice(c, of, note)
  if (note.amountToRefund) await refundCreditNote(c, { note, invoice: after, pence: note.amountToRefund })
  await c.emit(creditIssued, { creditNote: note.id, number: note.number, invoice: of.id })
}

export const credits = feature({
  pack: INVOICING_PACK,
  resources: [creditNote, creditNoteLine],
  behaviours: [creditBehaviour],
  routes: creditNoteRoutes,
  handlers: creditHandlers,
  emails: [creditNoteEmail],
  seeds: () => import('./demo.server.ts'),
})
