import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { formatMoney } from '#kernel/money.ts'
import { describeTaxTotal } from '#kernel/money-totals.ts'
import type { SignatureValue } from '#kernel/signature.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { type PdfRenderOptions, renderPdf } from '#server/pdf/render.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { describeRecurringPayments } from '../lines/payment-words.ts'
import { type QuoteAcceptanceState, type QuoteState, quoteAcceptanceState } from './acceptance-state.ts'
import {
  buildQuoteDocument,
  formatSupplierLines,
  type QuoteDocumentSource,
  subtotalRows,
  upcomingInvoicesNote,
} from './quote-document.ts'

const STATES: Readonly<Record<'draft' | QuoteAcceptanceState, string>> = {
  draft: 'Draft – not yet an offer',
  open: 'Quote',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Withdrawn',
  replaced: 'Replaced by a newer revision',
}

interface PrintedQuote extends QuoteDocumentSource {
  readonly state: QuoteState
  readonly replacedBy: unknown
  readonly couponTerms: CouponTerms | null
  readonly signature: (SignatureValue & { readonly at: string }) | null
}

/** Function that renders a PDF within a concurrency limit. */
export type PdfLimiter = (make: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Returns a quote's PDF as an inline response, with the quote's reference as the file name. A PDF that is not yet
 * cached is rendered within the limit.
 */
export async function createQuotePdfResponse(engine: Engine, client: number, q: PrintedQuote, inTurn?: PdfLimiter) {
  return new RouteResponse(200, await renderQuotePdf(engine, client, q, inTurn), {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${formatQuotePdfFileName(q)}"`,
  })
}

/** Returns the file name, such as `Q-00012-2.pdf`. */
export const formatQuotePdfFileName = ({ reference }: Pick<PrintedQuote, 'reference'>): string =>
  `${reference.replaceAll(/[^\w-]+/g, '-')}.pdf`

export async function renderQuotePdf(
  engine: Engine,
  client: number,
  q: PrintedQuote,
  inTurn: PdfLimiter = (make) => make(),
): Promise<Buffer> {
  const job = await jobFor(engine, client, q)
  return q.state === 'draft' ? inTurn(() => renderPdf(job)) : readCachedOrRenderPdf(engine, job, 'quote', inTurn)
}

/**
 * Returns the cached PDF, or renders and caches it. The cache key is a hash of the content. A signature therefore
 * results in a new file.
 */
export async function readCachedOrRenderPdf(
  engine: Engine,
  job: PdfRenderOptions & { client: number },
  what: 'quote' | 'sheet',
  inTurn: PdfLimiter,
): Promise<Buffer> {
  const store = await fileStoreFor(engine.config)
  const key = `${job.client}/${what}-${hash('sha256', JSON.stringify(job), 'hex')}`
  const kept = await store
    .get(key)
    .then(buffer)
    .catch(() => undefined)
  if (kept) return kept
  return inTurn(async () => {
    const pdf = await renderPdf(job)
    // If the store is unavailable, this response still contains the PDF. The next request renders the PDF again.
    await store.put(key, Readable.from([pdf]), pdf.length).catch(() => undefined)
    return pdf
  })
}

/** Returns the print job for a quote: the same document as on screen, with all text ready to print. */
async function jobFor(engine: Engine, client: number, q: PrintedQuote): Promise<PdfRenderOptions & { client: number }> {
  // Upcoming invoices are left out if the quote has none, because older quotes were printed without them.
  const { next, ...paper } = buildQuoteDocument(q, q.couponTerms)
  const money = (pence: number) => formatMoney(pence, paper.currency)
  const hasLineDiscounts = paper.lines.some((l) => l.discountPercent)
  const { totals } = paper
  const logo = await readLogo(engine, await readLetterhead(engine, client))
  const state = q.state === 'draft' ? 'draft' : quoteAcceptanceState(q, engine.clock.now())
  return {
    template: new URL('./quote.typ', import.meta.url),
    client,
    title: `Quote ${paper.reference}${paper.company ? ` for ${paper.company}` : ''}`,
    data: {
      ...paper,
      provider: paper.supplier?.name || engine.config.provider,
      supplier: paper.supplier ? formatSupplierLines(paper.supplier) : [],
      ...(logo ? { logo } : {}),
      sentAt: dayOf(paper.sentAt),
      expiresAt: dayOf(paper.expiresAt),
      state,
      stateWords: STATES[state],
      terms: { html: paper.terms },
      lines: paper.lines.map((l) => ({
        description: l.description,
        quantity: l.quantity.toLocaleString('en-GB', { maximumFractionDigits: 4 }),
        price: money(l.unitAmount),
        every: l.every ?? '',
        ...(hasLineDiscounts ? { discount: l.discountPercent ? `${l.discountPercent}%` : '' } : {}),
        tax: `${l.taxPercent}%`,
        amount: money(l.amount),
      })),
      sums: [
        ...subtotalRows(totals, money),
        ...(totals.discount ? [[`Discount: ${paper.discountWords}`, `−${money(totals.discount)}`]] : []),
        ...(totals.discount ? [['After discount', money(totals.net)]] : []),
        ...totals.taxByRate.map((r) => [describeTaxTotal(r, money), money(r.tax)]),
      ],
      total: money(totals.gross),
      recurring: describeRecurringPayments(totals.afterwards).map(({ when, pence }) => [
        `Then ${when}, including VAT`,
        money(pence),
      ]),
      ...(next?.invoices.length
        ? {
            next: {
              words: upcomingInvoicesNote(paper, next),
              invoices: next.invoices.map(({ day, words, total }) => [formatIsoDateAsUk(day), words, money(total)]),
            },
          }
        : {}),
      signature: signatureOf(q),
    },
  }
}

const dayOf = (at: string | null) => (at ? londonDate(Temporal.Instant.from(at)).toString() : '')

function signatureOf({ signature: s }: PrintedQuote) {
  if (!s) return null
  // Older signature drawings were saved without a size, so a default ratio is used.
  const [width, height] = s.width >= 1 && s.height >= 1 ? [s.width, s.height] : [3, 1]
  const wide = Math.min(60, (60 * width) / height)
  const high = (wide * height) / width
  return {
    name: s.name,
    at: s.at,
    method: s.method === 'finger' ? 'Signed by hand on screen' : 'Typed as a signature',
    // Size in millimetres, scaled to fit a box of 60 by 60.
    strokes: s.strokes.filter((stroke) => stroke.length).map((stroke) => stroke.map(([x, y]) => [x * wide, y * high])),
    height: high,
  }
}
