import { PersonName } from '#web/ui/people/person-name.tsx'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Alert, Button, MultiSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk, formatUkDate } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useNow } from '#web/dates/use-now.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { createMoneyInput } from '#web/forms/inputs/money-input.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { PRICING_ROLES } from '../rights.ts'
import type { CatalogueListSpec } from './catalogue-list.web.tsx'
import { coupon } from './coupon.ts'
import { type CouponTerms, describeCoupon, findCouponRejectionReason } from './coupon-rules.ts'
import { billingApplication, describeRateSource, exchangeRate, plan, price, product, sku, taxRate } from './plan.ts'

/** Returns the interval in words, such as ` a month` or ` every 3 months`; empty for one-off charges. */
function intervalWords(interval: string | null | undefined, count: number | null | undefined): string {
  if (!interval) return ''
  return !count || count === 1 ? ` a ${interval}` : ` every ${count} ${interval}s`
}

/** Price history of a plan or an SKU, current price first. */
function PriceHistory({ of }: { readonly of: Readonly<Record<string, string>> }) {
  const rows = useList(price, { ...of, 'order[version]': 'desc', itemsPerPage: 20 }).data?.['hydra:member']
  if (!rows?.length) return null
  return (
    <section aria-labelledby="prices">
      <Text component="h3" fw={600} id="prices">
        Prices
      </Text>
      <ol className={css.list} reversed>
        {rows.map((p, n) => (
          <li key={p.id} className={css.row}>
            <span className={css.money}>
              {formatMoney(p.amount ?? 0, p.currency ?? 'GBP')}
              {intervalWords(p.interval, p.intervalCount)}
            </span>
            <span>
              {n === 0 ? 'now, since ' : 'from '}
              <DateTimeText at={p.from} />
              {p.author && (
                <>
                  {' '}
                  by <PersonName username={p.author} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Notice of a new price, as the server previews it. */
interface PriceNoticePreview {
  readonly days: number
  readonly subscriptions: number
  readonly customers: number
  readonly exempt: number
  readonly withoutEmail: number
  readonly notified: number
  readonly subject: string
  readonly body: string
}

/**
 * Subscriptions whose price differs from the one in the form, and the notice to their customers. Shown before the price
 * is saved; sent afterwards, in a second step.
 */
function PriceNoticePanel({ of, store }: { readonly of: RecordOf<typeof plan>; readonly store: ValueStore }) {
  const entered = useValueAt(store, ['amount'])
  const amount = typeof entered === 'number' ? entered : of.amount
  const isSaved = amount === of.amount
  const may = hasRole(useActor(), PRICING_ROLES)
  const preview = useQuery({
    queryKey: [plan.url, 'price-notice', of['@id'], amount],
    queryFn: ({ signal }) =>
      callApi<PriceNoticePreview>('GET', `${of['@id']}/price-notice?amount=${amount}`, undefined, { signal }),
    enabled: may,
    gcTime: 0,
  })
  const send = useMutation({
    mutationFn: () => callApi<PriceNoticePreview>('POST', `${of['@id']}/price-notice`, {}),
    onSuccess: ({ subscriptions }) => {
      toast.info(`Notices for ${countOf(subscriptions, 'subscription')} are waiting to be sent.`, 'safe')
      return preview.refetch()
    },
    onError: (e) => toast.failed(e),
  })
  const found = preview.data
  if (!found || found.subscriptions + found.exempt + found.withoutEmail + found.notified === 0) return null
  return (
    <Alert
      color="blue"
      title={`${countOf(found.subscriptions, 'subscription')} of ${countOf(found.customers, 'customer')} with another price`}
    >
      <Stack gap="xs">
        <Text size="sm">
          A subscription keeps its signed price until the customer is notified. The new price then applies from the
          first period after {countOf(found.days, 'day')} of notice.
          {found.exempt > 0 && ` ${countOf(found.exempt, 'subscription')} with an agreed price: no notice.`}
          {found.withoutEmail > 0 &&
            ` ${countOf(found.withoutEmail, 'subscription')} without an e-mail address: no notice.`}
          {found.notified > 0 && ` ${countOf(found.notified, 'subscription')} with a notice of this price already.`}
        </Text>
        {found.body && (
          <details>
            <summary>Preview the first notice: {found.subject}</summary>
            <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
              {found.body}
            </Text>
          </details>
        )}
        {found.subscriptions > 0 &&
          (isSaved ? (
            <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
              E-mail {countOf(found.subscriptions, 'notice')}
            </Button>
          ) : (
            <Text size="sm">Save the plan first, then e-mail the notices here.</Text>
          ))}
      </Stack>
    </Alert>
  )
}

const countOf = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`

interface Priced {
  readonly amount: number
  readonly currency: string
  readonly interval?: string
  readonly intervalCount?: number
}
const priced = {
  key: 'amount',
  title: 'Price',
  align: 'right' as const,
  render: (p: Priced) => `${formatMoney(p.amount, p.currency)}${intervalWords(p.interval, p.intervalCount)}`,
}
const nameColumn = (key: string) => ({
  key,
  render: (row: Record<string, { name?: string } | null>) => row[key]?.name ?? '—',
})

/** Catalogue lists in the order of their tabs. */
export const CATALOGUE_LISTS = {
  products: {
    resource: product,
    label: 'Products',
    one: 'product',
    columns: ['name', 'prodLegend', { key: 'livemode' }],
    fields: ['name', 'prodLegend', 'livemode', 'description', 'retired'],
  },
  plans: {
    resource: plan,
    label: 'Plans',
    one: 'plan',
    columns: ['name', nameColumn('product'), priced, { ...nameColumn('taxRate'), wide: true }],
    fields: ['name', 'product', 'amount', 'currency', 'interval', 'intervalCount', 'taxRate', 'retired'],
    inputs: { amount: createMoneyInput() },
    history: (row) => <PriceHistory of={{ plan: row['@id'] }} />,
    above: (row, store) => <PriceNoticePanel of={row as never} store={store} />,
    hasNextStep: (before, saved) => (before as unknown as Priced).amount !== (saved as unknown as Priced).amount,
  },
  skus: {
    resource: sku,
    label: 'SKUs',
    one: 'SKU',
    columns: ['name', 'code', { key: 'unit', wide: true }, priced],
    fields: ['name', 'code', 'unit', 'product', 'amount', 'cost', 'currency', 'taxRate', 'stocked', 'retired'],
    inputs: { amount: createMoneyInput(6), cost: createMoneyInput(6) },
    history: (row) => <PriceHistory of={{ sku: row['@id'] }} />,
  },
  coupons: {
    resource: coupon,
    label: 'Coupons',
    one: 'coupon',
    columns: [
      'name',
      { key: 'percentOff', title: 'Discount', align: 'left', render: (c: CouponTerms) => describeCoupon(c) },
      { key: 'plans', title: 'Plans', render: (c: CouponTerms) => <CouponPlans of={c} />, wide: true },
      { key: 'timesRedeemed', render: usesWords },
      { key: 'expiresAt', title: 'Status', render: (c: CouponTerms) => <CouponState of={c} /> },
    ],
    fields: [
      'name',
      'percentOff',
      'amountOff',
      'currency',
      'duration',
      'durationPeriods',
      'plans',
      'maxRedemptions',
      'expiresAt',
      'retired',
    ],
    inputs: { amountOff: createMoneyInput(), plans: PlansInput },
    wide: ['plans'],
  },
  taxRates: {
    resource: taxRate,
    label: 'Tax rates',
    one: 'tax rate',
    columns: ['name', { key: 'percent', render: (r: { percent: number }) => `${r.percent}%` }, 'from'],
    fields: ['name', 'percent', 'from', 'retired'],
  },
  exchangeRates: {
    resource: exchangeRate,
    label: 'Exchange rates',
    one: 'exchange rate',
    columns: [
      'currency',
      { key: 'month', render: (r: { month: string }) => formatIsoDateAsUk(r.month).slice(3) },
      'rate',
      { key: 'source', render: (r: { source: string }) => describeRateSource(r.source) },
    ],
    fields: ['currency', 'month', 'rate', 'source'],
  },
  applications: {
    resource: billingApplication,
    label: 'Applications',
    one: 'application',
    columns: ['name', 'code', nameColumn('product')],
    fields: ['name', 'code', 'product', 'retired'],
  },
} satisfies Record<string, CatalogueListSpec>
export type CatalogueListName = keyof typeof CATALOGUE_LISTS

function CouponPlans({ of: { plans = [] } }: { readonly of: CouponTerms }) {
  const known = useList(plan, { pagination: false }).data?.['hydra:member'] ?? []
  if (!plans?.length) return 'All plans'
  return plans.map((iri) => known.find((one) => one['@id'] === iri)?.name ?? '—').join(', ')
}

function usesWords(c: CouponTerms) {
  return c.maxRedemptions ? `${c.timesRedeemed} of ${c.maxRedemptions}` : c.timesRedeemed
}

function CouponState({ of }: { readonly of: CouponTerms }) {
  const at = useNow()
  const refused = findCouponRejectionReason(of, { now: at })
  if (refused)
    return (
      <StatusChip meaning="attention" title={refused}>
        {of.retired
          ? 'Withdrawn'
          : of.expiresAt && Date.parse(of.expiresAt) <= at.epochMilliseconds
            ? 'Expired'
            : 'Used up'}
      </StatusChip>
    )
  return (
    <StatusChip meaning="safe">
      {of.expiresAt ? `Valid until ${formatUkDate(Temporal.Instant.from(of.expiresAt))}` : 'Valid'}
    </StatusChip>
  )
}

/** Input for choosing a coupon's plans by name. */
function PlansInput({ value, onChange, error, id, readOnly }: FieldInputProps) {
  const plans = useList(plan, { pagination: false, retired: false }).data?.['hydra:member'] ?? []
  return (
    <MultiSelect
      label="Only for these plans"
      description="Applies to every plan if none is chosen."
      data={plans.map((p) => ({ value: p['@id'], label: p.name ?? '' }))}
      value={Array.isArray(value) ? (value as string[]) : []}
      onChange={onChange}
      error={error}
      readOnly={readOnly ?? false}
      searchable
      {...(id ? { id } : {})}
    />
  )
}
