import { PersonName } from '#web/ui/people/person-name.tsx'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { MultiSelect, Text } from '@mantine/core'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk, formatUkDate } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useNow } from '#web/dates/use-now.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { createMoneyInput } from '#web/forms/inputs/money-input.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import css from '../billing.module.css'
import type { CatalogueListSpec } from './catalogue-list.web.tsx'
import { coupon } from './coupon.ts'
import { type CouponTerms, couponRejectionReason, describeCoupon } from './coupon-rules.ts'
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

function usesWords(c: CouponTerms) {
  return c.maxRedemptions ? `${c.timesRedeemed} of ${c.maxRedemptions}` : c.timesRedeemed
}

function CouponState({ of }: { readonly of: CouponTerms }) {
  const at = useNow()
  const refused = couponRejectionReason(of, { now: at })
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
