import { Anchor, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { DateRangeField } from '#web/dates/date-range-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { dayParameterSchema, listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { AmountBreakdown } from '../ledger/amount-breakdown.web.tsx'
import { CsvDownloadButton } from '../ledger/csv-file.web.tsx'
import { describeCancelReason } from '../subscriptions/subscription.ts'
import {
  type NamedRevenueChange,
  RECURRING_REVENUE_URL,
  REVENUE_MOVEMENTS,
  type RecurringRevenueReport,
  type RecurringRevenueRow,
  type RevenueMovement,
} from './mrr.ts'

const LIST = listUrlSchema({
  from: dayParameterSchema,
  to: dayParameterSchema,
  products: z.enum(['', 'true']).default(''),
})

interface RevenueSelection {
  readonly title: string
  readonly query: Readonly<Record<string, string>>
}

export default function RecurringRevenuePage() {
  const [state, set] = useUrlState(LIST)
  const [asked, setAsked] = useState<RevenueSelection>()
  const today = londonToday()
  const from = state.from || Temporal.PlainDate.from(today).with({ day: 1 }).subtract({ months: 11 }).toString()
  const to = state.to || today
  const period = new URLSearchParams({ from, to })
  const url = `${RECURRING_REVENUE_URL}?${period}${state.products ? '&products=true' : ''}`
  const answer = useQuery({
    queryKey: [url],
    ...urlQueryOptions<RecurringRevenueReport>(url),
    refetchOnMount: 'always',
  })
  return (
    <Page
      title="Recurring revenue"
      actions={<CsvDownloadButton url={`${RECURRING_REVENUE_URL}/export.csv?${period}`} />}
    >
      <Stack gap="lg">
        <Group align="end" gap="lg">
          <DateRangeField
            label="Months"
            value={{ start: from, end: to }}
            onChange={({ start, end }) => set({ from: start ?? '', to: end ?? '' })}
          />
          <Checkbox
            label="By product"
            checked={state.products === 'true'}
            onChange={(e) => set({ products: e.currentTarget.checked ? 'true' : '' })}
          />
        </Group>
        {answer.isPending && <LoadingRows rows={8} />}
        {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.data?.rows.length === 0 && (
          <EmptyState title="No recurring revenue">Choose other months to see more.</EmptyState>
        )}
        {answer.data && answer.data.rows.length > 0 && <Months rows={answer.data.rows} onAsk={setAsked} />}
        {answer.data && answer.data.cancelled.length > 0 && <Cancelled of={answer.data} />}
        {/* The content below the rows is shown only once the rows have loaded. */}
        {!answer.isPending && <Formula />}
      </Stack>
      <Dialog opened={asked !== undefined} onClose={() => setAsked(undefined)} title={asked?.title ?? ''} size="44rem">
        {asked && <Changes query={asked.query} />}
      </Dialog>
    </Page>
  )
}

/** Formats a month, such as `November 2026`. */
const monthWords = (month: string) =>
  Temporal.PlainDate.from(`${month}-01`).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

function Months({
  rows,
  onAsk,
}: {
  readonly rows: readonly RecurringRevenueRow[]
  readonly onAsk: (asked: RevenueSelection) => void
}) {
  const isMixed = new Set(rows.map((row) => row.currency)).size > 1
  return (
    <section aria-labelledby="months">
      <Title order={2} size="h4" id="months" mb="xs">
        By month
      </Title>
      <ResponsiveNumberTable
        label="Monthly recurring revenue"
        head="Month"
        columns={REVENUE_MOVEMENTS.map(({ label }) => label)}
        rows={rows.map((row) => {
          const name = `${row.name ?? monthWords(row.month)}${isMixed ? `, ${row.currency}` : ''}`
          return {
            key: `${row.month} ${row.currency} ${row.product} ${row.name}`,
            name,
            isSum: row.name === null && rows.some((one) => one.name !== null),
            cells: REVENUE_MOVEMENTS.map(({ value, label }) => {
              const pence = row.moves[value]
              if (pence === 0) return ''
              const query: Record<string, string> = { month: row.month, move: value, currency: row.currency }
              if (row.name !== null) query.product = String(row.product ?? 'none')
              return (
                <Anchor
                  key={value}
                  component="button"
                  inherit
                  aria-label={`${formatMoney(pence, row.currency)} ${label}, ${monthWords(row.month)}${row.name ? `, ${row.name}` : ''}`}
                  onClick={() => onAsk({ title: `${label}, ${monthWords(row.month)}`, query })}
                >
                  {formatMoney(pence, row.currency)}
                </Anchor>
              )
            }),
          }
        })}
      />
    </section>
  )
}

/** Revenue of cancelled subscriptions by reason. Each number links to the subscriptions. */
function Cancelled({ of: { from, to, cancelled } }: { readonly of: RecurringRevenueReport }) {
  const first = Temporal.PlainDate.from(from).with({ day: 1 }).toString()
  const last = Temporal.PlainDate.from(to).add({ months: 1 }).with({ day: 1 }).subtract({ days: 1 }).toString()
  const isMixed = new Set(cancelled.map((row) => row.currency)).size > 1
  return (
    <section aria-labelledby="cancelled">
      <Title order={2} size="h4" id="cancelled" mb="xs">
        Cancelled subscriptions by reason
      </Title>
      <ResponsiveNumberTable
        label="Cancelled subscriptions by reason"
        head="Reason"
        columns={['Subscriptions', 'Lost per month']}
        rows={cancelled.map(({ currency, reason, subscriptions, monthly }) => {
          const name = describeCancelReason(reason, '')
          const query = new URLSearchParams({
            status: 'cancelled',
            cancelReason: reason,
            currency,
            'endedOn[after]': first,
            'endedOn[before]': last,
          })
          return {
            key: `${currency} ${reason}`,
            name: isMixed ? `${name}, ${currency}` : name,
            cells: [
              <Anchor
                key="n"
                component={Link}
                to={`/crm/subscriptions?${query}`}
                inherit
                aria-label={`${subscriptions} cancelled: ${name}`}
              >
                {subscriptions}
              </Anchor>,
              formatMoney(monthly, currency),
            ],
          }
        })}
      />
      <Text size="sm" mt="xs">
        The monthly revenue of each subscription on its last day, whether or not its customer has others. Trials are
        excluded.
      </Text>
    </section>
  )
}

/** Customers and products that make up a figure, each with a link to the subscription. */
function Changes({ query }: { readonly query: Readonly<Record<string, string>> }) {
  return (
    <AmountBreakdown<NamedRevenueChange>
      url={`${RECURRING_REVENUE_URL}/changes?${new URLSearchParams(query)}`}
      head="Customer"
      columns={['Product', 'Before', 'After', 'Difference']}
      row={(one) => ({
        key: `${one.customer} ${one.product}`,
        name: (
          <Anchor
            component={Link}
            to={
              one.subscriptions.length === 1
                ? `/crm/subscription/${one.subscriptions[0]}`
                : `/crm/customer/${one.customer}`
            }
            inherit
          >
            {one.company || `Customer ${one.customer}`}
          </Anchor>
        ),
        cells: [
          one.name,
          formatMoney(one.before, one.currency),
          formatMoney(one.after, one.currency),
          formatMoney(one.after - one.before, one.currency),
        ],
      })}
    />
  )
}

const MOVEMENT_LABELS: Readonly<Record<RevenueMovement, string>> = {
  start: 'recurring revenue at the end of the previous month',
  new: 'revenue from customers who had no recurring revenue before',
  expansion: 'increase in revenue from the products of existing customers',
  contraction: 'decrease in revenue from the products of remaining customers',
  churn: 'revenue lost from customers who have no recurring revenue now',
  end: 'the total of the figures above; for the current month, as of today',
}

const Formula = () => (
  <section className={page.card} aria-labelledby="formula">
    <Title order={2} size="h4" id="formula">
      How these figures are calculated
    </Title>
    <Text size="sm">
      The monthly revenue of a subscription item is its price per month times its quantity, to the nearest penny. A
      yearly price is divided by twelve. VAT, discounts, trials and paused subscriptions are excluded. Figures are for
      the end of each month.
    </Text>
    <ul>
      {REVENUE_MOVEMENTS.map(({ value, label }) => (
        <li key={value}>
          {label}: {MOVEMENT_LABELS[value]}
        </li>
      ))}
    </ul>
  </section>
)
