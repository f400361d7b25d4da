import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk, londonDate, now } from '#kernel/time.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { InvoiceChip } from './chip.web.tsx'
import { INVOICE_STATES, invoice } from './invoice.ts'

const LIST = listUrlSchema({
  state: z.enum(['', ...INVOICE_STATES]).default(''),
  due: z.enum(['', 'over']).default(''),
})

/** Returns the filter for open invoices that were due before today. */
const overdue = () => ({ state: 'open', 'dueOn[strictly_before]': londonDate(now()).toString() })

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
      <DataList
        resource={invoice}
        label="Invoices"
        state={state}
        onState={set}
        search="Search by number, company or purchase order"
        params={state.due === 'over' ? overdue() : {}}
        filters={['state', { key: 'due', label: 'Due', options: [{ value: 'over', label: 'Overdue' }] }]}
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
