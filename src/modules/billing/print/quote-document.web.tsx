import { Text } from '@mantine/core'
import { formatMoney } from '#kernel/money.ts'
import { describeTaxTotal } from '#kernel/money-totals.ts'
import { formatIsoDateAsUk, formatUkDate } from '#kernel/time.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { describeLinePrice, QUANTITY_TOO_LOW_MESSAGE } from '../lines/line.ts'
import type { UpcomingInvoices } from '../lines/lines.ts'
import { describeRecurringPayments } from '../lines/payment-words.ts'
import css from './paper.module.css'
import {
  formatSupplierLines,
  type QuoteDocument,
  type QuoteDocumentLine,
  subtotalRows,
  upcomingInvoicesNote,
} from './quote-document.ts'

const day = (at: string | null) => (at ? formatUkDate(Temporal.Instant.from(at)) : 'Not set')

interface Props {
  readonly paper: QuoteDocument
  readonly provider: string
  readonly logo?: string | undefined
}

export function QuoteDocumentView({ paper, provider, logo }: Props) {
  return (
    <article className={css.paper} aria-label={`Quote ${paper.reference}`}>
      <header className={css.letterhead}>
        {logo && <img className={css.logo} src={logo} alt="" />}
        <div>
          <strong>{paper.supplier?.name || provider}</strong>
          {paper.supplier &&
            formatSupplierLines(paper.supplier).map((line) => (
              <span key={line} className={css.small}>
                {line}
              </span>
            ))}
        </div>
        <span>{paper.reference ? `Quote ${paper.reference}` : 'New quote'}</span>
      </header>
      <dl className={css.facts}>
        <div>
          <dt>For</dt>
          <dd>
            {paper.company || '—'}
            {paper.contactName && <span className={css.small}>{paper.contactName}</span>}
          </dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd>{day(paper.sentAt)}</dd>
        </div>
        <div>
          <dt>Valid until</dt>
          <dd>{day(paper.expiresAt)}</dd>
        </div>
      </dl>
      {paper.message && <p className={css.message}>{paper.message}</p>}
      <Lines paper={paper} />
      <Sums paper={paper} />
      {paper.next && paper.state !== 'accepted' && paper.next.invoices.length > 0 && (
        <Next paper={paper} next={paper.next} />
      )}
      {paper.terms && (
        <section>
          <h2 className={css.heading}>Terms</h2>
          <div className={css.terms}>
            <RichTextView html={paper.terms} />
          </div>
        </section>
      )}
    </article>
  )
}

function Lines({ paper }: { readonly paper: QuoteDocument }) {
  if (!paper.lines.length)
    return (
      <Text size="sm" c="dimmed">
        No lines yet.
      </Text>
    )
  const money = (pence: number) => formatMoney(pence, paper.currency)
  // In a draft, a quantity of zero means that none has been entered yet.
  const price = (l: QuoteDocumentLine) =>
    l.quantity === 0
      ? 'No quantity yet'
      : l.quantity < 0
        ? QUANTITY_TOO_LOW_MESSAGE
        : describeLinePrice(l, paper.currency)
  return (
    <ul className={css.lines} aria-label="Lines">
      {paper.lines.map((l, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paper has no other order than that of its lines
        <li key={i}>
          <span className={css.what}>{l.description || '—'}</span>
          <span className={css.sum}>{money(l.amount)}</span>
          <span className={css.small}>
            {[price(l), l.every, `VAT\u00a0${l.taxPercent}%`].filter(Boolean).join(' · ')}
            {l.discount > 0 && ` · ${money(l.discount)} off`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** First invoices, as acceptance and later billing runs will create them. */
const Next = ({ paper, next }: { readonly paper: QuoteDocument; readonly next: UpcomingInvoices }) => (
  <section>
    <h2 className={css.heading}>First invoices</h2>
    <p className={css.small}>{upcomingInvoicesNote(paper, next)}</p>
    <ul className={css.lines} aria-label="First invoices">
      {next.invoices.map(({ day: on, words, total }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other order than that of their days
        <li key={n}>
          <span className={css.what}>{formatIsoDateAsUk(on)}</span>
          <span className={css.sum}>{formatMoney(total, paper.currency)}</span>
          <span className={css.small}>{words}</span>
        </li>
      ))}
    </ul>
  </section>
)

function Sums({ paper }: { readonly paper: QuoteDocument }) {
  const { totals, currency } = paper
  const recurring = describeRecurringPayments(totals.afterwards)
  const money = (pence: number) => formatMoney(pence, currency)
  return (
    <>
      <dl className={css.sums} aria-label="Totals">
        {subtotalRows(totals, money).map(([what, sum]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{sum}</dd>
          </div>
        ))}
        {totals.discount > 0 && (
          <div>
            <dt title="The discount is deducted before VAT and shared between the lines that it applies to">
              Discount: {paper.discountWords}
            </dt>
            <dd>−{money(totals.discount)}</dd>
          </div>
        )}
        {totals.taxByRate.map((r) => (
          <div key={`${r.code} ${r.percent}`}>
            <dt title="VAT is calculated for each line and rounded to the penny">{describeTaxTotal(r, money)}</dt>
            <dd>{money(r.tax)}</dd>
          </div>
        ))}
        <div className={css.total}>
          <dt>{recurring.length ? 'First payment' : 'Total'} including VAT</dt>
          <dd>{money(totals.gross)}</dd>
        </div>
        {recurring.map(({ when, pence }) => (
          <div key={when} className={css.recurring}>
            <dt>Then {when}, including VAT</dt>
            <dd>{money(pence)}</dd>
          </div>
        ))}
      </dl>
      {paper.begins && <Text size="sm">{paper.begins}</Text>}
    </>
  )
}
