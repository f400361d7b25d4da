import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Currency, formatMoney, formatMoneyByCurrency } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { queryString } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { type PendingWorkList, PendingWorkRow, PendingWorkSections } from '#web/dashboard/waiting.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { Page } from '#web/ui/page.tsx'
import { bankLine } from '../bank/bank-line.ts'
import css from '../billing.module.css'
import { COLLECTIONS_URL, type Collection } from '../dunning/dunning.ts'
import { overdueInvoice } from '../dunning/overdue.ts'
import { INVOICE_SUMMARY_URL, type InvoiceSummary, invoice } from '../invoices/invoice.ts'
import { billingNav } from '../nav.ts'
import { type VatBox, type VatReturnFigures, vatReturn } from '../vat/vat-return.ts'

/** Finance overview: today's totals, each with its rows, and the work awaiting finance staff. */
export default function FinanceOverviewPage() {
  return (
    <Page title="Finance">
      <Stack gap="lg">
        <Totals />
        <PendingWorkSections lists={WAITING} />
      </Stack>
    </Page>
  )
}

function Totals() {
  const summary = useQuery({
    queryKey: [invoice.url, 'summary'],
    ...urlQueryOptions<{ totals: readonly InvoiceSummary[] }>(INVOICE_SUMMARY_URL),
    refetchOnMount: 'always',
  })
  const collections = useQuery({
    queryKey: [COLLECTIONS_URL],
    ...urlQueryOptions<{ 'hydra:member': readonly Collection[] }>(COLLECTIONS_URL),
    refetchOnMount: 'always',
  })
  const drafts = useList(vatReturn, { state: 'draft', 'order[from]': 'desc', itemsPerPage: 1 })
  const draft = drafts.data?.['hydra:member'][0]
  const figures = useQuery({
    queryKey: [vatReturn.url, 'figures', draft?.['@id']],
    ...urlQueryOptions<VatReturnFigures>(`${draft?.['@id']}/figures`),
    enabled: draft !== undefined,
  })
  const totals = summary.data?.totals ?? []
  const sum = (key: Exclude<keyof InvoiceSummary, 'currency'>): string =>
    formatMoneyByCurrency(totals.map((one) => [one[key], one.currency]))
  const collected = collections.data?.['hydra:member'] ?? []
  const today = londonToday()
  const month = `${today.slice(0, 8)}01..${today}`
  const boxOf = (wanted: VatBox) => figures.data?.boxes.find(({ box }) => box === wanted)?.amount ?? 0
  const isReclaim = boxOf(4) > boxOf(3)
  const invoices = billingNav.invoices.path
  const all = [
    { label: 'Outstanding', amount: sum('outstanding'), to: `${invoices}?state=open` },
    { label: 'Overdue', amount: sum('overdue'), to: billingNav.overdue.path },
    { label: 'Due this week', amount: sum('dueThisWeek'), to: `${invoices}?due=week` },
    {
      label: 'Paid this month',
      amount: sum('paidThisMonth'),
      to: `${billingNav.charges.path}${queryString({ state: 'succeeded', when: month })}`,
    },
    {
      label: 'Next collections, 2 weeks',
      amount: formatMoneyByCurrency(collected.map(({ amount, currency }) => [amount, currency])),
      to: collected.length ? '#collections' : undefined,
    },
    draft && figures.data
      ? {
          label: `VAT ${isReclaim ? 'to reclaim' : 'to pay'}, ${formatIsoDateAsUk(draft.from)} to ${formatIsoDateAsUk(draft.to)}`,
          amount: formatMoney(boxOf(5), 'GBP'),
          to: `${billingNav.vat.path}/${draft.id}`,
        }
      : { label: 'VAT to pay', amount: 'Start a return', to: billingNav.vat.path },
  ]
  const read = [summary, collections, drafts, ...(draft ? [figures] : [])]
  return (
    <DashboardSection
      title="Today"
      loading={read.some(({ isPending }) => isPending)}
      error={read.find(({ error, data }) => error && !data)?.error ?? null}
      onRetry={() => read.forEach((one) => void one.refetch())}
    >
      <dl className={css.figures} aria-label="Totals">
        {all.map(({ label, amount, to }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {to?.startsWith('#') ? (
                <Anchor href={to} inherit aria-label={`${label}: ${amount}`}>
                  {amount}
                </Anchor>
              ) : to ? (
                <Anchor component={Link} to={to} inherit aria-label={`${label}: ${amount}`}>
                  {amount}
                </Anchor>
              ) : (
                amount
              )}
            </dd>
          </div>
        ))}
      </dl>
    </DashboardSection>
  )
}

/** Any row of the lists below. */
interface Waiting {
  readonly id: number
  readonly currency: Currency
  readonly number?: string
  readonly company?: string
  readonly amountDue?: number
  readonly daysOverdue?: number
  readonly total?: number
  readonly amount?: number
  readonly reference?: string
  readonly payer?: string
  readonly day?: string
  readonly on?: string
  readonly by?: Collection['by']
}

const WAITING: readonly PendingWorkList<Waiting>[] = [
  {
    title: 'Overdue invoices',
    url: `${overdueInvoice.url}?itemsPerPage=5`,
    more: () => [{ label: 'All overdue invoices', to: billingNav.overdue.path }],
    row: ({ id, number, company = '', amountDue = 0, currency, daysOverdue = 0 }) => (
      <PendingWorkRow
        to={`/crm/invoice/${id}`}
        title={company}
        detail={`${number}, ${formatMoney(amountDue, currency)}`}
      >
        {daysOverdue} {daysOverdue === 1 ? 'day' : 'days'} overdue
      </PendingWorkRow>
    ),
  },
  {
    title: 'Next collections',
    anchor: 'collections',
    url: COLLECTIONS_URL,
    more: () => [],
    row: ({ id, number, company = '', amount = 0, currency, on = '', by }) => (
      <PendingWorkRow
        to={`/crm/invoice/${id}`}
        title={company}
        detail={`${number}, ${formatMoney(amount, currency)} by ${by === 'debit' ? 'Direct Debit' : 'card'}`}
      >
        {formatIsoDateAsUk(on)}
      </PendingWorkRow>
    ),
  },
  {
    title: 'Bank lines to match',
    url: `${bankLine.url}${queryString({ state: ['open', 'proposed'], itemsPerPage: 5 })}`,
    more: () => [{ label: 'All bank lines', to: billingNav.bank.path }],
    row: ({ reference, payer, amount = 0, currency, day = '' }) => (
      <PendingWorkRow
        to={billingNav.bank.path}
        title={payer || reference || 'No text'}
        detail={formatMoney(amount, currency)}
      >
        {formatIsoDateAsUk(day)}
      </PendingWorkRow>
    ),
  },
  {
    title: 'Draft invoices',
    url: `${invoice.url}${queryString({ state: 'draft', itemsPerPage: 5 })}`,
    more: () => [{ label: 'All drafts', to: `${billingNav.invoices.path}?state=draft` }],
    row: ({ id, company, total = 0, currency }) => (
      <PendingWorkRow to={`/crm/invoice/${id}`} title={company || `Draft ${id}`} detail={formatMoney(total, currency)}>
        Not issued
      </PendingWorkRow>
    ),
  },
]
