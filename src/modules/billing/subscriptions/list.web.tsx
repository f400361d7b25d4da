import { Anchor, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { formatMoney, formatMoneyByCurrency } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { type QueryParams, queryString } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { dayParameterSchema, listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { SubscriptionChip } from './chip.web.tsx'
import { describeSubscriptionInterval, hasSubscriptionEnded } from './data.web.ts'
import {
  describeCancelReason,
  SUBSCRIPTION_SUMMARY_URL,
  type SubscriptionSummary,
  subscription,
} from './subscription.ts'

const LIST = listUrlSchema({
  status: z.enum(['', 'trialing', 'active', 'past_due', 'paused', 'cancelled']).default(''),
  cancelReason: z.string().max(20).default(''),
  currency: z.string().max(3).default(''),
  // End dates, set by links from the recurring revenue.
  'endedOn[after]': dayParameterSchema,
  'endedOn[before]': dayParameterSchema,
})

const FIGURES = [
  { key: 'running', label: 'Per month, excl. VAT' },
  { key: 'paused', label: 'Paused' },
  { key: 'cancelled', label: 'Cancelled' },
] as const

/** Monthly amounts of the subscriptions listed, by currency. */
function Totals({ query }: { readonly query: QueryParams }) {
  const url = `${SUBSCRIPTION_SUMMARY_URL}${queryString(query)}`
  const totals = useQuery({
    queryKey: [subscription.url, 'summary', url],
    ...urlQueryOptions<{ totals: readonly SubscriptionSummary[] }>(url),
    placeholderData: keepPreviousData,
  }).data?.totals
  if (!totals?.length) return null
  const count = totals.reduce((sum, one) => sum + one.count, 0)
  return (
    <dl className={css.figures} aria-label="Totals">
      <div>
        <dt>Subscriptions</dt>
        <dd>{count}</dd>
      </div>
      {FIGURES.map(({ key, label }) => {
        const amounts = totals.map((one) => [one[key], one.currency] as const)
        return (
          amounts.some(([amount]) => amount !== 0) && (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{formatMoneyByCurrency(amounts)}</dd>
            </div>
          )
        )
      })}
    </dl>
  )
}

export default function SubscriptionsPage() {
  const [state, set] = useUrlState(LIST)
  const { page: _, order: __, ...filters } = state
  const [after, before] = [state['endedOn[after]'], state['endedOn[before]']]
  const ended = after && before ? `${formatIsoDateAsUk(after)} to ${formatIsoDateAsUk(before)}` : ''
  return (
    <Page title="Subscriptions">
      <Totals query={filters} />
      {ended && (
        <Text size="sm">
          Ended {ended}.{' '}
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => set({ 'endedOn[after]': '', 'endedOn[before]': '', currency: '', page: 1 })}
          >
            Show other days
          </Anchor>
        </Text>
      )}
      <DataList
        resource={subscription}
        label="Subscriptions"
        state={state}
        onState={set}
        search="Search by customer"
        filters={['status', 'cancelReason']}
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
            key: 'cancelReason',
            title: 'Reason for cancelling',
            wide: true,
            inCard: false,
            render: (s) => describeCancelReason(s.cancelReason, '') || '—',
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
