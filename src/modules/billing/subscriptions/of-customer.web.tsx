import { Anchor, Title } from '@mantine/core'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { SubscriptionChip } from './chip.web.tsx'
import { describeSubscriptionInterval, hasSubscriptionEnded } from './data.web.ts'
import { subscription } from './subscription.ts'

export default function CustomerSubscriptions({ record: customer }: { readonly record: CustomerRecord }) {
  const places = useBillingUrls()
  const list = useList({ ...subscription, url: `/api/financial/customers/${customer.id}/subscriptions` })
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="subscriptions">
      <Title order={2} size="h4" id="subscriptions">
        Subscriptions
      </Title>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={2} />
      ) : rows.length === 0 ? (
        <span>No subscriptions yet. A quote with plans becomes a subscription when it is accepted.</span>
      ) : (
        <ul className={css.list}>
          {rows.map((one) => (
            <li key={one.id} className={css.row}>
              <Anchor component={Link} to={places.subscription(one.id)}>
                Billed {describeSubscriptionInterval(one)}
              </Anchor>
              <SubscriptionChip of={one} />
              {!hasSubscriptionEnded(one) && <span>next on {formatIsoDateAsUk(one.renewsOn)}</span>}
              {one.endedOn && <span>ended on {formatIsoDateAsUk(one.endedOn)}</span>}
              <span className={css.money}>{formatMoney(one.amount, one.currency)} excl. VAT</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
