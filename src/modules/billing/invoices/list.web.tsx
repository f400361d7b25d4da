import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk, londonDate, now } from '#kernel/time.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { InvoiceChip } from './chip.web.tsx'
import { INVOICE_STATES, INVOICE_SUMMARY_URL, type InvoiceSummary, invoice } from './invoice.ts'

const LIST = listUrlSchema({
  state: z.enum(['', ...INVOICE_STATES]).default(''),
  due: z.enum(['', 'over', 'week']).default(''),
})

/** Returns the filter for open invoices that were due before today. */
const overdue = () => ({ state: 'open', 'dueOn[strictly_before]': londonDate(now()).toString() })

/** Returns the filter for open invoices that are due from today to Sunday. */
const dueThisWeek = () => {
  const today = londonDate(now())
  return {
    state: 'open',
    'dueOn[after]': today.toString(),
    'dueOn[before]': today.add({ days: 7 - today.dayOfWeek }).toString(),
  }
}

type Shown = Partial<{ state: 'open' | ''; due: 'over' | 'week' | '' }>

/** Totals of the open invoices. Each shows its invoices in the list below. */
function Totals({ onShow }: { readonly onShow: (filter: Shown) => void }) {
  const read = useQuery({
    queryKey: [invoice.url, 'summary'],
    ...urlQueryOptions<{ totals: readonly InvoiceSummary[] }>(INVOICE_SUMMARY_URL),
  })
  const totals = read.data?.totals
  if (!totals?.length) return null
  const sum = (key: Exclude<keyof InvoiceSummary, 'currency'>) =>
    totals
      .filter((one) => one[key] !== 0 || one === totals[0])
      .map((one) => formatMoney(one[key], one.currency))
      .join(' + ')
  const figures = [
    ['Outstanding', sum('outstanding'), { state: 'open', due: '' }],
    ['Overdue', sum('overdue'), { state: '', due: 'over' }],
    ['Due this week', sum('dueThisWeek'), { state: '', due: 'week' }],
  ] as const
  return (
    <dl className={css.figures} aria-label="Totals">
      {figures.map(([label, amount, filter]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Anchor
              component="button"
              type="button"
              inherit
              aria-label={`${label}: ${amount}`}
              onClick={() => onShow(filter)}
            >
              {amount}
            </Anchor>
          </dd>
        </div>
      ))}
      <div>
        <dt>Paid this month</dt>
        <dd>{sum('paidThisMonth')}</dd>
      </div>
    </dl>
  )
}

/** Invoice list with status and amount due, latest first. */
export default function InvoicesPage() {
  const [state, set] = useUrlState(LIST)
  const places = useBillingUrls()
  const add = (
    <Button component={Link} to={places.newInvoice} leftSection={<IconPlus size={16} aria-hidden />}>
      New invoice
    </Button>
  )
  return (
    <Page title="Invoices" actions={add}>
      <Totals onShow={set} />
      <DataList
        resource={invoice}
        label="Invoices"
        bulkWords={{ send: { title: 'Send by e-mail', done: 'being e-mailed' } }}
        state={state}
        onState={set}
        search="Search by number, company or purchase order"
        params={state.due === 'over' ? overdue() : state.due === 'week' ? dueThisWeek() : {}}
        filters={[
          'state',
          {
            key: 'due',
            label: 'Due',
            options: [
              { value: 'over', label: 'Overdue' },
              { value: 'week', label: 'This week' },
            ],
          },
        ]}
        empty={
          <EmptyState title="No invoices yet">
            Create an invoice: choose the customer, add lines, preview and issue it.
          </EmptyState>
        }
        columns={[
          { key: 'number', title: 'Invoice', render: (i) => i.number || 'Draft' },
          { key: 'company', title: 'Customer', render: (i) => i.company || '—' },
          { key: 'state', title: 'Status', tight: true, render: (i) => <InvoiceChip of={i} /> },
          {
            key: 'total',
            title: 'Total',
            render: (i) => <span className={css.money}>{formatMoney(i.total ?? 0, i.currency ?? 'GBP')}</span>,
          },
          {
            key: 'amountDue',
            title: 'Amount due',
            render: (i) => <span className={css.money}>{formatMoney(i.amountDue ?? 0, i.currency ?? 'GBP')}</span>,
          },
          { key: 'dueOn', title: 'Due', render: (i) => (i.dueOn ? formatIsoDateAsUk(i.dueOn) : '—') },
          {
            key: 'date',
            title: 'Date',
            wide: true,
            inCard: false,
            render: (i) => (i.date ? formatIsoDateAsUk(i.date) : '—'),
          },
        ]}
        href={(i) => places.invoice(i.id)}
      />
    </Page>
  )
}
