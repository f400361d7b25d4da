import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
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
import { computeEarnedAmount, convertTaxToSterling } from '../invoices/amounts.ts'
import { deferredIncome } from '../invoices/deferred-income.ts'
import { creditNoteEmail } from '../invoices/emails.ts'
import { invoice } from '../invoices/invoice.ts'
import { invoiceLedgerEntries } from '../invoices/issue.server.ts'
import { queueFinancialDocumentMail, toInvoiceMailFacts } from '../invoices/lines.server.ts'
import { buildCreditNoteDocument } from '../invoices/paper.ts'
import { saveInvoiceBalance } from '../invoices/settle.server.ts'
import { postTransaction } from '../ledger/ledger.server.ts'
import { pickLineVat } from '../lines/line-vat.ts'
import { charge } from '../payments/charge.ts'
import { queueRefund } from '../payments/refund.server.ts'
import { createFinancialDocumentPdfResponse } from '../print/financial-document.server.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { returnStockForInvoice } from '../stock/stock.server.ts'
import { computeCredit, computeNeverOwedPart } from './compute-credit.server.ts'
import { creditNote, creditNoteLine, creditNoteNumberSequence } from './credit-note.ts'
import { creditRequestRoute } from './credit-request.server.ts'

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
      return createFinancialDocumentPdfResponse(c.engine, c.me.clientId, buildCreditNoteDocument(note), true)
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

type Save = Context & BeforeSaveInput<typeof creditNote>

const POSTING_REASON = 'post a credit note against its invoice'

const creditBehaviour = behaviour(creditNote, { beforeSave: prepareNote, afterSave: carryOut })

async function prepareNote(c: Save): Promise<ValuesOf<typeof creditNote> | undefined> {
  const { values } = c
  if (typeof values.invoice !== 'number') return undefined
  const of = await c.withoutPermissionCheck(POSTING_REASON).lock(invoice, values.invoice)
  const { lines, sums, supplier, buyer, refunded, decided } = await computeCredit(c, of, {
    lines: values.lines ?? [],
    to: values.to ?? 'balance',
  })
  if (!values.financeRequest)
    await requireWithinLimit(
      c,
      'credit note',
      { customer: of.customer, amount: decided },
      `Request approval of a credit note for ${of.number}.`,
    )
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
    amountToRefund: refunded,
    exchangeRate: of.exchangeRate,
    sterlingTax: of.exchangeRate === null ? null : convertTaxToSterling(sums.tax, of.exchangeRate),
    supplier,
    buyer,
    poNumber: of.poNumber,
  }
}

/** Posts the credit note, updates the invoice balance and queues the e-mail. */
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
      ? { net: later.net - net, earned: computeEarnedAmount(later.net - net, later, later.earnedOn ?? note.date) }
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
  const neverOwed = computeNeverOwedPart(of, note.total)
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
  routes: [...creditNoteRoutes, creditRequestRoute],
  handlers: creditHandlers,
  emails: [creditNoteEmail],
  seeds: () => import('./demo.server.ts'),
})
