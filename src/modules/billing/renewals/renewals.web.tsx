import { Anchor, Group, Pagination, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod'
import { idFromAnyIri } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import css from '../billing.module.css'
import { CsvDownloadButton } from '../ledger/csv-file.web.tsx'
import { describeBillingInterval } from '../lines/payment-words.ts'
import {
  RENEWAL_DAYS_AHEAD,
  RENEWAL_RISK_BANDS,
  RENEWAL_RISK_SIGNS,
  RENEWAL_SORT_ORDERS,
  RENEWALS_URL,
  type RenewalsReport,
  type UpcomingRenewal,
} from './risk.ts'

const LIST = listUrlSchema({
  order: z.enum(['', ...RENEWAL_SORT_ORDERS.map(({ value }) => value)]).default(''),
  band: z.enum(['', ...RENEWAL_RISK_BANDS.map(({ value }) => value)]).default(''),
})
const PAGE = 100
const MEANING = { high: 'stop', medium: 'attention', low: 'safe' } as const
const labelOf = (band: UpcomingRenewal['band']) => RENEWAL_RISK_BANDS.find(({ value }) => value === band)?.label ?? ''

export default function SubscriptionRenewalsPage() {
  const [state, set] = useUrlState(LIST)
  const order = state.order || 'risk'
  const asked = new URLSearchParams({ order, ...(state.band ? { band: state.band } : {}) })
  const url = `${RENEWALS_URL}?${asked}&page=${state.page}`
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<RenewalsReport>(url), refetchOnMount: 'always' })
  const data = answer.data
  return (
    <Page title="Renewals" actions={<CsvDownloadButton url={`${RENEWALS_URL}/export.csv?${asked}`} />}>
      <Stack gap="lg">
        <Text>
          Subscriptions whose next period starts within {RENEWAL_DAYS_AHEAD} days. The value is for a year, excl. VAT
          and discounts. Annual plans sold without a subscription are under{' '}
          <Anchor component={Link} to="/cms/renewals" inherit>
            Renewals due
          </Anchor>
          .
        </Text>
        <Group gap="lg">
          <SegmentedControl
            aria-label="Sort order"
            data={RENEWAL_SORT_ORDERS.map(({ value, label }) => ({ value, label: `By ${label.toLowerCase()}` }))}
            value={order}
            onChange={(value) => set({ order: value as typeof state.order, page: 1 })}
          />
          <SegmentedControl
            aria-label="Risk"
            data={[{ value: '', label: 'All' }, ...RENEWAL_RISK_BANDS.map(({ value, label }) => ({ value, label }))]}
            value={state.band}
            onChange={(value) => set({ band: value as typeof state.band, page: 1 })}
          />
        </Group>
        {answer.isPending && <LoadingRows rows={8} />}
        {answer.isError && !data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {data?.total === 0 && (
          <EmptyState title="No renewals soon">
            Subscriptions appear here {RENEWAL_DAYS_AHEAD} days before their next period.
          </EmptyState>
        )}
        {data && data.total > 0 && <Found data={data} page={state.page} onPage={(next) => set({ page: next })} />}
        {/* The content below the rows is shown only once the rows have loaded. */}
        {!answer.isPending && <Formula />}
      </Stack>
    </Page>
  )
}

interface FoundProps {
  readonly data: RenewalsReport
  readonly page: number
  readonly onPage: (page: number) => void
}

function Found({ data, page: at, onPage }: FoundProps) {
  const pages = Math.ceil(data.total / PAGE)
  return (
    <>
      <section aria-labelledby="together">
        <Title order={2} size="h4" id="together" mb="xs">
          Total, {formatIsoDateAsUk(data.from)} to {formatIsoDateAsUk(data.to)}
        </Title>
        <ResponsiveNumberTable
          label="Value by risk"
          head="Risk"
          columns={['Subscriptions', 'Annual value']}
          rows={data.sums.map((sum) => ({
            key: `${sum.currency} ${sum.band}`,
            name: `${labelOf(sum.band)}${data.sums.some((s) => s.currency !== 'GBP') ? `, ${sum.currency}` : ''}`,
            cells: [
              <Anchor
                key="n"
                component={Link}
                to={`/crm/renewals?band=${sum.band}`}
                inherit
                aria-label={`${sum.subscriptions} subscriptions at ${labelOf(sum.band).toLowerCase()} risk`}
              >
                {sum.subscriptions}
              </Anchor>,
              formatMoney(sum.yearly, sum.currency),
            ],
          }))}
        />
      </section>
      <section aria-labelledby="each">
        <Title order={2} size="h4" id="each" mb="xs">
          Subscriptions
        </Title>
        <ResponsiveNumberTable
          label="Renewals"
          head="Customer"
          columns={['Renews on', 'Paid', 'Annual value', 'Risk', 'Why']}
          words={['Renews on', 'Paid', 'Risk', 'Why']}
          rows={data.rows.map((row) => ({
            key: String(row.id),
            name: (
              <Anchor component={Link} to={`/crm/subscription/${row.id}`} inherit>
                {row.company || `Customer ${idFromAnyIri(row.customer) ?? ''}`}
              </Anchor>
            ),
            cells: [
              formatIsoDateAsUk(row.renewsOn),
              describeBillingInterval(row.interval, row.intervalCount),
              formatMoney(row.yearly, row.currency),
              <StatusChip key="risk" meaning={MEANING[row.band]}>{`${labelOf(row.band)}, ${row.risk}`}</StatusChip>,
              <span key="why" className={css.why}>
                {row.signs.map((sign) => RENEWAL_RISK_SIGNS.find((one) => one.sign === sign)?.words).join('; ') || '—'}
              </span>,
            ],
          }))}
        />
        {pages > 1 && (
          <Pagination
            mt="md"
            total={pages}
            value={at}
            onChange={onPage}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
      </section>
    </>
  )
}

/** Explanation of the risk, based on the same list of signs as the calculation. */
const Formula = () => (
  <section className={page.card} aria-labelledby="formula">
    <Title order={2} size="h4" id="formula">
      How the risk is calculated
    </Title>
    <Text size="sm">The points below are added together, up to a maximum of 100.</Text>
    <ul>
      {RENEWAL_RISK_SIGNS.map(({ sign, points, words }) => (
        <li key={sign}>
          {words}: {points}
        </li>
      ))}
    </ul>
    <Text size="sm">
      {RENEWAL_RISK_BANDS.map(({ label, from }) => `${label}: ${from > 0 ? `${from} or more` : 'fewer'}`).join(' · ')}
    </Text>
  </section>
)
