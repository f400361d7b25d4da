import { Anchor, Title } from '@mantine/core'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { InvoiceChip } from '../invoices/chip.web.tsx'
import { invoice } from '../invoices/invoice.ts'
import type { quote } from '../quotes/quote.ts'
import { SubscriptionChip } from '../subscriptions/chip.web.tsx'
import { describeSubscriptionInterval, hasSubscriptionEnded } from '../subscriptions/data.web.ts'
import { subscription } from '../subscriptions/subscription.ts'

/** Results of an accepted quote: its invoices, and a subscription for each billing interval. */
export default function AcceptedQuoteResults({ record: { id } }: { readonly record: RecordOf<typeof quote> }) {
  const places = useBillingUrls()
  const invoices = useList(invoice, { quote: id, 'order[id]': 'asc' })
  const subscriptions = useList(subscription, { quote: id, 'order[id]': 'asc' })
  const failed = [invoices, subscriptions].find((one) => one.isError)
  const [bills, begun] = [invoices.data?.['hydra:member'], subscriptions.data?.['hydra:member']]
  return (
    <section aria-labelledby="made">
      <Title order={2} size="h4" id="made" mb="xs">
        Created from this quote
      </Title>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !bills || !begun ? (
        <LoadingRows rows={2} />
      ) : (
        <ul className={css.list}>
          {bills.map((one) => (
            <li key={one['@id']} className={css.row}>
              <Anchor component={Link} to={places.invoice(one.id)}>
                {one.number ? `Invoice ${one.number}` : 'Draft invoice'}
              </Anchor>
              <InvoiceChip of={one} />
              <span className={css.money}>{formatMoney(one.total, one.currency)}</span>
            </li>
          ))}
          {begun.map((one) => (
            <li key={one['@id']} className={css.row}>
              <Anchor component={Link} to={places.subscription(one.id)}>
                Subscription, billed {describeSubscriptionInterval(one)}
              </Anchor>
              <SubscriptionChip of={one} />
              <span className={css.money}>
                {hasSubscriptionEnded(one) ? 'ended' : `next on ${formatIsoDateAsUk(one.renewsOn)}`}
              </span>
            </li>
          ))}
          {bills.length + begun.length === 0 && <li>Invoiced in another system.</li>}
        </ul>
      )}
    </section>
  )
}
