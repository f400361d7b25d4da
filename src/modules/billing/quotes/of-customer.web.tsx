import { Alert, Anchor, Button, Group, Title } from '@mantine/core'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { QuoteChip } from './chip.web.tsx'
import { quote } from './quote.ts'

export default function CustomerQuotes({ record: customer }: { readonly record: CustomerRecord }) {
  const places = useBillingUrls()
  const list = useList({ ...quote, url: `/api/financial/customers/${customer.id}/quotes` })
  const rows = list.data?.['hydra:member']
  /** Accepted quotes that have no invoice yet. Invoices have their own panel, with the amount due. */
  const unbilled = rows?.filter((q) => q.state === 'accepted' && q.billedAt === null && !q.replacedBy) ?? []
  return (
    <section className={page.card} aria-labelledby="quotes">
      <Group justify="space-between">
        <Title order={2} size="h4" id="quotes">
          Quotes
        </Title>
        <Button component={Link} to={`${places.newQuote}?customer=${customer.id}`} variant="default">
          New quote
        </Button>
      </Group>
      {unbilled.map((q) => (
        <Alert key={q.id} color="yellow" title={`No invoice yet for ${q.reference}`}>
          {describeQuotePayments(q)}, accepted on <DateTimeText at={q.decidedAt} day />. Next: open the quote and create
          its invoice. The payment is then recorded on the invoice.
        </Alert>
      ))}
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={2} />
      ) : rows.length === 0 ? (
        <span>No quotes yet</span>
      ) : (
        <ul className={css.list}>
          {rows.map((q) => (
            <li key={q.id} className={css.row}>
              <Anchor component={Link} to={places.quote(q.id)}>
                {q.reference}
              </Anchor>
              <QuoteChip of={q} />
              {q.expiresAt && q.state === 'open' && (
                <span>
                  until <DateTimeText at={q.expiresAt} day />
                </span>
              )}
              <span className={css.money}>{formatMoney(q.total, q.currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
