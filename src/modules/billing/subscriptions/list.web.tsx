import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { SubscriptionChip } from './chip.web.tsx'
import { describeSubscriptionInterval, hasSubscriptionEnded } from './data.web.ts'
import { subscription } from './subscription.ts'

const LIST = listUrlSchema({
  status: z.enum(['', 'trialing', 'active', 'past_due', 'paused', 'cancelled']).default(''),
})

export default function SubscriptionsPage() {
  const [state, set] = useUrlState(LIST)
  return (
    <Page title="Subscriptions">
      <DataList
        resource={subscription}
        label="Subscriptions"
        state={state}
        onState={set}
        search="Search by customer"
        filters={['status']}
        empty={
          <EmptyState title="No subscriptions yet">
            A quote with plans becomes a subscription when the customer accepts it through its link or by telephone.
          </EmptyState>
        }
        columns={[
          { key: 'company', title: 'Customer', render: (s) => s.company || '—' },
          { key: 'status', title: 'Status', tight: true, render: (s) => <SubscriptionChip of={s} /> },
          { key: 'plans', title: 'Plans', render: (s) => s.plans || '—' },
          {
            key: 'perMonth',
            title: 'Per month, excl. VAT',
            render: (s) => <span className={css.money}>{formatMoney(s.perMonth ?? 0, s.currency)}</span>,
          },
          {
            key: 'amount',
            title: 'Per period, excl. VAT',
            wide: true,
            inCard: false,
            render: (s) => <span className={css.money}>{formatMoney(s.amount, s.currency)}</span>,
          },
          { key: 'interval', title: 'Billed', render: (s) => describeSubscriptionInterval(s) },
          {
            key: 'renewsOn',
            title: 'Next period',
            render: (s) => (hasSubscriptionEnded(s) ? '—' : formatIsoDateAsUk(s.renewsOn)),
          },
          {
            key: 'startedOn',
            title: 'Started',
            wide: true,
            inCard: false,
            render: (s) => formatIsoDateAsUk(s.startedOn),
          },
        ]}
        rowMuted={hasSubscriptionEnded}
        href={(s) => `/crm/subscription/${s.id}`}
      />
    </Page>
  )
}
