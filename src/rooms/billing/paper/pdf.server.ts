import { formatMoney } from '#kernel/money.ts'
import type { SignatureGiven } from '#kernel/signature.ts'
import { londonDate } from '#kernel/time.ts'
import type { Engine } from '#server/engine/engine.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { renderPdf } from '#server/pdf/render.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { afterwardsWords } from '../lines/sum.ts'
import { type PaperSource, paperOf } from './paper.ts'
import { type AcceptanceState, type QuoteState, stateOf } from './state.ts'

const STATES: Readonly<Record<'draft' | AcceptanceState, string>> = {
  draft: 'Draft – not yet an offer',
  open: 'Quote',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Withdrawn',
  replaced: 'Replaced by a newer revision',
}

/** What of a quote's record is printed. */
interface PrintedQuote extends PaperSource {
  readonly state: QuoteState
  readonly replacedBy: unknown
  readonly couponTerms: CouponTerms | null
  readonly signature: (SignatureGiven & { readonly at: string }) | null
}

/** The PDF as an answer that a browser shows, under the quote's reference. */
export async function pdfAnswer(engine: Engine, q: PrintedQuote): Promise<RouteAnswer> {
  const name = q.reference.replaceAll(/[^\w-]+/g, '-')
  return new RouteAnswer(200, await quotePdf(engine, q), {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${name}.pdf"`,
  })
}

/** The quote in print: the same paper that the screen shows, with its words already made. */
function quotePdf(engine: Engine, q: PrintedQuote): Promise<Buffer> {
  const paper = paperOf(q, q.couponTerms)
  const money = (pence: number) => formatMoney(pence, paper.currency)
  const { totals } = paper
  const state = q.state === 'draft' ? 'draft' : stateOf(q, engine.clock.now())
  return renderPdf({
    template: new URL('./quote.typ', import.meta.url),
    title: `Quote ${paper.reference}${paper.company ? ` for ${paper.company}` : ''}`,
    data: {
      provider: engine.config.provider,
      ...paper,
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
        tax: `${l.taxPercent} %`,
        amount: money(l.amount),
      })),
      sums: [
        ['Subtotal', money(totals.subtotal)],
        ...(totals.discount ? [[`Discount: ${paper.discountWords}`, `−${money(totals.discount)}`]] : []),
        ...(totals.discount ? [['After discount', money(totals.net)]] : []),
        ...totals.taxByRate.map((r) => [`VAT ${r.percent} % on ${money(r.net)}`, money(r.tax)]),
      ],
      total: money(totals.gross),
      afterwards: totals.afterwards.map((a) => afterwardsWords(a, money)),
      signature: signatureOf(q),
    },
  })
}

const dayOf = (at: string | null) => (at ? londonDate(Temporal.Instant.from(at)).toString() : '')

function signatureOf({ signature: s }: PrintedQuote) {
  if (!s) return null
  const width = s.width || 3
  const height = s.height || 1
  return {
    name: s.name,
    at: s.at,
    method: s.method === 'finger' ? 'Signed by hand on the screen' : 'Typed as a signature',
    // In millimetres of a box 60 wide.
    strokes: s.strokes.map((stroke) => stroke.map(([x, y]) => [x * 60, (y * 60 * height) / width])),
    height: (60 * height) / width,
  }
}
